// Pictures for the encoder tests: random ones for fast-check, and smooth ones.
import fc from 'fast-check';
import type { Picture } from '../reference/pixels.js';
import { fillPicture } from '../reference/pixels.js';
import { randomByteSource } from '../reference/random.js';

/** How alpha is spread: whether a picture is opaque or binary decides which defaults apply. */
type AlphaKind = 'opaque' | 'binary' | 'graded' | 'clear';

/**
 * Any RGBA picture with sides 1 to 70: noise, few colours or gradients, with any kind of alpha. The data is a view of a
 * larger buffer, surrounded by other bytes.
 */
export const anyPicture: fc.Arbitrary<Picture> = fc
  .record({
    width: fc.integer({ min: 1, max: 70 }),
    height: fc.integer({ min: 1, max: 70 }),
    seed: fc.integer({ min: 1 }),
    colors: fc.constantFrom<'noise' | 'few' | 'smooth'>('noise', 'few', 'smooth'),
    alpha: fc.constantFrom<AlphaKind>('opaque', 'binary', 'graded', 'clear'),
  })
  .map(({ width, height, seed, colors, alpha }) => {
    const next = randomByteSource(seed);
    const few = Array.from({ length: 3 }, () => [next(), next(), next()] as const);
    const picture = fillPicture(width, height, (x, y) => {
      const [r, g, b] =
        colors === 'noise'
          ? [next(), next(), next()]
          : colors === 'few'
            ? few[next() % 3]
            : [(x * 255) / 70, (y * 255) / 70, ((x + y) * 255) / 140];
      const a = { opaque: 255, binary: next() & 1 ? 255 : 0, graded: next(), clear: 0 }[alpha];
      return [Math.floor(r), Math.floor(g), Math.floor(b), a];
    });
    return { width, height, data: insideNoise(picture.data, next) };
  });

function insideNoise(data: Uint8Array, next: () => number): Uint8Array {
  const margin = 4099;
  const buffer = Uint8Array.from({ length: data.length + 2 * margin }, next);
  buffer.set(data, margin);
  return buffer.subarray(margin, margin + data.length);
}

/** A smooth picture of many colours: waves of different lengths, alpha from left to right. */
export function waves(width: number, height: number): Picture {
  return fillPicture(width, height, (x, y) => [
    Math.round(127.5 + 127.5 * Math.sin(x / 9 + y / 31)),
    Math.round(127.5 + 127.5 * Math.sin(x / 23 - y / 7)),
    Math.round(127.5 + 127.5 * Math.cos((x + y) / 17)),
    Math.round((255 * x) / Math.max(1, width - 1)),
  ]);
}

/** Whether two pictures hold the same bytes. */
export function sameBytes(
  a: Uint8Array | Uint8ClampedArray,
  b: Uint8Array | Uint8ClampedArray,
): boolean {
  return Buffer.from(a.buffer, a.byteOffset, a.length).equals(new Uint8Array(b));
}
