// Cut, corrupt and hostile JPEG streams: a BlpError or sound pixels, and nothing else.

import { describe, expect, it } from 'vitest';
import { BlpError } from '../../src/errors.js';
import { decodeModule } from '../../src/kernels/generated/decode-module.js';
import { createJpegDecoder } from '../../src/kernels/wasm/jpeg.js';
import { instantiate } from '../../src/kernels/wasm/memory.js';
import { defaultLimits } from '../../src/limits.js';
import { findRealTextures, readBytes } from '../reference/files.js';
import { randomFractions } from '../reference/random.js';
import { decodeLevel, javascriptKernels, jpegKernels, realLevels, strict } from './jpeg-support.js';
import {
  cjpeg,
  djpeg,
  hasJpegTools,
  jpegtran,
  type Picture,
  segmentOffset,
  testPicture,
  toRgba,
} from './jpeg-tools.js';

const kernels = jpegKernels();
const none = new Uint8Array(0);
const salvage = { ...strict, salvage: true };

/** The BlpError that decoding throws. */
function refusal(
  body: Uint8Array,
  width = 64,
  height = 64,
  options = strict,
  decoder = kernels,
): BlpError {
  try {
    decodeLevel(decoder, { header: none, body }, width, height, options);
  } catch (error) {
    if (error instanceof BlpError) return error;
    throw error;
  }
  throw new Error('decoded without an error');
}

/** Segments of a stream made by hand. */
function segment(marker: number, ...bytes: number[]): number[] {
  return [255, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 255, ...bytes];
}
const start = [255, 0xd8];
const ones = segment(0xdb, 0, ...new Array(64).fill(1));
const frame = (...fields: number[]) => segment(0xc0, 8, 0, 8, 0, 8, 1, 1, 0x11, 0, ...fields);
/** Code 0: category 0 (DC), end of block (AC). */
const oneCode = [1, ...new Array(15).fill(0), 0];
const tables = [...segment(0xc4, 0, ...oneCode), ...segment(0xc4, 0x10, ...oneCode)];
const scan = segment(0xda, 1, 1, 0, 0, 63, 0);
const bytes = (...parts: number[][]) => Uint8Array.from(parts.flat());

