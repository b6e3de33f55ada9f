// The public API, re-exports only.

export type { AlphaBits } from './container/alpha.js';
export type { BlpHeader, Encoding } from './container/header.js';
export { type LevelFiles, levelExtension } from './container/slots.js';
export {
  type Blp0Files,
  type WriteFields,
  writeBlp,
  writeBlp0,
} from './container/write.js';
export type { AlphaMode } from './decode/request.js';
export { type CopiedBlocks, copyBlocks } from './encode/copy-blocks.js';
export { encode, encodeBlp0 } from './encode/encode.js';
export type {
  EncodeOptions,
  Preset,
  RgbaImage,
  WritableEncoding,
} from './encode/options.js';
export { type ResizeMode, resize } from './encode/resize.js';
export { BlpError, type BlpErrorCode } from './errors.js';
export {
  exactLevelBytes,
  type GpuFormat,
  opaqueBlocks,
  type WebGLFormat,
  webglFormat,
} from './gpu.js';
export type { BlockFormat, Region } from './kernels/kernels.js';
export { type KernelsInUse, kernelsInUse } from './kernels/select.js';
export { defaultLimits, type Limits } from './limits.js';
export {
  type AsyncDecodeOptions,
  decodeAsync,
  decodeStrips,
  type Strip,
  type StripOptions,
} from './strips.js';
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
export {
  type CodeEntry,
  codes as findingCodes,
  type Finding,
  type FindingCode,
  type Game,
  type Severity,
} from './validate/codes.js';
export { type RepairAction, type RepairResult, repair } from './validate/repair.js';
export { type ValidateOptions, validate } from './validate/validate.js';
export type { BlpWarning, WarningCode, WarningSink } from './warnings.js';
