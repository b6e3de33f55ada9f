// What level bytes are called on a GPU.

import type { Encoding } from './container/header.js';

/** WebGPU's names of the texture formats that BLP levels can be uploaded as. */
export type GpuFormat =
  | 'bc1-rgba-unorm'
  | 'bc2-rgba-unorm'
  | 'bc3-rgba-unorm'
  | 'bc5-rg-unorm'
  | 'bgra8unorm';

/** The format of each encoding's bytes as they are stored. */
export const gpuFormats: Readonly<Record<Encoding, GpuFormat | undefined>> = {
  dxt1: 'bc1-rgba-unorm',
  dxt3: 'bc2-rgba-unorm',
  dxt5: 'bc3-rgba-unorm',
  bc5: 'bc5-rg-unorm',
  bgra: 'bgra8unorm',
  paletted: undefined,
  jpeg: undefined,
};
