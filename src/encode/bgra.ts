// RGBA texels → the level bytes of BGRA content.

import { selectKernels } from '../kernels/select.js';
import type { RgbaImage } from './options.js';

/** Swaps red and blue. Without alpha the fourth byte is 255, which readers that trust it also show opaque. */
export function encodeBgra({ width, height, data }: RgbaImage, opaque: boolean): Uint8Array {
  const source = new Uint8Array(data.buffer, data.byteOffset, data.length);
  const target = new Uint8Array(width * height * 4);
  // The swap is its own inverse.
  const region = { x: 0, y: 0, width, height };
  selectKernels().bgra(source, opaque, { width, height, region, target });
  return target;
}
