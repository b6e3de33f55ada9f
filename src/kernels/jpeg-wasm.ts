// JPEG through WebAssembly: not there yet.
import { BlpError } from '../errors.js';
import type { Kernels } from './kernels.js';
import type { WasmMemory } from './wasm-memory.js';

export function createJpegDecoder(
  _runtime: WasmMemory<object>,
): Pick<Kernels, 'jpeg' | 'jpegAlphaPlane'> {
  const refuse = (): never => {
    throw new BlpError('unsupported', 'JPEG content is not decoded yet');
  };
  return { jpeg: refuse, jpegAlphaPlane: refuse };
}
