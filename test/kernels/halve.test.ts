// The 2 × 2 box filter against values worked out by hand, the plain filter and each other.
import { describe, expect, it } from 'vitest';
import type { Kernels } from '../../src/kernels/kernels.js';
import { expectSamePicture } from '../reference/compare.js';
import { implementations, runInto } from '../reference/kernels.js';
import { halve, type Picture } from '../reference/pixels.js';
import { randomBytes, randomNumbers } from '../reference/random.js';

function run(kernels: Kernels, picture: Picture, weighted: boolean): Picture {
  const { width, height, data } = picture;
  const halfWidth = Math.max(1, width >> 1);
  const halfHeight = Math.max(1, height >> 1);
  return runInto(halfWidth, halfHeight, width, (target) => {
    kernels.halve(data, width, height, weighted, target);
  });
}

function expectAgreement(name: string, picture: Picture, weighted: boolean): void {
  const expected = halve(picture, weighted);
  for (const kernels of implementations) {
    expectSamePicture(`${name}-${kernels.name}`, run(kernels, picture, weighted), expected);
  }
}

/** Pictures of 2 × 2 texels side by side: each list holds the four texels of one of them. */
function quads(list: number[][][]): Picture {
  const width = list.length * 2;
  const data = new Uint8Array(width * 2 * 4);
  list.forEach((texels, n) => {
    texels.forEach((texel, i) => {
      data.set(texel, ((i >> 1) * width + n * 2 + (i & 1)) * 4);
    });
  });
  return { width, height: 2, data };
}

describe.each(implementations)('$name kernels, values by hand', (kernels) => {
  const texel = (picture: Picture, weighted: boolean): number[] => [
    ...run(kernels, picture, weighted).data,
  ];

  it('averages four texels, halves up', () => {
    const picture = quads([
      [
        [0, 1, 255, 0],
        [0, 0, 255, 0],
        [1, 1, 255, 3],
        [1, 0, 254, 4],
      ],
    ]);
    expect(texel(picture, false)).toEqual([1, 1, 255, 2]);
  });

  it('weights colour by alpha', () => {
    const picture = quads([
      [
        [200, 100, 0, 255],
        [10, 10, 10, 0],
        [10, 10, 10, 0],
        [100, 200, 50, 85],
      ],
    ]);
    // (200·255 + 100·85) / 340 = 175, (100·255 + 200·85) / 340 = 125, 50·85 / 340 = 12.5
    expect(texel(picture, true)).toEqual([175, 125, 13, 85]);
  });

  it('averages plainly where nothing is visible', () => {
    const picture = quads([
      [
        [10, 0, 0, 0],
        [20, 0, 0, 0],
        [30, 0, 0, 0],
        [40, 0, 0, 0],
      ],
    ]);
    expect(texel(picture, true)).toEqual([25, 0, 0, 0]);
  });

  it('reuses a side of one texel and drops an odd last row and column', () => {
    const column = {
      width: 1,
      height: 3,
      data: Uint8Array.of(8, 0, 0, 0, 4, 0, 0, 0, 99, 9, 9, 9),
    };
    expect(texel(column, false)).toEqual([6, 0, 0, 0]);
    const row = { width: 3, height: 1, data: column.data };
    expect(texel(row, false)).toEqual([6, 0, 0, 0]);
    const single = { width: 1, height: 1, data: Uint8Array.of(1, 2, 3, 4) };
    expect(texel(single, true)).toEqual([1, 2, 3, 4]);
  });
});

describe.each([
  { mode: 'plain', weighted: false },
  { mode: 'weighted', weighted: true },
])('$mode', ({ mode, weighted }) => {
  it('agrees on every width and height from 1 to 40', () => {
    const next = randomNumbers(61);
    for (let width = 1; width <= 40; width++) {
      for (let height = 1; height <= 40; height++) {
        const data = randomBytes(width * height * 4, next);
        // Alpha of 0 and 255 is common in textures and takes ways of its own.
        for (let n = 3; n < data.length; n += 4) {
          const kind = next() % 4;
          if (kind < 2) data[n] = kind * 255;
        }
        expectAgreement(`${mode}-${width}x${height}`, { width, height, data }, weighted);
      }
    }
  });

  it('agrees on the widest and the highest picture', () => {
    const next = randomNumbers(62);
    for (const [width, height] of [
      [65535, 3],
      [3, 65535],
    ] as const) {
      const data = randomBytes(width * height * 4, next);
      expectAgreement(`${mode}-${width}x${height}`, { width, height, data }, weighted);
    }
  });

  it('agrees on every combination of telling colours and alphas', () => {
    const colors = [0, 1, 127, 254, 255];
    const alphas = [0, 1, 2, 128, 255];
    // Both in every order over the four texels; red, green and blue see three different orders.
    const count = 625;
    const at = (list: number[], n: number, place: number): number =>
      list[Math.floor(n / 5 ** place) % 5];
    for (let part = 0; part < 25; part++) {
      const list: number[][][] = [];
      for (let a = part * 25; a < part * 25 + 25; a++) {
        for (let c = 0; c < count; c++) {
          list.push(
            [0, 1, 2, 3].map((place) => [
              at(colors, c, place),
              at(colors, c * 7 + 3, place),
              at(colors, c * 11 + a, place),
              at(alphas, a, place),
            ]),
          );
        }
      }
      expectAgreement(`${mode}-combinations-${part}`, quads(list), weighted);
    }
  });
});

it('rounds the weighted average at every limit between two results, for every sum of alphas', () => {
  // The result steps where the weighted sum passes a multiple of the alphas' sum less half of it. Both neighbours of
  // each step are tried; between them the result cannot change, since every operation on the way is monotonic.
  for (let sum = 1; sum <= 1020; sum++) {
    const list: number[][][] = [];
    const half = sum >> 1;
    for (const lowered of [half, half + 1]) {
      // A weight of `lowered` lies on colours one below the others. The two parts are split over two texels each.
      if (lowered > Math.min(510, sum) || sum - lowered > 510) continue;
      const alphas = [lowered, sum - lowered].flatMap((part) => [
        Math.min(255, part),
        part - Math.min(255, part),
      ]);
      for (let color = 1; color <= 255; color += 3) {
        const channels = [color, Math.min(255, color + 1), Math.min(255, color + 2)];
        list.push(
          alphas.map((alpha, n) => [
            ...channels.map((value) => (n < 2 ? value - 1 : value)),
            alpha,
          ]),
        );
      }
    }
    const picture = quads(list);
    expectAgreement(`weighted-sum-${sum}`, picture, true);
  }
});
