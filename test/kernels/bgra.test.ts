// BGRA kernels against values worked out by hand, the plain decoder and each other.
import { expect, it } from 'vitest';
import type { Kernels, Region } from '../../src/kernels/kernels.js';
import { expectSamePicture } from '../reference/compare.js';
import { implementations, randomRegion, runInto, whole } from '../reference/kernels.js';
import { bgra, crop, type Picture } from '../reference/pixels.js';
import { randomBytes, randomNumbers } from '../reference/random.js';

function decode(
  kernels: Kernels,
  source: Uint8Array,
  opaque: boolean,
  width: number,
  height: number,
  region: Region = whole(width, height),
): Picture {
  return runInto(region.width, region.height, width, (target) => {
    kernels.bgra(source, opaque, { width, height, region, target });
  });
}

it.each(implementations)('$name kernels swap blue and red', (kernels) => {
  const source = Uint8Array.of(1, 2, 3, 4, 250, 251, 252, 0);
  expect([...decode(kernels, source, false, 1, 2).data]).toEqual([3, 2, 1, 4, 252, 251, 250, 0]);
  expect([...decode(kernels, source, true, 1, 2).data]).toEqual([3, 2, 1, 255, 252, 251, 250, 255]);
});

it('agrees on every width and height from 1 to 40, and on a region of each', () => {
  const next = randomNumbers(51);
  for (let width = 1; width <= 40; width++) {
    for (let height = 1; height <= 40; height++) {
      const source = randomBytes(width * height * 4 + (next() % 3), next);
      const opaque = next() % 2 === 0;
      const expected = bgra(source, opaque, width, height);
      const region = randomRegion(width, height, next);
      const part = crop(expected, region);
      for (const kernels of implementations) {
        const name = `bgra-${width}x${height}-${kernels.name}`;
        expectSamePicture(name, decode(kernels, source, opaque, width, height), expected);
        expectSamePicture(
          `${name}-region`,
          decode(kernels, source, opaque, width, height, region),
          part,
        );
      }
    }
  }
});

it('agrees on pictures larger than any strip, and on regions of them', () => {
  const next = randomNumbers(52);
  for (const [width, height] of [
    [517, 301],
    [65535, 3],
    [3, 65535],
  ] as const) {
    for (const opaque of [false, true]) {
      const source = randomBytes(width * height * 4, next);
      const expected = bgra(source, opaque, width, height);
      for (const region of [whole(width, height), randomRegion(width, height, next)]) {
        for (const kernels of implementations) {
          expectSamePicture(
            `bgra-${width}x${height}-${kernels.name}`,
            decode(kernels, source, opaque, width, height, region),
            crop(expected, region),
          );
        }
      }
    }
  }
});
