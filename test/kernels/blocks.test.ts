// DXT1, DXT3, DXT5 and BC5 kernels against values worked out by hand, the plain decoder and each other.
import { describe, expect, it } from 'vitest';
import type { BlockFormat, Kernels, Region } from '../../src/kernels/kernels.js';
import { expectSamePicture } from '../reference/compare.js';
import { implementations, randomRegion, runInto, whole } from '../reference/kernels.js';
import { blocks, crop, type Picture } from '../reference/pixels.js';
import { randomBytes, randomNumbers } from '../reference/random.js';

const formats: readonly BlockFormat[] = ['dxt1', 'dxt3', 'dxt5', 'bc5'];
const blockSizes: Record<BlockFormat, number> = { dxt1: 8, dxt3: 16, dxt5: 16, bc5: 16 };

function decode(
  kernels: Kernels,
  format: BlockFormat,
  source: Uint8Array,
  opaque: boolean,
  width: number,
  height: number,
  region: Region = whole(width, height),
): Picture {
  return runInto(region.width, region.height, width, (target) => {
    kernels.blocks(format, source, opaque, { width, height, region, target });
  });
}

/** Decodes by both implementations and the plain decoder, which all must agree. */
function expectAgreement(
  name: string,
  format: BlockFormat,
  source: Uint8Array,
  opaque: boolean,
  width: number,
  height: number,
): void {
  const expected = blocks(format, source, opaque, width, height);
  for (const kernels of implementations) {
    const actual = decode(kernels, format, source, opaque, width, height);
    expectSamePicture(`${name}-${kernels.name}`, actual, expected);
  }
}

describe.each(implementations)('$name kernels, values by hand', (kernels) => {
  const texels = (format: BlockFormat, bytes: number[], opaque = false): number[][] => {
    const { data } = decode(kernels, format, Uint8Array.from(bytes), opaque, 4, 4);
    return Array.from({ length: 16 }, (_, n) => [...data.subarray(n * 4, n * 4 + 4)]);
  };
  // Indices 0, 1, 2, 3 in every row.
  const allIndices = [0xe4, 0xe4, 0xe4, 0xe4];
  const redBlue = [0x00, 0xf8, 0x1f, 0x00, ...allIndices];
  const blueRed = [0x1f, 0x00, 0x00, 0xf8, ...allIndices];

  it('mixes thirds of two endpoints where the first is larger', () => {
    expect(texels('dxt1', redBlue).slice(0, 4)).toEqual([
      [255, 0, 0, 255],
      [0, 0, 255, 255],
      [170, 0, 85, 255],
      [85, 0, 170, 255],
    ]);
  });

  it('takes the half and transparent black where the first endpoint is smaller', () => {
    const expected = [
      [0, 0, 255, 255],
      [255, 0, 0, 255],
      [127, 0, 127, 255],
    ];
    expect(texels('dxt1', blueRed).slice(0, 4)).toEqual([...expected, [0, 0, 0, 0]]);
    expect(texels('dxt1', blueRed, true).slice(0, 4)).toEqual([...expected, [0, 0, 0, 255]]);
  });

  it('takes the three-colour mode where both endpoints are equal', () => {
    // 0x8410 is 16, 32, 16 of 31, 63, 31: 132, 130, 132 after bit replication.
    const equal = texels('dxt1', [0x10, 0x84, 0x10, 0x84, ...allIndices]).slice(0, 4);
    expect(equal).toEqual([
      [132, 130, 132, 255],
      [132, 130, 132, 255],
      [132, 130, 132, 255],
      [0, 0, 0, 0],
    ]);
  });

  it('rounds thirds down', () => {
    // Blue 1 → 8 and 0 → 0: 16 / 3 = 5.33 and 8 / 3 = 2.67.
    const expected = [8, 0, 5, 2];
    expect(
      texels('dxt1', [0x01, 0, 0, 0, ...allIndices])
        .slice(0, 4)
        .map((t) => t[2]),
    ).toEqual(expected);
  });

  it('always has four colours in DXT3 and DXT5', () => {
    const alpha = new Array<number>(8).fill(0xff);
    for (const format of ['dxt3', 'dxt5'] as const) {
      const colors = texels(format, [...alpha, ...blueRed], true).slice(0, 4);
      expect(colors).toEqual([
        [0, 0, 255, 255],
        [255, 0, 0, 255],
        [85, 0, 170, 255],
        [170, 0, 85, 255],
      ]);
    }
  });

  it('widens the nibbles of DXT3 by 17, low nibble first', () => {
    const bytes = [0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe];
    const alpha = texels('dxt3', [...bytes, ...redBlue]).map((texel) => texel[3]);
    expect(alpha).toEqual(Array.from({ length: 16 }, (_, n) => n * 17));
  });

  it('interpolates DXT5 alpha in sevenths or fifths, rounded down', () => {
    // Indices 0 to 7, twice: each is three bits, the first in the lowest.
    const indices = [0x88, 0xc6, 0xfa, 0x88, 0xc6, 0xfa];
    const alpha = (a0: number, a1: number): number[] =>
      texels('dxt5', [a0, a1, ...indices, ...redBlue])
        .slice(0, 8)
        .map((texel) => texel[3]);
    expect(alpha(255, 0)).toEqual([255, 0, 218, 182, 145, 109, 72, 36]);
    expect(alpha(0, 255)).toEqual([0, 255, 51, 102, 153, 204, 0, 255]);
    expect(alpha(100, 100)).toEqual([100, 100, 100, 100, 100, 100, 0, 255]);
    expect(alpha(11, 10)).toEqual([11, 10, 10, 10, 10, 10, 10, 10]);
  });

  it('puts the two channels of BC5 into red and green', () => {
    const zeros = [0, 0, 0, 0, 0, 0];
    const decoded = texels('bc5', [200, 0, ...zeros, 90, 100, ...zeros]);
    expect(decoded).toEqual(Array.from({ length: 16 }, () => [200, 90, 0, 255]));
    const alsoOpaque = texels('bc5', [200, 0, ...zeros, 90, 100, ...zeros], true);
    expect(alsoOpaque).toEqual(decoded);
  });
});

