// What the decode module exports, nothing else.
export { heapBase } from './memory';
