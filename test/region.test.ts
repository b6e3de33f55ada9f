// A region is the crop of the whole level, for every encoding, level and kernel.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExpectedFixture } from '../fixtures/generate/fixture.js';
import { type BlpTexture, encode, parse } from '../src/index.js';
import type { Kernels } from '../src/kernels/kernels.js';
import { expectSamePicture } from './reference/compare.js';
import { errorOf } from './reference/errors.js';
import {
  findRealTextures,
  fixturesFolder,
  readBytes,
  readTextureManifest,
} from './reference/files.js';
import { implementations } from './reference/kernels.js';
import { crop, type Picture } from './reference/pixels.js';

const fixtures = JSON.parse(
  readFileSync(join(fixturesFolder, 'expected.json'), 'utf8'),
) as ExpectedFixture[];

/** Small fixtures show no strip that ends inside a picture, so that some real ones are added where they are at hand. */
const { folder, note } = findRealTextures('textures');
const large = readTextureManifest(folder)
  .filter(({ levels }) => (levels[0]?.width ?? 0) * (levels[0]?.height ?? 0) >= 128 * 64)
  .map(({ name }) => name);

const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

/** A level and a rectangle inside it, whatever the level's sides. */
function regionOf(
  texture: BlpTexture,
  levelShare: number,
  [x, y, width, height]: readonly number[],
): { level: number; region: { x: number; y: number; width: number; height: number } } {
  const level = Math.floor(levelShare * texture.levels.length);
  const sides = texture.levels[level];
  const left = Math.floor(x * sides.width);
  const top = Math.floor(y * sides.height);
  return {
    level,
    region: {
      x: left,
      y: top,
      width: 1 + Math.floor(width * (sides.width - left)),
      height: 1 + Math.floor(height * (sides.height - top)),
    },
  };
}

function expectCrops(name: string, texture: BlpTexture, kernels: Kernels, runs: number): void {
  const wholes = new Map<number, Picture>();
  const wholeOf = (level: number): Picture => {
    const known = wholes.get(level);
    if (known !== undefined) return known;
    const { width, height, data } = texture.decode({ level, kernels });
    const picture = { width, height, data: new Uint8Array(data) };
    wholes.set(level, picture);
    return picture;
  };
  fc.assert(
    fc.property(share, fc.tuple(share, share, share, share), (levelShare, corners) => {
      const { level, region } = regionOf(texture, levelShare, corners);
      const part = texture.decode({ level, region, kernels });
      const { x, y, width, height } = region;
      const label = `${name}-level${level}-${x},${y}-${width}x${height}-${kernels.name}`;
      expectSamePicture(label, part, crop(wholeOf(level), region));
    }),
    { numRuns: runs },
  );
}

describe.each(implementations)('$name kernels', (kernels) => {
  it.each(fixtures)('$name', ({ name, levelFiles }) => {
    const files = levelFiles?.map((file) => readBytes(fixturesFolder, file));
    const texture = parse(readBytes(fixturesFolder, name), files && { levelFiles: files });
    expectCrops(name, texture, kernels, 40);
  });

  it.skipIf(large.length === 0)(`large real textures${note}`, () => {
    for (const name of large) {
      const texture = parse(readBytes(folder, name));
      // jpeg-js decodes the whole picture for every region.
      const runs = texture.encoding !== 'jpeg' ? 30 : kernels.name === 'wasm' ? 8 : 2;
      expectCrops(name, texture, kernels, runs);
    }
  });
});

it.each(implementations)(
  'decides JPEG alpha by all of level 0, by the $name kernels',
  (kernels) => {
    // Alpha 0 in the upper half, which alone would be taken for opaque, and 255 in the lower half.
    const image = { width: 32, height: 32, data: new Uint8Array(32 * 32 * 4).fill(90) };
    for (let n = 0; n < 32 * 32; n++) image.data[n * 4 + 3] = n < 16 * 32 ? 0 : 255;
    const file = encode(image, { encoding: 'jpeg', quality: 100 });
    const alphas = (y: number): number[] => {
      const region = { x: 3, y, width: 8, height: 4 };
      const { data } = parse(file).decode({ region, kernels });
      return [...new Set(data.filter((_, n) => n % 4 === 3))];
    };
    expect(alphas(5)).toEqual([0]);
    expect(alphas(24)).toEqual([255]);
  },
);

it.each([
  { x: 0, y: 0, width: 0, height: 1 },
  { x: -1, y: 0, width: 2, height: 2 },
  { x: 60, y: 0, width: 5, height: 1 },
  { x: 0, y: 64, width: 1, height: 1 },
  { x: 0.5, y: 0, width: 1, height: 1 },
  { x: 0, y: 0, width: Number.NaN, height: 1 },
])('refuses %o of 64 × 64', (region) => {
  const texture = parse(readBytes(fixturesFolder, 'blp2-dxt5-alpha8.blp'));
  const { code, message } = errorOf(() => texture.decode({ region }));
  expect(code).toBe('argument');
  expect(message).toContain('64 × 64');
});
