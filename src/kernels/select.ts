// Which kernels are in use, and why: WebAssembly where it compiles, plain JavaScript otherwise.

import { javascriptKernels } from './javascript/kernels.js';
import type { Kernels } from './kernels.js';
import { createWasmKernels } from './wasm/kernels.js';

/** Which kernels decode, and the reason in words. */
export interface KernelsInUse {
  name: Kernels['name'];
  reason: string;
}

let selected: { kernels: Kernels; reason: string } | undefined;

/** The kernels of this thread; compiled at the first call. */
export function selectKernels(): Kernels {
  return select().kernels;
}

/**
 * Tells which kernels this thread uses: `wasm`, or `javascript` where SIMD is missing or the content
 * security policy forbids compilation (`script-src` without `'wasm-unsafe-eval'`).
 *
 * @example
 * ```ts
 * const { name, reason } = kernelsInUse();
 * if (name === 'javascript') console.info(`BLP decoding is slow here: ${reason}`);
 * ```
 */
export function kernelsInUse(): KernelsInUse {
  const { kernels, reason } = select();
  return { name: kernels.name, reason };
}

function select(): { kernels: Kernels; reason: string } {
  if (selected) return selected;
  try {
    selected = { kernels: createWasmKernels(), reason: 'the SIMD module compiled' };
  } catch (error) {
    // CompileError without SIMD or under a content security policy, ReferenceError without WebAssembly.
    const message = error instanceof Error ? error.message : String(error);
    selected = {
      kernels: javascriptKernels,
      reason: `the SIMD module cannot be used here: ${message}`,
    };
  }
  return selected;
}
