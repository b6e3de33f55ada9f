// The compiled encoder: one instance, made on first use, and its memory, which only grows.

import { BlpError } from '../errors.js';
import encodeModule from '../kernels/generated/encode-module.js';

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

const PAGE_BYTES = 65_536;

let instance: EncoderModule | undefined;

function instantiate(): EncoderModule {
  let exports: EncoderExports;
  let memory: WebAssembly.Memory;
  try {
    const binary = atob(encodeModule);
    const code = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const all = new WebAssembly.Instance(new WebAssembly.Module(code)).exports;
    memory = all.memory as WebAssembly.Memory;
    exports = all as unknown as EncoderExports;
  } catch (error) {
    throw new BlpError(
      'unsupported',
      `encoding needs WebAssembly with SIMD, which this environment does not offer or forbids (${error})`,
    );
  }
  let view = new Uint8Array(memory.buffer);
  return {
    exports,
    base: exports.heapBase(),
    bytes: () => view,
    ensure(totalBytes) {
      const missing = totalBytes - memory.buffer.byteLength;
      if (missing <= 0) return;
      try {
        memory.grow(Math.ceil(missing / PAGE_BYTES));
      } catch {
        throw new BlpError('limit', `the encoder could not get ${totalBytes} bytes of memory`);
      }
      view = new Uint8Array(memory.buffer);
    },
  };
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
  instance ??= instantiate();
  return instance;
}