describe('refusals', () => {
  it('decodes the stream from which the refused ones are made', () => {
    const body = bytes(start, ones, frame(), tables, scan, [0x3f], [255, 0xd9]);
    const { pixels } = decodeLevel(kernels, { header: none, body }, 8, 8);
    expect([...new Set(pixels)]).toEqual([128, 255]);
  });

  const refused: [string, string, Uint8Array][] = [
    ['nothing', 'damaged', bytes([])],
    ['no SOI', 'damaged', bytes([137, 80, 78, 71])],
    ['SOI alone', 'damaged', bytes(start)],
    ['end before a scan', 'damaged', bytes(start, ones, frame(), [255, 0xd9])],
    ['a second SOI', 'damaged', bytes(start, start, ones, frame(), tables, scan, [0x3f])],
    ['a cut segment', 'damaged', bytes(start, ones.slice(0, 40))],
    ['a segment of length 1', 'damaged', bytes(start, [255, 0xe0, 0, 1, 0, 0])],
    ['arithmetic coding', 'unsupported', bytes(start, segment(0xc9, 8, 0, 8, 0, 8, 1, 1, 17, 0))],
    ['lossless', 'unsupported', bytes(start, segment(0xc3, 8, 0, 8, 0, 8, 1, 1, 17, 0))],
    ['12 bit', 'unsupported', bytes(start, segment(0xc1, 12, 0, 8, 0, 8, 1, 1, 17, 0))],
    [
      'two components',
      'unsupported',
      bytes(start, segment(0xc0, 8, 0, 8, 0, 8, 2, 1, 17, 0, 2, 17, 0)),
    ],
    [
      'a DNL segment',
      'unsupported',
      bytes(start, ones, frame(), segment(0xdc, 0, 8), tables, scan),
    ],
    ['height 0', 'damaged', bytes(start, segment(0xc0, 8, 0, 0, 0, 8, 1, 1, 17, 0))],
    ['width 0', 'damaged', bytes(start, segment(0xc0, 8, 0, 8, 0, 0, 1, 1, 17, 0))],
    ['sampling 0', 'damaged', bytes(start, segment(0xc0, 8, 0, 8, 0, 8, 1, 1, 0x10, 0))],
    ['sampling 5', 'damaged', bytes(start, segment(0xc0, 8, 0, 8, 0, 8, 1, 1, 0x51, 0))],
    ['a frame of odd length', 'damaged', bytes(start, frame(0))],
    ['a second frame', 'damaged', bytes(start, ones, frame(), frame(), tables, scan, [0x3f])],
    [
      'a second frame after the scan',
      'damaged',
      bytes(start, ones, frame(), tables, scan, [0x3f], frame()),
    ],
    ['a scan before the frame', 'damaged', bytes(start, ones, tables, scan, [0x3f])],
    [
      'a scan of another component',
      'damaged',
      bytes(start, ones, frame(), tables, segment(0xda, 1, 9, 0, 0, 63, 0), [0x3f]),
    ],
    ['no quantisation table', 'damaged', bytes(start, frame(), tables, scan, [0x3f])],
    ['no Huffman tables', 'damaged', bytes(start, ones, frame(), scan, [0x3f])],
    [
      'no AC table',
      'damaged',
      bytes(start, ones, frame(), segment(0xc4, 0, ...oneCode), scan, [0x3f]),
    ],
    [
      'a Huffman table of too many codes',
      'damaged',
      bytes(
        start,
        ones,
        frame(),
        segment(0xc4, 0, 255, ...new Array(15).fill(0), ...new Array(255).fill(0)),
        segment(0xc4, 0x10, ...oneCode),
        scan,
        [0x3f],
      ),
    ],
    [
      'a Huffman table that uses the code of all ones',
      'damaged',
      bytes(
        start,
        ones,
        frame(),
        segment(0xc4, 0, 2, ...new Array(15).fill(0), 0, 1),
        segment(0xc4, 0x10, ...oneCode),
        scan,
        [0x3f],
      ),
    ],
    ['no entropy-coded data', 'damaged', bytes(start, ones, frame(), tables, scan, [255, 0xd9])],
    [
      'a code that no table has',
      'damaged',
      bytes(start, ones, frame(), tables, scan, [0xff, 0, 0xff, 0, 0xff, 0, 255, 0xd9]),
    ],
    [
      'a sampling too large to interleave',
      'damaged',
      bytes(
        start,
        ones,
        segment(0xc0, 8, 0, 8, 0, 8, 3, 1, 0x44, 0, 2, 0x11, 0, 3, 0x11, 0),
        tables,
        segment(0xda, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0),
        new Array(40).fill(0),
      ),
    ],
  ];
  it.each(refused)('%s: %s', (_, code, body) => {
    const error = refusal(body);
    expect(error.code).toBe(code);
    expect(error.offset).toBeGreaterThanOrEqual(0);
    expect(error.offset).toBeLessThanOrEqual(body.length);
    expect(error.message).toMatch(/JPEG/);
    expect(refusal(body, 64, 64, strict, javascriptKernels).code).toBe(code);
  });

  it.each([
    ['12 bit', 'JPEG samples of 12 bits are not read, only 8, at byte 6 of the stream'],
    [
      'arithmetic coding',
      'the JPEG process of marker FF C9 (lossless, hierarchical or arithmetic)',
    ],
    ['sampling 5', 'JPEG sampling factors 5 × 1 found, each must be 1 to 4'],
    ['a frame of odd length', 'the JPEG segment of marker FF C0 contradicts itself'],
    ['a second frame', 'a second frame header (marker FF C0)'],
    ['a scan of another component', 'do not fit its frame (found 9)'],
  ])('%s is worded alike by both decoders, numbers in decimal', (name, words) => {
    const [, , body] = refused.find(([title]) => title === name)!;
    for (const decoder of [kernels, javascriptKernels]) {
      expect(refusal(body, 64, 64, strict, decoder).message).toContain(words);
    }
  });

  it('names a number of components in decimal', () => {
    const components = Array.from({ length: 16 }, (_, i) => [i, 0x11, 0]).flat();
    const body = bytes(start, segment(0xc0, 8, 0, 8, 0, 8, 16, ...components), tables, scan);
    for (const decoder of [kernels, javascriptKernels]) {
      expect(refusal(body, 64, 64, strict, decoder).message).toContain(
        'JPEG streams of 16 components are not read, only 1, 3 and 4',
      );
    }
  });

  it('ends a run of sixteen zeros with its band, and refuses one before a value, alike by both decoders', () => {
    const coarse = segment(0xdb, 0, ...new Array(64).fill(64));
    const head = [
      ...[...start, ...coarse, ...segment(0xc2, 8, 0, 8, 0, 16, 1, 1, 0x11, 0), ...tables],
      // Both blocks are flat after the first two scans.
      ...[...segment(0xda, 1, 1, 0, 0, 0, 0), 0x3f, ...segment(0xda, 1, 1, 0, 1, 5, 1), 0x3f],
    ];
    const refinement = (run: number) => [
      // Codes 00, 01, 10: the run, a value without one, end of block.
      ...segment(0xc4, 0x10, 0, 3, ...new Array(14).fill(0), run, 0x01, 0x00),
      ...segment(0xda, 1, 1, 0, 1, 5, 0x10),
      // 00 in the first block, 01 with a positive sign and 10 in the second.
      ...[0b00011101, 255, 0xd9],
    ];
    const body = bytes(head, refinement(0xf0));
    const [simd, plain] = [kernels, javascriptKernels].map(
      (decoder) => decodeLevel(decoder, { header: none, body }, 16, 8).pixels,
    );
    // A horizontal wave of 64 · √2 / 8.
    expect([0, 7, 8, 15].map((x) => simd![4 * x])).toEqual([128, 128, 139, 117]);
    expect(plain).toEqual(simd);
    for (const decoder of [kernels, javascriptKernels]) {
      const error = refusal(bytes(head, refinement(0xf1)), 16, 8, strict, decoder);
      expect(error.code).toBe('damaged');
    }
  });

  it('keeps tables of an earlier stream to itself', () => {
    const whole = bytes(start, ones, frame(), tables, scan, [0x3f]);
    decodeLevel(kernels, { header: none, body: whole }, 8, 8);
    expect(refusal(bytes(start, frame(), tables, scan, [0x3f])).message).toMatch(/quantisation/);
    decodeLevel(kernels, { header: none, body: whole }, 8, 8);
    expect(refusal(bytes(start, ones, frame(), scan, [0x3f])).message).toMatch(/Huffman/);
    // Nor a restart interval, nor how colours are stored.
    const dri = segment(0xdd, 0, 1);
    const wide = segment(0xc0, 8, 0, 8, 0, 32, 1, 1, 0x11, 0);
    refusal(bytes(start, ones, wide, tables, dri, scan, [0, 0]));
    decodeLevel(
      kernels,
      { header: none, body: bytes(start, ones, wide, tables, scan, [0, 0]) },
      32,
      8,
    );
  });

  it('a frame larger than its level, before anything is allocated', () => {
    const fields = [8, 255, 255, 252, 0, 1, 1, 0x11, 0];
    const body = bytes(start, ones, segment(0xc0, ...fields), tables, scan, [0x3f]);
    const runtime = instantiate<object>(decodeModule);
    const before = runtime.memory.buffer.byteLength;
    const own = createJpegDecoder(runtime);
    const limits = { ...defaultLimits, maxPixels: 2 ** 33 };
    expect(() =>
      own.jpeg(
        { header: none, body },
        { ...strict, limits },
        {
          width: 64,
          height: 64,
          region: { x: 0, y: 0, width: 64, height: 64 },
          target: new Uint8Array(64 * 64 * 4),
        },
      ),
    ).toThrow(/64512 × 65535 pixels, more than its level of 64 × 64/);
    expect(() => own.jpegAlphaPlane({ header: none, body }, strict)).toThrow(/maxPixels/);
    expect(runtime.memory.buffer.byteLength).toBe(before);
    for (const [width, height] of [
      [7, 8],
      [8, 7],
    ] as const) {
      expect(refusal(bytes(start, ones, frame(), tables, scan, [0x3f]), width, height).code).toBe(
        'damaged',
      );
    }
  });

  it('memory beyond the limit, before it is allocated', () => {
    const fields = [8, 16, 0, 16, 0, 4, 1, 17, 0, 2, 17, 0, 3, 17, 0, 4, 17, 0];
    const dc = segment(0xda, 4, 1, 0, 2, 0, 3, 0, 4, 0, 0, 0, 0);
    const body = bytes(start, ones, segment(0xc2, ...fields), tables, dc, [0x3f]);
    const runtime = instantiate<object>(decodeModule);
    const before = runtime.memory.buffer.byteLength;
    const limits = { ...defaultLimits, maxWasmMemory: 100 << 20 };
    const own = createJpegDecoder(runtime);
    expect(() => own.jpegAlphaPlane({ header: none, body }, { ...strict, limits })).toThrow(
      /maxWasmMemory/,
    );
    expect(runtime.memory.buffer.byteLength).toBe(before);
  });

  it('more scans than the limit', () => {
    const scans = new Array(50).fill([...scan, 0x3f]).flat();
    const body = bytes(start, ones, frame(), tables, scans);
    decodeLevel(kernels, { header: none, body }, 8, 8, {
      ...strict,
      limits: { ...defaultLimits, maxJpegScans: 50 },
    });
    const few = { ...strict, limits: { ...defaultLimits, maxJpegScans: 49 } };
    expect(refusal(body, 8, 8, few)).toMatchObject({ code: 'limit', message: /49 scans/ });
  });
});

