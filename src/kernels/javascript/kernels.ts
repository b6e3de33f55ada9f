// The plain JavaScript kernels: the fallback where WebAssembly is not to be had, and the baseline to beat.

import type { Kernels } from '../kernels.js';
import { decodeBgra } from './bgra.js';
import { decodeBlocks } from './blocks.js';
import { halve } from './halve.js';
import { jpeg, jpegAlphaPlane } from './jpeg.js';
import { decodePaletted } from './paletted.js';

export const javascriptKernels: Kernels = {
  name: 'javascript',
  blocks: decodeBlocks,
  paletted: decodePaletted,
  bgra: decodeBgra,
  halve,
  jpeg,
  jpegAlphaPlane,
};
