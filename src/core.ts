// The small entry: decoding alone, built into one file without the JPEG fallback for pages that forbid WebAssembly.

export type { BlpHeader, Encoding } from './container/header.js';
export type { LevelFiles } from './container/slots.js';
export type { AlphaMode } from './decode/request.js';
export { BlpError, type BlpErrorCode } from './errors.js';
export type { GpuFormat } from './gpu.js';
export type { Region } from './kernels/kernels.js';
export { type KernelsInUse, kernelsInUse } from './kernels/select.js';
export { defaultLimits, type Limits } from './limits.js';
export {
  type BlpLevel,
  BlpTexture,
  type DecodeOptions,
  decode,
  type Image,
  type LevelOptions,
  type ParseOptions,
  parse,
} from './texture.js';
export type { BlpWarning, WarningCode, WarningSink } from './warnings.js';