describe('exhaustive colours', () => {
  /** Lays blocks out 64 to a row. */
  const compare = (name: string, format: BlockFormat, list: number[][], opaque: boolean): void => {
    const size = blockSizes[format];
    const rows = Math.ceil(list.length / 64);
    const source = new Uint8Array(rows * 64 * size);
    list.forEach((bytes, n) => {
      source.set(bytes, n * size + size - bytes.length);
    });
    expectAgreement(name, format, source, opaque, 256, rows * 4);
  };
  const shifts = { red: 11, green: 5, blue: 0 };
  const bits = { red: 5, green: 6, blue: 5 };

  describe.each(['red', 'green', 'blue'] as const)('%s', (channel) => {
    // Every pair of values; another channel decides which endpoint is larger. Nothing is above red, so that its
    // own order decides where it differs.
    const steering = channel === 'green' ? 'red' : 'green';
    const pairs = (firstIsLarger: boolean): number[][] => {
      const count = 2 ** bits[channel];
      const low = channel === 'red' ? 0 : 3 * 2 ** shifts[steering];
      const high = low + 2 ** shifts[steering];
      const list: number[][] = [];
      for (let a = 0; a < count; a++) {
        for (let b = 0; b < count; b++) {
          const c0 = a * 2 ** shifts[channel] + (firstIsLarger ? high : low);
          const c1 = b * 2 ** shifts[channel] + (firstIsLarger ? low : high);
          list.push([c0 % 256, c0 >> 8, c1 % 256, c1 >> 8, 0xe4, 0x1b, 0xb1, 0x4e]);
        }
      }
      return list;
    };

    it.each(formats.filter((format) => format !== 'bc5'))(
      '%s, every pair of endpoints',
      (format) => {
        for (const firstIsLarger of [true, false]) {
          const list = pairs(firstIsLarger);
          compare(`${format}-${channel}-${firstIsLarger}`, format, list, false);
          compare(`${format}-${channel}-${firstIsLarger}-opaque`, format, list, true);
        }
      },
    );
  });

  it('steers both modes of DXT1', () => {
    // The test above would say little if all its blocks were of one mode.
    const three = [0x00, 0x00, 0x20, 0x00, 0xff, 0xff, 0xff, 0xff];
    const four = [0x20, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff];
    expect(blocks('dxt1', Uint8Array.from(three), false, 1, 1).data[3]).toBe(0);
    expect(blocks('dxt1', Uint8Array.from(four), false, 1, 1).data[3]).toBe(255);
  });
});

