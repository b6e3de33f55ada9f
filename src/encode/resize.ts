// Scales or pads a picture to sides that are powers of two, as World of Warcraft demands.

import { BlpError } from '../errors.js';
import { checkImage, oneOf, type RgbaImage } from './options.js';

/**
 * How a picture gets its new sides, each side on its own:
 *
 * - `nearest`: scale to the nearest power of two (by ratio: 90 becomes 64, 91 becomes 128)
 * - `pad`: keep the texels, fill up to the next larger power of two with transparent black, at the right and below
 * - `stretch`: scale up to the next larger power of two
 */
export type ResizeMode = 'nearest' | 'pad' | 'stretch';

export const resizeModes: readonly ResizeMode[] = ['nearest', 'pad', 'stretch'];

/** The largest power of two that the header's sides can hold. */
const maxPower = 32768;

/** Added to every alpha (of 255) as a weight, so that wholly transparent areas keep their colours. */
const leastWeight = 1 / 1024;

/**
 * Brings both sides to powers of two. A picture that has such sides is returned as it is.
 *
 * Scaling is linear interpolation, widened to cover all texels when a side shrinks; colour is weighted by alpha.
 *
 * @throws BlpError `argument` for a bad picture or mode, or a side that would exceed 32768.
 *
 * @example
 * ```ts
 * const file = encode(resize({ width: 100, height: 60, data }, 'nearest')); // 128 × 64
 * ```
 */
export function resize(image: RgbaImage, mode: ResizeMode): RgbaImage {
  checkImage(image);
  oneOf('resize mode', mode, resizeModes);
  const power = mode === 'nearest' ? nearestPower : nextPower;
  const width = power(image.width);
  const height = power(image.height);
  if (width > maxPower || height > maxPower) {
    const message = `${image.width} × ${image.height} would become ${width} × ${height}; at most ${maxPower} is possible`;
    throw new BlpError('argument', message);
  }
  if (width === image.width && height === image.height) return image;
  return mode === 'pad' ? pad(image, width, height) : scale(image, width, height);
}

function nextPower(side: number): number {
  return 2 ** Math.ceil(Math.log2(side));
}

function nearestPower(side: number): number {
  return 2 ** Math.round(Math.log2(side));
}

function pad(image: RgbaImage, width: number, height: number): RgbaImage {
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < image.height; y++) {
    const row = image.data.subarray(y * image.width * 4, (y + 1) * image.width * 4);
    data.set(row, y * width * 4);
  }
  return { width, height, data };
}

function scale(image: RgbaImage, width: number, height: number): RgbaImage {
  const across = filter(image.width, width);
  const down = filter(image.height, height);
  // Rows first: each source row once, into weighted colours of the new width.
  const rows = new Float32Array(width * image.height * 4);
  const { data } = image;
  for (let y = 0; y < image.height; y++) {
    const row = y * image.width;
    for (let x = 0; x < width; x++) {
      const { first, weights } = across[x];
      let r = 0;
      let g = 0;
      let b = 0;
      let a = 0;
      for (let tap = 0; tap < weights.length; tap++) {
        const at = (row + first + tap) * 4;
        const weight = weights[tap] * (data[at + 3] + leastWeight);
        r += weight * data[at];
        g += weight * data[at + 1];
        b += weight * data[at + 2];
        a += weight;
      }
      rows.set([r, g, b, a], (y * width + x) * 4);
    }
  }
  const target = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    const { first, weights } = down[y];
    for (let x = 0; x < width; x++) {
      let r = 0;
      let g = 0;
      let b = 0;
      let a = 0;
      for (let tap = 0; tap < weights.length; tap++) {
        const at = ((first + tap) * width + x) * 4;
        r += weights[tap] * rows[at];
        g += weights[tap] * rows[at + 1];
        b += weights[tap] * rows[at + 2];
        a += weights[tap] * rows[at + 3];
      }
      const at = (y * width + x) * 4;
      target[at] = Math.round(r / a);
      target[at + 1] = Math.round(g / a);
      target[at + 2] = Math.round(b / a);
      target[at + 3] = Math.round(a - leastWeight);
    }
  }
  return { width, height, data: target };
}

/** Source texels from `first` on, and how much of each goes into one new texel; the weights add up to 1. */
interface Taps {
  first: number;
  weights: number[];
}

/** A triangle as wide as two texels, of the old or the new size, whichever is larger. */
function filter(from: number, to: number): Taps[] {
  const ratio = from / to;
  const radius = Math.max(1, ratio);
  return Array.from({ length: to }, (_, index) => {
    const centre = (index + 0.5) * ratio - 0.5;
    const first = Math.max(0, Math.ceil(centre - radius));
    const last = Math.min(from - 1, Math.floor(centre + radius));
    const weights: number[] = [];
    for (let at = first; at <= last; at++) {
      weights.push(Math.max(0, 1 - Math.abs(at - centre) / radius));
    }
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return { first, weights: weights.map((weight) => weight / sum) };
  });
}
