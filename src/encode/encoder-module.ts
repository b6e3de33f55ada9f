// The compiled encoder: one instance, made on first use, and its memory, which only grows.

import { BlpError } from '../errors.js';
import { encodeModule } from '../kernels/generated/encode-module.js';
import { instantiate } from '../kernels/wasm/memory.js';

/** What the AssemblyScript module exports: functions on addresses in its memory. */
export type EncoderExports = Record<string, (...values: number[]) => number>;

/** The instance and a window on its memory. */
export interface EncoderModule {
  exports: EncoderExports;
  /** First address that the host may use, a multiple of 16. */
  base: number;
  /** The whole memory. Call it again after {@link EncoderModule.ensure}, which may replace the buffer. */
  bytes(): Uint8Array;
  /** Makes the memory at least `totalBytes` long, counted from address 0. */
  ensure(totalBytes: number): void;
}

let instance: EncoderModule | undefined;

function start(): EncoderModule {
  try {
    const { exports, bytes, ensure } = instantiate<EncoderExports>(encodeModule);
    return {
      exports,
      base: exports.heapBase(),
      bytes,
      ensure: (totalBytes) => ensure(totalBytes, Number.POSITIVE_INFINITY),
    };
  } catch (error) {
    throw new BlpError(
      'unsupported',
      `encoding needs WebAssembly with SIMD, which this environment does not offer or forbids (${error})`,
    );
  }
}

/**
 * The encoder's WebAssembly instance; compiled once per thread.
 *
 * @throws BlpError `unsupported` where WebAssembly or its SIMD instructions are not available.
 *
 * @example
 * ```ts
 * const { exports, base, bytes, ensure } = encoderModule();
 * ensure(base + source.length);
 * bytes().set(source, base);
 * ```
 */
export function encoderModule(): EncoderModule {
  instance ??= start();
  return instance;
}