const hostile = findRealTextures('adversarial');
describe.skipIf(hostile.missing)(`hostile files${hostile.note}`, () => {
  it.each([
    ['00-control-good-jpeg.blp', 'decodes'],
    ['09-jpeg-frame-bomb.blp', 'damaged'],
    ['10-second-sof-grows.blp', 'damaged'],
    ['11-progressive-scan-flood.blp', 'limit'],
    ['12-jpeg-zero-sampling.blp', 'damaged'],
  ])('%s: %s', (name, expected) => {
    const file = readBytes(hostile.folder, name);
    const view = new DataView(file.buffer);
    const header = file.subarray(0xa0, 0xa0 + view.getUint32(0x9c, true));
    const offset = view.getUint32(0x1c, true);
    const body = file.subarray(offset, offset + view.getUint32(0x5c, true));
    const [width, height] = [view.getUint32(12, true), view.getUint32(16, true)];
    for (const options of [strict, salvage]) {
      for (const decoder of [kernels, javascriptKernels]) {
        let outcome = 'decodes';
        try {
          decodeLevel(decoder, { header, body }, width, height, options);
        } catch (error) {
          outcome = (error as BlpError).code;
        }
        expect(outcome).toBe(expected);
      }
    }
  });
});

const toolsTitle = (name: string) =>
  hasJpegTools ? name : `${name}: skipped, libjpeg-turbo-progs is not installed`;

