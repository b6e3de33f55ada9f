// The JPEG encoder: transform and quantisation by a plain model, streams by an independent decoder, the shared header.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxJpegHeader } from '../../src/container/header.js';
import { encode } from '../../src/encode/encode.js';
import { encoderModule } from '../../src/encode/encoder-module.js';
import { encodeJpeg } from '../../src/encode/jpeg.js';
import { huffmanTable, quantisationSteps } from '../../src/encode/jpeg-tables.js';
import { decode, parse } from '../../src/index.js';
import { decodeJpegPlanes, inverseTransform } from '../reference/jpeg.js';
import type { Picture } from '../reference/pixels.js';
import { randomByteSource } from '../reference/random.js';
import { sameBytes, waves } from './pictures.js';

/** Rotations of the transform with 13 fraction bits: row k, column n is what sample n adds to frequency k. */
const rotations = Array.from({ length: 8 }, (_, k) =>
  Array.from({ length: 8 }, (_, n) => rotation(k, n)),
);

/**
 * libjpeg's accurate integer transform is linear between its two roundings: its constants, of which each is rounded on
 * its own, add up to these factors. Frequencies 0 and 4 take no multiplication.
 */
function rotation(k: number, n: number): number {
  const mirrored = n < 4 ? n : 7 - n;
  const sign = n < 4 || k % 2 === 0 ? 1 : -1;
  const factors: Record<number, number[]> = {
    0: [8192, 8192, 8192, 8192],
    4: [8192, -8192, -8192, 8192],
    2: [4433 + 6270, 4433, -4433, -4433 - 6270],
    6: [4433, 4433 - 15137, 15137 - 4433, -4433],
    // By t7, t6, t5, t4, the differences of samples 0 and 7, 1 and 6, 2 and 5, 3 and 4.
    1: [12299 - 7373 + 9633 - 3196, 9633, 9633 - 3196, -7373 + 9633],
    3: [9633, 25172 - 20995 + 9633 - 16069, -20995 + 9633, 9633 - 16069],
    5: [9633 - 3196, -20995 + 9633, 16819 - 20995 + 9633 - 3196, 9633],
    7: [-7373 + 9633, 9633 - 16069, 9633, 2446 - 7373 + 9633 - 16069],
  };
  return sign * factors[k][mirrored];
}

/** Samples of one block, row by row → quantised coefficients, row by row. */
function transformBlock(samples: number[], steps: Uint8Array): number[] {
  const rows: number[] = [];
  for (let y = 0; y < 8; y++) {
    for (let k = 0; k < 8; k++) {
      let sum = 0;
      for (let n = 0; n < 8; n++) sum += rotations[k][n] * (samples[y * 8 + n] - 128);
      // Two bits are kept below the point.
      rows.push(Math.floor((sum + 1024) / 2048));
    }
  }
  return Array.from({ length: 64 }, (_, at) => {
    let sum = 0;
    for (let n = 0; n < 8; n++) sum += rotations[at >> 3][n] * rows[n * 8 + (at & 7)];
    const value = Math.floor((sum + 16384) / 32768);
    const step = steps[at] * 8;
    const magnitude = Math.floor((Math.abs(value) + step / 2) / step);
    return value < 0 ? -magnitude : magnitude;
  });
}

/** Planes in the order of the stream, with the last column and row repeated to whole blocks. */
function blocksOf(picture: Picture, component: number): number[][] {
  const channel = [2, 1, 0, 3][component];
  const { width, height, data } = picture;
  const blocks: number[][] = [];
  for (let y = 0; y < height; y += 8) {
    for (let x = 0; x < width; x += 8) {
      blocks.push(
        Array.from({ length: 64 }, (_, at) => {
          const column = Math.min(x + (at & 7), width - 1);
          const row = Math.min(y + (at >> 3), height - 1);
          return data[(row * width + column) * 4 + channel];
        }),
      );
    }
  }
  return blocks;
}

/** What a decoder makes of the plane. */
function expectedPlane(picture: Picture, component: number, steps: Uint8Array): Uint8Array {
  const { width, height } = picture;
  const across = Math.ceil(width / 8);
  const blocks = blocksOf(picture, component).map((samples) =>
    inverseTransform(transformBlock(samples, steps).map((value, at) => value * steps[at])),
  );
  return Uint8Array.from({ length: width * height }, (_, texel) => {
    const x = texel % width;
    const y = Math.floor(texel / width);
    return blocks[(y >> 3) * across + (x >> 3)][(y & 7) * 8 + (x & 7)];
  });
}

