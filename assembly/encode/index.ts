// What the encode module exports, nothing else.
export { heapBase } from '../memory';
export { encodeDxt } from './dxt';
export { jpegCount, jpegEmit, jpegFlush } from './jpeg/huffman';
export {
  jpegBegin,
  jpegCodes,
  jpegCounts,
  jpegHalves,
  jpegReciprocals,
  jpegReset,
} from './jpeg/layout';
export { jpegPad, jpegTransform } from './jpeg/transform';
