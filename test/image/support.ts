// Pictures to write, and the other programs that read them back.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import fc from 'fast-check';
import type { Image, TextureSource } from '../../src/image/image.js';
import { randomByteSource } from '../reference/random.js';

// Debian's ImageMagick by its own path: a wrapper of the same name may stand before it.
const magick = '/usr/bin/convert';

/** Whether ImageMagick can be asked; tests that need it are skipped otherwise. */
export const hasMagick = existsSync(magick);
if (!hasMagick) console.warn(`skipping comparisons with ImageMagick: there is no ${magick}`);

/** Converts between formats by ImageMagick; `rgba:-` as output gives bare 8-bit RGBA. */
export function convert(input: Uint8Array, ...args: readonly string[]): Uint8Array {
  return execFileSync(magick, args, {
    input,
    maxBuffer: 1 << 28,
    // Its threads cost more than they bring on pictures this small.
    env: { ...process.env, OMP_NUM_THREADS: '1' },
  });
}

/** What ImageMagick sees in a file of the given format. */
export function magickPixels(file: Uint8Array, format: string): Uint8Array {
  return convert(file, `${format}:-`, '-depth', '8', 'rgba:-');
}

/** A picture in which runs, gradients and noise all occur, with colour under transparent texels. */
export function testImage(width: number, height: number, seed = 1): Image {
  const data = new Uint8ClampedArray(width * height * 4);
  const random = randomByteSource(seed);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4;
      const area = ((x >> 3) + (y >> 2)) % 3;
      if (area === 0) data.set([200, 100, 50, 255], at);
      else if (area === 1) data.set([x * 3, y * 5, x + y, 255 - x], at);
      else data.set([random(), random(), random(), random() & 1 ? 0 : random()], at);
    }
  }
  return { width, height, data };
}

/** Any picture of up to 40 × 40: few colours make runs, many make noise. */
export const anyImage: fc.Arbitrary<Image> = fc
  .record({
    width: fc.integer({ min: 1, max: 40 }),
    height: fc.integer({ min: 1, max: 40 }),
    colors: fc.array(fc.integer({ min: 0, max: 0xffffffff }), { minLength: 1, maxLength: 6 }),
    picks: fc.array(fc.nat(), { minLength: 1, maxLength: 200 }),
  })
  .map(({ width, height, colors, picks }) => {
    const data = new Uint8ClampedArray(width * height * 4);
    const view = new DataView(data.buffer);
    for (let index = 0; index < width * height; index++) {
      const pick = picks[(index * 7 + (index >> 5)) % picks.length]!;
      view.setUint32(index * 4, colors[pick % colors.length]!);
    }
    return { width, height, data };
  });

/**
 * Where two byte arrays differ first, undefined when they are equal; `toEqual` takes seconds on pictures.
 *
 * @example expect(difference(found, expected)).toBeUndefined()
 */
export function difference(
  found: Uint8Array | Uint8ClampedArray,
  expected: Uint8Array | Uint8ClampedArray,
): string | undefined {
  if (found.length !== expected.length) return `${found.length} bytes, not ${expected.length}`;
  const at = found.findIndex((byte, index) => byte !== expected[index]);
  return at < 0 ? undefined : `byte ${at} is ${found[at]}, not ${expected[at]}`;
}

/** The same picture as plain bytes, for comparisons. */
export const bytesOf = (image: Image): Uint8Array => new Uint8Array(image.data);

/** A texture of pictures, as BGRA, JPEG and paletted ones look to the writers. */
export function pictureSource(levels: readonly Image[]): TextureSource {
  return {
    width: levels[0]!.width,
    height: levels[0]!.height,
    encoding: 'bgra',
    alphaBits: 8,
    levels: levels.map(({ width, height }) => ({ width, height, bytes: new Uint8Array(0) })),
    decodeLevel: (level) => levels[level]!,
  };
}

/** A texture of blocks; asking it for pixels is a fault of the writer. */
export function blockSource(
  encoding: 'dxt1' | 'dxt3' | 'dxt5' | 'bc5',
  width: number,
  height: number,
  alphaBits = 8,
): TextureSource {
  const levels = [];
  for (let level = 0; ; level++) {
    const sides = { width: Math.max(1, width >> level), height: Math.max(1, height >> level) };
    const blocks = Math.ceil(sides.width / 4) * Math.ceil(sides.height / 4);
    const { data } = testImage(blocks, encoding === 'dxt1' ? 2 : 4, level + 7);
    levels.push({ ...sides, bytes: new Uint8Array(data) });
    if (sides.width === 1 && sides.height === 1) break;
  }
  return {
    width,
    height,
    encoding,
    alphaBits,
    levels,
    decodeLevel: () => {
      throw new Error('blocks must not be decoded');
    },
  };
}

/** Runs a reader over files that were cut and changed; whatever it throws must be the package's own error. */
export function damagedCopies(file: Uint8Array): fc.Arbitrary<Uint8Array> {
  return fc
    .record({
      length: fc.integer({ min: 0, max: file.length }),
      changes: fc.array(
        fc.record({ at: fc.nat(file.length - 1), value: fc.integer({ min: 0, max: 255 }) }),
        { maxLength: 4 },
      ),
      early: fc.boolean(),
    })
    .map(({ length, changes, early }) => {
      const copy = file.slice(0, early ? length : file.length);
      // Headers decide most: half of the changes go there.
      for (const [index, { at, value }] of changes.entries()) {
        copy[index % 2 === 0 ? at % 40 : at] = value;
      }
      return copy;
    });
}