function join({ header, levels }: ReturnType<typeof encodeJpeg>, level = 0): Uint8Array {
  return Uint8Array.from([...header, ...levels[level]]);
}

/** The two kinds of samples that drive the transform to its limits, noise, and a smooth picture. */
function pictureOf(kind: string, width: number, height: number, seed: number): Picture {
  if (kind === 'waves') return waves(width, height);
  const next = randomByteSource(seed);
  const data = Uint8Array.from({ length: width * height * 4 }, () => {
    const byte = next();
    if (kind === 'extremes') return byte & 1 ? 255 : 0;
    return kind === 'noise' ? byte : seed & 255;
  });
  return { width, height, data };
}

describe('stream', () => {
  it('holds the exact coefficients of every plane', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('waves', 'noise', 'extremes', 'flat'),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 100 }),
        fc.nat(0xffff),
        (kind, width, height, quality, seed) => {
          const picture = pictureOf(kind, width, height, seed);
          const steps = quantisationSteps(quality);
          const stream = join(encodeJpeg([picture], quality, false));
          const { planes, ...frame } = decodeJpegPlanes(stream);
          expect(frame).toMatchObject({ width, height, progressive: false });
          expect(planes.length).toBe(4);
          planes.forEach((plane, component) => {
            expect(sameBytes(plane, expectedPlane(picture, component, steps))).toBe(true);
          });
        },
      ),
      { numRuns: 60 },
    );
  });

  it('has an alpha plane of 255 without alpha', () => {
    const { planes } = decodeJpegPlanes(join(encodeJpeg([waves(20, 9)], 10, true)));
    expect(planes[3].every((value) => value === 255)).toBe(true);
  });

  it('is that of Warcraft III: four components from 0, no subsampling, no JFIF or Adobe marker', () => {
    const stream = join(encodeJpeg([waves(300, 9)], 90, false));
    const markers: number[] = [];
    let at = 2;
    for (; stream[at + 1] !== 0xda; at += 2 + stream[at + 2] * 256 + stream[at + 3]) {
      expect(stream[at]).toBe(0xff);
      markers.push(stream[at + 1]);
      if (stream[at + 1] !== 0xc0) continue;
      const frame = [8, 0, 9, 1, 44, 4, 0, 0x11, 0, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0];
      expect([...stream.subarray(at + 4, at + 22)]).toEqual(frame);
    }
    expect(markers[0]).toBe(0xdb);
    expect(markers.slice(1, -1).every((marker) => marker === 0xc4)).toBe(true);
    expect(markers[markers.length - 1]).toBe(0xc0);
    expect([...stream.subarray(-2)]).toEqual([0xff, 0xd9]);
  });

  it('does not depend on whether coded blocks are kept or made anew', () => {
    // Above 16 MiB of coded blocks they are not kept.
    const large = waves(1400, 1400);
    const side = 64;
    const small = {
      width: side,
      height: side,
      data: Uint8Array.from({ length: side * side * 4 }, (_, at) => {
        const row = Math.floor(at / (side * 4));
        return large.data[row * large.width * 4 + (at % (side * 4))];
      }),
    };
    const options = { version: 1, encoding: 'jpeg', mipmaps: false } as const;
    const region = { x: 0, y: 0, width: side, height: side };
    const corner = decode(encode(large, options), { region }).data;
    expect(sameBytes(corner, decode(encode(small, options)).data)).toBe(true);
  });
});

describe('quality', () => {
  it('scales the steps as libjpeg does', () => {
    expect([...quantisationSteps(50).subarray(0, 8)]).toEqual([16, 11, 10, 16, 24, 40, 51, 61]);
    expect([...quantisationSteps(90).subarray(0, 8)]).toEqual([3, 2, 2, 3, 5, 8, 10, 12]);
    expect([...quantisationSteps(25).subarray(0, 8)]).toEqual([32, 22, 20, 32, 48, 80, 102, 122]);
    expect(quantisationSteps(100).every((step) => step === 1)).toBe(true);
    expect(quantisationSteps(1).every((step) => step === 255)).toBe(true);
  });

  it('makes larger files and better pictures', () => {
    const picture = waves(128, 64);
    const results = [20, 50, 80, 95].map((quality) => {
      const file = encode(picture, { version: 1, quality, mipmaps: false });
      const { data } = decode(file);
      const error = data.reduce((sum, value, at) => sum + (value - picture.data[at]) ** 2, 0);
      return { size: file.length, error };
    });
    for (let at = 1; at < results.length; at++) {
      expect(results[at].size).toBeGreaterThan(results[at - 1].size);
      expect(results[at].error).toBeLessThan(results[at - 1].error);
    }
  });
});

