// What the decode module exports, nothing else.

export { decodeBc5 } from './decode/bc5';
export { decodeBgra, makeOpaque } from './decode/bgra';
export { decodeDxt1, decodeDxt3, decodeDxt5, prepareBlocks } from './decode/dxt';
export * from './decode/jpeg';
export {
  decodePalette0,
  decodePalette1,
  decodePalette4,
  decodePalette8,
  setPalette,
} from './decode/palette';
export { heapBase } from './memory';
export { halveRows, halveRowsWeighted } from './mipmap';
