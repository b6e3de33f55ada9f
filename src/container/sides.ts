// How many levels there are, how large they are, and how many bytes their texels take.

import { blockBytes, blockFormat } from './blocks.js';
import type { Encoding } from './header.js';

/** Levels from the full picture down to 1 × 1 by the larger side. */
export function fullChainLength(width: number, height: number): number {
  return 32 - Math.clz32(Math.max(width, height));
}

/** A side of a level: halved per level, rounded down, never below 1. */
export function levelSide(side: number, level: number): number {
  return Math.max(1, side >> level);
}

/** World of Warcraft takes such sides only. */
export function isPowerOfTwo(side: number): boolean {
  return (side & (side - 1)) === 0;
}

/**
 * Bytes that the texels of a level take, without JPEG, which tells only when decoded.
 *
 * @param alphaBits of paletted content, as readers take them: 0, 1, 4 or 8
 */
export function levelBytes(
  encoding: Encoding,
  width: number,
  height: number,
  alphaBits: number,
): number {
  const format = blockFormat(encoding);
  // The last block of a row or column is whole even where the level ends inside it.
  if (format) return Math.ceil(width / 4) * Math.ceil(height / 4) * blockBytes[format];
  if (encoding === 'bgra') return width * height * 4;
  if (encoding === 'paletted') {
    return width * height + Math.ceil((width * height * alphaBits) / 8);
  }
  return 1;
}
