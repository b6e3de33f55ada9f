// Palette kernels against values worked out by hand, the plain decoder and each other.
import { describe, expect, it } from 'vitest';
import type { Kernels, Region } from '../../src/kernels/kernels.js';
import { expectSamePicture } from '../reference/compare.js';
import { implementations, randomRegion, runInto, whole } from '../reference/kernels.js';
import { crop, type Picture, paletted } from '../reference/pixels.js';
import { randomBytes, randomNumbers } from '../reference/random.js';

type AlphaBits = 0 | 1 | 4 | 8;
const depths: readonly AlphaBits[] = [0, 1, 4, 8];

function decode(
  kernels: Kernels,
  source: Uint8Array,
  palette: Uint8Array,
  alphaBits: AlphaBits,
  width: number,
  height: number,
  region: Region = whole(width, height),
): Picture {
  return runInto(region.width, region.height, width, (target) => {
    kernels.paletted(source, palette, alphaBits, { width, height, region, target });
  });
}

function sourceBytes(
  width: number,
  height: number,
  alphaBits: AlphaBits,
  next: () => number,
): Uint8Array {
  const area = width * height;
  return randomBytes(area + Math.ceil((area * alphaBits) / 8), next);
}

describe.each(implementations)('$name kernels, values by hand', (kernels) => {
  const palette = Uint8Array.of(1, 2, 3, 0, 40, 50, 60, 255);

  it('reads entries as blue, green, red and padding', () => {
    const { data } = decode(kernels, Uint8Array.of(0, 1), palette, 0, 2, 1);
    expect([...data]).toEqual([3, 2, 1, 255, 60, 50, 40, 255]);
  });

  it('makes indices past the palette black', () => {
    const { data } = decode(kernels, Uint8Array.of(1, 2, 255), palette, 0, 3, 1);
    expect([...data]).toEqual([60, 50, 40, 255, 0, 0, 0, 255, 0, 0, 0, 255]);
    const none = decode(kernels, Uint8Array.of(0, 255, 9, 77), new Uint8Array(0), 8, 2, 1);
    expect([...none.data]).toEqual([0, 0, 0, 9, 0, 0, 0, 77]);
  });

  it('unpacks alpha from the lowest bit on and scales it to 255', () => {
    const alphaOf = (bits: AlphaBits, list: number[], count: number): number[] => {
      const source = Uint8Array.from([...new Array<number>(count).fill(0), ...list]);
      const { data } = decode(kernels, source, palette, bits, count, 1);
      return Array.from({ length: count }, (_, n) => data[n * 4 + 3]);
    };
    expect(alphaOf(1, [0b00001101, 0b1], 9)).toEqual([255, 0, 255, 255, 0, 0, 0, 0, 255]);
    expect(alphaOf(4, [0x1f, 0x0a], 3)).toEqual([255, 17, 170]);
    expect(alphaOf(8, [0, 128, 255], 3)).toEqual([0, 128, 255]);
  });
});

describe.each(depths)('alpha of %i bits', (alphaBits) => {
  it('agrees on every width and height from 1 to 40, and on a region of each', () => {
    const next = randomNumbers(21 + alphaBits);
    for (let width = 1; width <= 40; width++) {
      for (let height = 1; height <= 40; height++) {
        const source = sourceBytes(width, height, alphaBits, next);
        const palette = randomBytes(next() % 4 === 0 ? (next() % 257) * 4 : 1024, next);
        const expected = paletted(source, palette, alphaBits, width, height);
        const region = randomRegion(width, height, next);
        const part = crop(expected, region);
        for (const kernels of implementations) {
          const name = `alpha${alphaBits}-${width}x${height}-${kernels.name}`;
          expectSamePicture(
            name,
            decode(kernels, source, palette, alphaBits, width, height),
            expected,
          );
          expectSamePicture(
            `${name}-region`,
            decode(kernels, source, palette, alphaBits, width, height, region),
            part,
          );
        }
      }
    }
  });

  it('agrees on pictures larger than any strip, and on regions of them', () => {
    const next = randomNumbers(31 + alphaBits);
    for (const [width, height] of [
      [517, 301],
      [65535, 3],
      [3, 65535],
    ] as const) {
      const source = sourceBytes(width, height, alphaBits, next);
      const palette = randomBytes(1024, next);
      const expected = paletted(source, palette, alphaBits, width, height);
      const regions = [whole(width, height), randomRegion(width, height, next)];
      for (const kernels of implementations) {
        for (const region of regions) {
          expectSamePicture(
            `alpha${alphaBits}-${width}x${height}-${kernels.name}`,
            decode(kernels, source, palette, alphaBits, width, height, region),
            crop(expected, region),
          );
        }
      }
    }
  });

  it('takes a palette cut inside an entry as without that entry', () => {
    const next = randomNumbers(41 + alphaBits);
    const source = sourceBytes(16, 16, alphaBits, next).map((byte) => byte & 15);
    for (const length of [1, 2, 3, 5, 18, 31]) {
      const palette = randomBytes(length, next);
      const expected = paletted(source, palette, alphaBits, 16, 16);
      for (const kernels of implementations) {
        expectSamePicture(
          `palette-of-${length}-${kernels.name}`,
          decode(kernels, source, palette, alphaBits, 16, 16),
          expected,
        );
      }
    }
  });
});

it('forgets the palette of the picture before', () => {
  for (const kernels of implementations) {
    const indices = Uint8Array.of(5, 200);
    decode(kernels, indices, new Uint8Array(1024).fill(77), 0, 2, 1);
    const { data } = decode(kernels, indices, new Uint8Array(4).fill(9), 0, 2, 1);
    expect([...data], kernels.name).toEqual([0, 0, 0, 255, 0, 0, 0, 255]);
  }
});