describe('exhaustive gradients', () => {
  // 65536 blocks: every pair of endpoints, and every index twice in each.
  const indices = [0x88, 0xc6, 0xfa, 0x77, 0x39, 0x05];
  const pair = (n: number): number[] => [n >> 8, n & 255, ...indices];

  it('has every index twice', () => {
    const source = Uint8Array.from([...pair(0xff00), ...new Array<number>(8).fill(0)]);
    const alpha = blocks('dxt5', source, false, 4, 4).data.filter((_, n) => n % 4 === 3);
    expect([...alpha].sort((a, b) => a - b)).toEqual(
      [0, 36, 72, 109, 145, 182, 218, 255].flatMap((value) => [value, value]),
    );
  });

  it.each(['dxt5', 'bc5'] as const)('%s, every a0, a1 and index', (format) => {
    const source = new Uint8Array(65536 * 16);
    for (let n = 0; n < 65536; n++) {
      source.set(pair(n), n * 16);
      // The second channel of BC5 sees every pair as well, in another order.
      if (format === 'bc5') source.set(pair((n * 40503) & 0xffff), n * 16 + 8);
    }
    expectAgreement(`${format}-gradients`, format, source, false, 1024, 1024);
  });
});

describe.each(formats)('%s', (format) => {
  it('agrees on random blocks', () => {
    const next = randomNumbers(11);
    for (const opaque of [false, true]) {
      const source = randomBytes(128 * 128 * blockSizes[format], next);
      expectAgreement(`${format}-random-${opaque}`, format, source, opaque, 512, 512);
    }
  });

  it('agrees on every width and height from 1 to 40, and on a region of each', () => {
    const next = randomNumbers(12);
    for (let width = 1; width <= 40; width++) {
      for (let height = 1; height <= 40; height++) {
        const count = Math.ceil(width / 4) * Math.ceil(height / 4);
        const source = randomBytes(count * blockSizes[format], next);
        const opaque = next() % 2 === 0;
        const expected = blocks(format, source, opaque, width, height);
        const region = randomRegion(width, height, next);
        const part = crop(expected, region);
        for (const kernels of implementations) {
          const name = `${format}-${width}x${height}-${kernels.name}`;
          expectSamePicture(name, decode(kernels, format, source, opaque, width, height), expected);
          expectSamePicture(
            `${name}-region`,
            decode(kernels, format, source, opaque, width, height, region),
            part,
          );
        }
      }
    }
  });

  it('agrees on levels as wide or as high as they can be', () => {
    const next = randomNumbers(13);
    for (const [width, height] of [
      [65535, 5],
      [5, 65535],
    ] as const) {
      const count = Math.ceil(width / 4) * Math.ceil(height / 4);
      const source = randomBytes(count * blockSizes[format], next);
      const region = { x: width >> 1, y: height >> 1, width: 3, height: 3 };
      const expected = blocks(format, source, false, width, height);
      for (const kernels of implementations) {
        const name = `${format}-${width}x${height}-${kernels.name}`;
        expectSamePicture(name, decode(kernels, format, source, false, width, height), expected);
        expectSamePicture(
          `${name}-region`,
          decode(kernels, format, source, false, width, height, region),
          crop(expected, region),
        );
      }
    }
  });

  it('ignores bytes past the last block', () => {
    const next = randomNumbers(14);
    const needed = randomBytes(4 * blockSizes[format], next);
    const longer = Uint8Array.from([...needed, ...randomBytes(40, next)]);
    const expected = blocks(format, needed, false, 7, 6);
    for (const kernels of implementations) {
      expectSamePicture(
        `${format}-${kernels.name}`,
        decode(kernels, format, longer, false, 7, 6),
        expected,
      );
    }
  });
});