describe.skipIf(!hasJpegTools)(toolsTitle('cut streams'), () => {
  it('salvages every whole MCU that is there, the rest transparent black', () => {
    const streams = cjpeg([
      [testPicture(60, 50, 3), '-sample', '1x1'],
      [testPicture(60, 50, 3), '-sample', '2x2'],
      [testPicture(60, 50, 1), '-grayscale'],
      [testPicture(60, 50, 3), '-sample', '2x1', '-restart', '3B'],
    ]);
    for (const stream of streams) {
      const whole = decodeLevel(kernels, { header: none, body: stream }, 60, 50).pixels;
      const scanStart = segmentOffset(stream, 0xda) + 14;
      let before = -1;
      for (let end = scanStart; end < stream.length - 2; end += 7) {
        const body = stream.subarray(0, end);
        const error = refusal(body, 60, 50);
        expect(error.code).toBe('damaged');
        const { pixels, complete } = decodeLevel(kernels, { header: none, body }, 60, 50, salvage);
        expect(complete).toBe(false);
        let present = 0;
        for (let i = 0; i < pixels.length; i += 4) {
          const isBlack = pixels[i] === 0 && pixels[i + 1] === 0 && pixels[i + 2] === 0;
          if (pixels[i + 3] === 255) present++;
          else if (pixels[i + 3] !== 0 || !isBlack) throw new Error(`texel ${i / 4} is half there`);
        }
        expect(present).toBeGreaterThanOrEqual(before);
        before = present;
        // Smoothing looks across MCUs, so that only unsmoothed streams must be equal throughout.
        if (stream === streams[0] || stream === streams[2]) {
          for (let i = 0; i < pixels.length; i++) {
            if (pixels[i | 3] === 255 && pixels[i] !== whole[i])
              throw new Error(`byte ${i} differs`);
          }
        }
      }
      expect(before).toBeGreaterThan(60 * 50 * 0.9);
    }
  });

  it('salvages progressive streams: coarse where scans are missing, transparent where all are', () => {
    const [stream] = cjpeg([[testPicture(64, 64, 3), '-progressive', '-sample', '1x1']]) as [
      Uint8Array,
    ];
    let last = 0;
    for (let end = 200; end < stream.length - 2; end += 40) {
      const body = stream.subarray(0, end);
      let code = '';
      let present = 0;
      try {
        const { pixels, complete } = decodeLevel(kernels, { header: none, body }, 64, 64, salvage);
        expect(complete).toBe(false);
        for (let i = 3; i < pixels.length; i += 4) present += pixels[i]! / 255;
      } catch (error) {
        code = (error as BlpError).code;
      }
      // Cut within the headers there is nothing to salvage.
      if (code !== '') expect(code).toBe('damaged');
      expect(present).toBeGreaterThanOrEqual(last);
      last = present;
      expect(refusal(body, 64, 64).code).toBe('damaged');
    }
    expect(last).toBe(64 * 64);
  });

  it('resynchronises at restart markers as libjpeg does', () => {
    const streams = cjpeg([
      [testPicture(128, 64, 1), '-grayscale', '-restart', '4B'],
      [testPicture(128, 64, 3), '-sample', '1x1', '-restart', '3B'],
    ]);
    const damaged = streams.flatMap((stream) => restartDamage(stream));
    const references = djpeg(damaged);
    let present = 0;
    damaged.forEach((body, i) => {
      const expected = toRgba(references[i] as Picture);
      const { pixels, complete } = decodeLevel(kernels, { header: none, body }, 128, 64, salvage);
      expect(complete, `damage ${i}`).toBe(false);
      expect(refusal(body, 128, 64).code).toBe('damaged');
      let count = 0;
      for (let p = 0; p < pixels.length; p += 4) {
        if (pixels[p + 3] === 0) continue;
        count++;
        for (let c = 0; c < 3; c++) {
          if (pixels[p + c] !== expected[p + c])
            throw new Error(`damage ${i}: texel ${p / 4} differs`);
        }
      }
      present += count;
      // libjpeg loses at most two intervals and what it takes for repeated data.
      expect(count / (128 * 64), `damage ${i}`).toBeGreaterThan(0.7);
    });
    expect(present / (damaged.length * 128 * 64)).toBeGreaterThan(0.9);
  });
});

