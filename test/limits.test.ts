// Limits and arguments: what is refused, with which code, and that the message says what was found and what is allowed.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  BlpError,
  type DecodeOptions,
  decode,
  defaultLimits,
  parse,
  repair,
  validate,
} from '../src/index.js';
import { javascriptKernels } from '../src/kernels/javascript/kernels.js';
import { createWasmKernels } from '../src/kernels/wasm/kernels.js';
import { fixturesFolder } from './reference/files.js';

const read = (name: string) => new Uint8Array(readFileSync(join(fixturesFolder, name)));
const dxt5 = read('blp2-dxt5-alpha8.blp');
const progressive = read('blp1-jpeg-progressive.blp');
const size = decode(dxt5).data.length;

function refusal(run: () => unknown): BlpError {
  try {
    run();
  } catch (error) {
    if (error instanceof BlpError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('limits', () => {
  const side = Math.sqrt(size / 4);
  test.each<[string, DecodeOptions, string, string]>([
    ['maxPixels', { limits: { maxPixels: side * side - 1 } }, `${side * side}`, 'limits.maxPixels'],
    [
      'maxInputBytes',
      { limits: { maxInputBytes: dxt5.length - 1 } },
      `${dxt5.length} bytes`,
      'limits.maxInputBytes',
    ],
    [
      'maxOutputBytes',
      { limits: { maxOutputBytes: size - 1 } },
      `${size} bytes`,
      'limits.maxOutputBytes',
    ],
  ])('%s refuses what is one larger', (_, options, found, allowed) => {
    const error = refusal(() => decode(dxt5, options));
    expect(error.code).toBe('limit');
    expect(error.message).toContain(found);
    expect(error.message).toContain(allowed);
  });

  test('each limit lets through what is just as large', () => {
    const limits = { maxPixels: side * side, maxInputBytes: dxt5.length, maxOutputBytes: size };
    expect(decode(dxt5, { limits }).data).toHaveLength(size);
  });

  test.each([
    ['wasm', createWasmKernels()],
    ['javascript', javascriptKernels],
  ] as const)('maxJpegScans counts the scans (%s)', (_, kernels) => {
    const error = refusal(() => decode(progressive, { kernels, limits: { maxJpegScans: 1 } }));
    expect(error.code).toBe('limit');
    expect(error.message).toContain('limits.maxJpegScans');
    expect(decode(progressive, { kernels }).width).toBeGreaterThan(0);
  });

  test('maxWasmMemory holds before the coefficients are allocated', () => {
    const kernels = createWasmKernels();
    const error = refusal(() =>
      decode(progressive, { kernels, limits: { maxWasmMemory: 40_000 } }),
    );
    expect(error.code).toBe('limit');
    expect(error.message).toContain('limits.maxWasmMemory');
  });

  test.each([
    [{ maxPixel: 5 }, 'limits.maxPixel is not a limit'],
    [{ maxPixels: 0 }, 'limits.maxPixels must be a positive number, got 0'],
    [{ maxPixels: Number.NaN }, 'limits.maxPixels must be a positive number, got NaN'],
    [{ maxPixels: '5' }, 'limits.maxPixels must be a positive number, got 5'],
  ])('a limit that is none is an argument error: %j', (limits, message) => {
    const error = refusal(() => decode(dxt5, { limits: limits as DecodeOptions['limits'] }));
    expect(error.code).toBe('argument');
    expect(error.message).toContain(message);
  });

  test('the defaults take the largest texture of current graphics cards', () => {
    expect(defaultLimits.maxPixels).toBe(8192 * 8192);
    expect(defaultLimits.maxOutputBytes).toBe(8192 * 8192 * 4);
  });
});

describe('into', () => {
  test('a larger buffer is filled from its beginning and the result is a view of it', () => {
    const buffer = new ArrayBuffer(size + 100);
    const into = new Uint8Array(buffer, 40, size + 20).fill(7);
    const image = decode(dxt5, { into });
    expect(image.data.buffer).toBe(buffer);
    expect(image.data.byteOffset).toBe(40);
    expect(image.data).toHaveLength(size);
    expect(image.data).toEqual(decode(dxt5).data);
    expect(into.subarray(size)).toEqual(new Uint8Array(20).fill(7));
  });

  test('an offset that is not a multiple of four gives the same texels from both kernels', () => {
    for (const kernels of [createWasmKernels(), javascriptKernels]) {
      const into = new Uint8ClampedArray(new ArrayBuffer(size + 3), 3);
      expect(decode(dxt5, { into, kernels }).data).toEqual(decode(dxt5).data);
    }
  });

  const detached = new Uint8Array(size);
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  test.each<[string, unknown, string]>([
    ['too small', new Uint8Array(size - 1), `${size - 1} bytes, the picture takes ${size}`],
    ['empty', new Uint8Array(0), `0 bytes, the picture takes ${size}`],
    ['detached', detached, 'detached'],
    ['shared', new Uint8Array(new SharedArrayBuffer(size)), 'shared'],
    ['of another type', new Float32Array(size), 'Float32Array'],
    ['a buffer', new ArrayBuffer(size), 'ArrayBuffer'],
    ['a number', 5, '5'],
  ])('a buffer that is %s is an argument error', (_, into, message) => {
    const error = refusal(() => decode(dxt5, { into: into as Uint8Array }));
    expect(error.code).toBe('argument');
    expect(error.message).toContain(message);
  });
});

describe('other arguments', () => {
  test.each<[string, DecodeOptions, string]>([
    ['level past the chain', { level: 99 }, 'level must be a whole number from 0 to'],
    ['level below 0', { level: -1 }, 'got -1'],
    ['level with a fraction', { level: 0.5 }, 'got 0.5'],
    ['region past the side', { region: { x: 1, y: 0, width: 9999, height: 1 } }, 'width 9999'],
    ['empty region', { region: { x: 0, y: 0, width: 0, height: 1 } }, 'width 0'],
    ['region not a number', { region: { x: 0, y: 0, width: 1 } as never }, 'height undefined'],
    ['alpha of another name', { alpha: 'none' as never }, 'auto, declared, stored, opaque'],
  ])('%s', (_, options, message) => {
    const error = refusal(() => decode(dxt5, options));
    expect(error.code).toBe('argument');
    expect(error.message).toContain(message);
  });

  test.each([[undefined], [null], ['BLP2'], [5], [new Float32Array(4)], [[66, 76, 80, 50]]])(
    'bytes that are %j',
    (bytes) => {
      const error = refusal(() => parse(bytes as never));
      expect(error.code).toBe('argument');
      expect(error.message).toContain('must be a Uint8Array or ArrayBuffer');
    },
  );

  test('detached bytes', () => {
    const bytes = dxt5.slice();
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    expect(refusal(() => parse(bytes)).message).toContain('detached');
  });

  test('an ArrayBuffer is as good as a Uint8Array', () => {
    const image = decode(dxt5.slice().buffer);
    expect(image).toEqual(decode(dxt5));
  });
});

describe('what shares memory', () => {
  test('a target that overlaps the file is an argument error, one beside it is not', () => {
    const buffer = new ArrayBuffer(dxt5.length + size + 64);
    const bytes = new Uint8Array(buffer, 0, dxt5.length);
    bytes.set(dxt5);
    const overlapping = new Uint8Array(buffer, parse(bytes).levels[0]!.offset + 8, size);
    expect(refusal(() => decode(bytes, { into: overlapping })).code).toBe('argument');
    const beside = new Uint8Array(buffer, dxt5.length, size);
    expect(decode(bytes, { into: beside }).data).toEqual(decode(dxt5).data);
  });

  test("Node's Buffer is read as a view and never written, also by validate and repair", () => {
    // A type that BLP2 does not know makes repair try another.
    const faulty = dxt5.slice();
    faulty[4] = 2;
    const pool = Buffer.alloc(faulty.length + 200, 0xee);
    const view = pool.subarray(100, 100 + faulty.length);
    view.set(faulty);
    const before = Uint8Array.from(pool);
    expect(validate(view).map(({ code }) => code)).toContain('type-not-1');
    const { bytes } = repair(view);
    expect(bytes[4]).toBe(1);
    expect(Uint8Array.from(pool)).toEqual(before);
    expect(decode(bytes).data).toEqual(decode(dxt5).data);
  });
});

describe('level files of BLP0', () => {
  const header = read('blp0-paletted-alpha8.blp');
  const first = read('blp0-paletted-alpha8.b00');

  test.each<[string, unknown]>([
    ['a string', ['level']],
    ['a number', [5]],
    ['no array', first],
  ])('%s is an argument error', (_, levelFiles) => {
    const error = refusal(() => parse(header, { levelFiles: levelFiles as never }));
    expect(error.code).toBe('argument');
    expect(error.message).toContain('levelFiles');
  });

  test('an ArrayBuffer will do, and every file counts for maxInputBytes', () => {
    const levelFiles = [first.slice().buffer as never];
    expect(parse(header, { levelFiles }).levels).toHaveLength(1);
    const limits = { maxInputBytes: header.length + first.length - 1 };
    expect(refusal(() => parse(header, { levelFiles, limits })).code).toBe('limit');
  });
});

describe('offsets of errors', () => {
  test('point into the file for damage in a JPEG stream', () => {
    const bytes = read('blp1-jpeg-alpha8.blp');
    const { offset, size: length } = parse(bytes).levels[0]!;
    const damaged = bytes.slice();
    // A marker that ends the data early, in the middle of level 0
    const at = offset + (length >> 1);
    damaged.set([0xff, 0xd9], at);
    const error = refusal(() => decode(damaged));
    expect(error.code).toBe('damaged');
    expect(error.offset).toBeGreaterThan(at - 16);
    expect(error.offset).toBeLessThan(at + 16);
  });

  test('name level 0 when its alpha plane is what another level lacks', () => {
    const bytes = read('blp1-jpeg-alpha8.blp');
    const { offset, size: length } = parse(bytes).levels[0]!;
    const damaged = bytes.slice();
    damaged.fill(0xff, offset + (length >> 3), offset + length);
    const texture = parse(damaged);
    const error = refusal(() => texture.decode({ level: 2, kernels: javascriptKernels }));
    expect(error.message).toMatch(/^level 0, whose alpha plane decides/);
    expect(texture.decode({ level: 2, alpha: 'stored' }).width).toBeGreaterThan(0);
  });
});

test('a region of a level that is cut short takes no more memory than its rows', () => {
  // 8192 × 8192 BGRA of which 16 texels are there.
  const bytes = new Uint8Array(1172 + 64).fill(0x40);
  const view = new DataView(bytes.buffer);
  bytes.fill(0, 0, 1172);
  bytes.set([0x42, 0x4c, 0x50, 0x32, 1, 0, 0, 0, 3, 8, 8, 0]);
  view.setUint32(0x0c, 8192, true);
  view.setUint32(0x10, 8192, true);
  view.setUint32(0x14, 1172, true);
  view.setUint32(0x54, 64, true);
  const texture = parse(bytes, { salvage: true });
  const before = process.memoryUsage().arrayBuffers;
  const corner = texture.decode({ region: { x: 15, y: 0, width: 2, height: 1 } });
  const far = texture.decode({ region: { x: 8191, y: 8191, width: 1, height: 1 } });
  expect([...corner.data]).toEqual([0x40, 0x40, 0x40, 0x40, 0, 0, 0, 0]);
  expect([...far.data]).toEqual([0, 0, 0, 0]);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1 << 20);
});
