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
  const chain: RgbaImage[] = [image];
  while (chain.length < levels) chain.push(halve(chain[chain.length - 1], weighted));
  return chain;
}

/** The next smaller level; `weighted` as above. */
export function halve(image: RgbaImage, weighted: boolean): RgbaImage {
  const width = levelSide(image.width, 1);
  const height = levelSide(image.height, 1);
  const data = new Uint8Array(width * height * 4);
  selectKernels().halve(image.data, image.width, image.height, weighted, data);
  return { width, height, data };
}
