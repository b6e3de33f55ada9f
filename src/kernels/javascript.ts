// The plain JavaScript kernels: the fallback where WebAssembly is not to be had, and the baseline to beat.

import { decodeBgra } from './javascript/bgra.js';
import { decodeBlocks } from './javascript/blocks.js';
import { halve } from './javascript/halve.js';
import { decodePaletted } from './javascript/paletted.js';
import { jpeg, jpegAlphaPlane } from './jpeg-javascript.js';
import type { Kernels } from './kernels.js';

export const javascriptKernels: Kernels = {
  name: 'javascript',
  blocks: decodeBlocks,
  paletted: decodePaletted,
  bgra: decodeBgra,
  halve,
  jpeg,
  jpegAlphaPlane,
};
