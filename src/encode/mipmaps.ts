// One picture → the chain of ever smaller ones, by the 2 × 2 box filter.

import { levelSide } from '../container/sides.js';
import { selectKernels } from '../kernels/select.js';
import type { RgbaImage } from './options.js';

/**
 * Halves a picture again and again. Sides are rounded down and never fall below 1.
 *
 * @param levels how many pictures are wanted, the given one included, which is returned as it is.
 * @param weighted weight colour by alpha, so that what lies under transparent texels does not darken or tint edges;
 *   alpha itself is always a plain average.
 *
 * @example
 * ```ts
 * buildMipmaps({ width: 4, height: 2, data }, 3, true); // 4 × 2, 2 × 1, 1 × 1
 * ```
 */
export function buildMipmaps(image: RgbaImage, levels: number, weighted: boolean): RgbaImage[] {
  const kernels = selectKernels();
  const chain: RgbaImage[] = [image];
  for (let level = 1; level < levels; level++) {
    const source = chain[level - 1];
    const width = levelSide(image.width, level);
    const height = levelSide(image.height, level);
    const data = new Uint8Array(width * height * 4);
    kernels.halve(source.data, source.width, source.height, weighted, data);
    chain.push({ width, height, data });
  }
  return chain;
}