/** Intervals removed, repeated, renumbered, cut, overwritten and separated by garbage. */
function restartDamage(stream: Uint8Array): Uint8Array[] {
  const markers: number[] = [];
  for (let p = 2; p < stream.length - 1; p++) {
    if (stream[p] === 255 && (stream[p + 1]! & 0xf8) === 0xd0) markers.push(p);
  }
  const join = (...parts: (Uint8Array | number[])[]) =>
    Uint8Array.from(parts.flatMap((part) => [...part]));
  const damaged: Uint8Array[] = [];
  for (const i of [0, 3, 9, 14]) {
    const [from, to, after] = [markers[i]!, markers[i + 1]!, markers[i + 2]!];
    damaged.push(join(stream.subarray(0, from), stream.subarray(to)));
    damaged.push(join(stream.subarray(0, from), stream.subarray(after)));
    damaged.push(join(stream.subarray(0, to), stream.subarray(from)));
    damaged.push(join(stream.subarray(0, from + 6), stream.subarray(to)));
    for (const step of [1, 2, 3, 4, 5, 6, 7]) {
      const renumbered = stream.slice();
      renumbered[from + 1] = 0xd0 | ((renumbered[from + 1]! + step) & 7);
      damaged.push(renumbered);
    }
    damaged.push(join(stream.subarray(0, from), stream.subarray(from + 2)));
    damaged.push(join(stream.subarray(0, from), [255, 0xb7, 1, 2, 3], stream.subarray(from)));
  }
  return damaged;
}

/** Streams of every kind, small enough to be mutated ten thousand times. */
function seeds(): { body: Uint8Array; width: number; height: number }[] {
  const streams: { body: Uint8Array; width: number; height: number }[] = [];
  const real = realLevels('corpus').filter(({ width, height }) => width * height <= 64 * 64);
  for (let i = 0; i < real.length; i += 29) {
    const { source, width, height } = real[i]!;
    const body = Uint8Array.from([...source.header, ...source.body]);
    streams.push({ body, width, height });
  }
  if (hasJpegTools) {
    const [width, height] = [45, 37];
    const color = testPicture(width, height, 3);
    const made = cjpeg([
      [color, '-sample', '2x2', '-restart', '2B'],
      [color, '-sample', '2x2', '-progressive'],
      [color, '-sample', '1x2', '-progressive', '-restart', '1'],
      [color, '-sample', '3x1', '-optimize'],
      [testPicture(width, height, 1), '-grayscale', '-quality', '3'],
    ]);
    for (const body of [...made, ...jpegtran([[made[3]!, '-progressive']])]) {
      streams.push({ body, width, height });
    }
  }
  return streams;
}