describe('shared header', () => {
  it('is the longest common beginning, fits the game’s buffer, and leaves each level a byte', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('waves', 'noise', 'extremes', 'flat'),
        fc.integer({ min: 1, max: 70 }),
        fc.integer({ min: 1, max: 70 }),
        fc.integer({ min: 1, max: 100 }),
        (kind, width, height, quality) => {
          const picture = pictureOf(kind, width, height, width * height);
          const texture = parse(encode(picture, { version: 1, encoding: 'jpeg', quality }));
          const header = texture.jpegHeader;
          const bodies = texture.levels.map(({ bytes }) => bytes);
          expect(header.length).toBeLessThanOrEqual(maxJpegHeader);
          expect(Math.min(...bodies.map((body) => body.length))).toBeGreaterThan(0);
          const goesOn =
            header.length < maxJpegHeader &&
            bodies.every((body) => body.length > 1 && body[0] === bodies[0][0]);
          expect(goesOn).toBe(false);
          expect(texture.warnings).toEqual([]);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('holds the tables: levels begin inside the frame header', () => {
    const { header, levels } = encodeJpeg([waves(64, 64), waves(32, 32)], 90, false);
    // SOF0, its length, the precision, the high byte of the height.
    expect([...header.subarray(-6)]).toEqual([0xff, 0xc0, 0, 20, 8, 0]);
    expect(levels.map((level) => level[0])).toEqual([64, 32]);
  });
});

describe('Huffman tables', () => {
  /** Part of the code space that is used, in 65536ths. */
  const used = ({ lengths }: { lengths: number[] }): number =>
    lengths.reduce((sum, count, index) => sum + count * 2 ** (15 - index), 0);

  it('are complete but for the code of all ones, by rising length, at most 16 bits', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constant(0), fc.nat(10), fc.nat(1e6)), {
          minLength: 1,
          maxLength: 256,
        }),
        (counts) => {
          counts[0] ||= 1;
          const table = huffmanTable(counts);
          expect(table.lengths.length).toBe(16);
          const symbols = counts.flatMap((count, symbol) => (count > 0 ? [symbol] : []));
          expect([...table.symbols].sort((a, b) => a - b)).toEqual(symbols);
          expect(table.lengths.reduce((sum, count) => sum + count, 0)).toBe(symbols.length);
          const longest = table.lengths.reduce((last, count, at) => (count > 0 ? at : last), 0);
          // What is missing is one code of the greatest length that was in use.
          const missing = 65536 - used(table);
          expect([2 ** (15 - longest), 2 ** (14 - longest)]).toContain(missing);
          for (let at = 1; at < table.symbols.length; at++) {
            expect(counts[table.symbols[at]]).toBeLessThanOrEqual(counts[table.symbols[at - 1]]);
          }
        },
      ),
    );
  });

  it('gives known codes their known lengths', () => {
    // 1, 1, 2, 4 and the reserved symbol: lengths 4, 3, 2, 1.
    expect(huffmanTable([4, 2, 1, 1])).toEqual({
      lengths: [1, 1, 1, 1, ...new Array(12).fill(0)],
      symbols: [0, 1, 2, 3],
    });
    expect(huffmanTable([0, 7])).toEqual({
      lengths: [1, ...new Array(15).fill(0)],
      symbols: [1],
    });
  });

  it('keeps to 16 bits where the counts ask for more', () => {
    const fibonacci = [1, 1];
    while (fibonacci.length < 40) fibonacci.push(fibonacci.at(-1)! + fibonacci.at(-2)!);
    const table = huffmanTable(fibonacci);
    expect(table.symbols.length).toBe(40);
    expect(table.lengths[0]).toBe(1);
    expect(65536 - used(table)).toBe(1);
  });
});

describe('module', () => {
  it('is asked for no more memory than a row of the widest level needs', () => {
    encodeJpeg([{ width: 65535, height: 1, data: new Uint8Array(65535 * 4) }], 90, true);
    // 8192 blocks: 256 bytes of pixels, 2048 of entropy-coded bytes, 4 × 144 of coded blocks each.
    expect(encoderModule().bytes().length).toBeLessThan(8192 * 2880 + 17 * 1024 * 1024);
  });
});
