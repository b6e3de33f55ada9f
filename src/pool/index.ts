// The public API of blp-wasm/pool, re-exports only.

export {
  type DecodeManyOptions,
  type DecodeResult,
  type DecodeSource,
  decodeMany,
  type SourceFiles,
} from './decode-many.js';
export { PoolError, type PoolErrorCode } from './errors.js';