function mutated(stream: Uint8Array, random: () => number): Uint8Array {
  const body = stream.slice();
  const below = (limit: number) => Math.floor(random() * limit);
  const headers = Math.min(700, body.length);
  const kind = below(8);
  if (kind === 0) return body.subarray(0, below(body.length));
  if (kind === 1) {
    const from = below(body.length);
    return Uint8Array.from([...body.subarray(0, from), ...body.subarray(from + 1 + below(40))]);
  }
  if (kind === 2) {
    const at = below(body.length);
    return Uint8Array.from([...body.subarray(0, at), 255, 0xc0 + below(64), ...body.subarray(at)]);
  }
  const count = 1 + below(4);
  for (let i = 0; i < count; i++) {
    const at = below(kind < 6 ? headers : body.length);
    if (kind % 2 === 0) body[at] = below(256);
    else body[at]! ^= 1 << below(8);
  }
  return body;
}

const pool = seeds();
const mutationTitle =
  pool.length > 0 ? 'mutations' : 'mutations: skipped, neither real files nor libjpeg-turbo-progs';
describe.skipIf(pool.length === 0)(mutationTitle, () => {
  it('10,000 of them: pixels or a BlpError, memory within its limit', () => {
    const random = randomFractions(20020703);
    const runtime = instantiate<object>(decodeModule);
    const own = createJpegDecoder(runtime);
    const limits = { ...defaultLimits, maxWasmMemory: 32 << 20, maxPixels: 1 << 22 };
    const intact = pool.map(({ body, width, height }) =>
      decodeLevel(own, { header: none, body }, width, height).pixels.slice(),
    );
    const outcomes = new Map<string, number>();
    for (let i = 0; i < 10_000; i++) {
      const index = i % pool.length;
      const { body, width, height } = pool[index]!;
      const broken = mutated(body, random);
      const cut = Math.floor(random() * Math.min(700, broken.length));
      const source = { header: broken.subarray(0, cut), body: broken.subarray(cut) };
      const options = { opaque: random() < 0.3, salvage: random() < 0.6, limits };
      let outcome = 'pixels';
      try {
        const call = random();
        if (call < 0.2) {
          own.jpegAlphaPlane(source, options);
        } else if (call < 0.6) {
          // The level is as large as can be, so that the frame may grow too.
          own.jpeg(source, options, {
            width: 65535,
            height: 65535,
            region: { x: 3, y: 5, width: 20, height: 9 },
            target: new Uint8Array(20 * 9 * 4),
          });
        } else {
          decodeLevel(own, source, width, height, options);
        }
      } catch (error) {
        if (!(error instanceof BlpError)) throw error;
        outcome = error.code;
      }
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (i % 97 === 0) {
        // Nothing that was broken may show in what is decoded afterwards.
        const { pixels } = decodeLevel(own, { header: none, body }, width, height);
        expect(Buffer.compare(pixels, intact[index]!)).toBe(0);
      }
    }
    expect(runtime.memory.buffer.byteLength).toBeLessThanOrEqual(limits.maxWasmMemory);
    for (const outcome of ['pixels', 'damaged', 'unsupported']) {
      expect(outcomes.get(outcome), outcome).toBeGreaterThan(0);
    }
  });

  it('500 of them in plain JavaScript: the same pixels, or a BlpError', () => {
    const random = randomFractions(20180111);
    let alike = 0;
    for (let i = 0; i < 500; i++) {
      const { body, width, height } = pool[i % pool.length]!;
      const source = { header: none, body: mutated(body, random) };
      const outcomes = [javascriptKernels, kernels].map((decoder) => {
        try {
          return decodeLevel(decoder, source, width, height);
        } catch (error) {
          if (!(error instanceof BlpError)) throw error;
          return error.code;
        }
      });
      const [actual, expected] = outcomes;
      if (typeof actual === 'object' && typeof expected === 'object') {
        expect(Buffer.compare(actual.pixels, expected.pixels)).toBe(0);
        expect({ ...actual, pixels: 0 }).toEqual({ ...expected, pixels: 0 });
        alike++;
      }
      // jpeg-js finds fewer faults in corrupt data, but reads nothing that is not to be read at all.
      if (typeof actual === 'object' && typeof expected === 'string')
        expect(expected).toBe('damaged');
      if (typeof expected === 'object' && typeof actual === 'string') {
        expect(['damaged', 'unsupported']).toContain(actual);
      }
    }
    expect(alike).toBeGreaterThan(50);
  });
});
