// What the encode module exports, nothing else.
export { heapBase } from '../memory';
export { encodeDxt } from './dxt';
