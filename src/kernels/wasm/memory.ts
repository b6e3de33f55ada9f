// Compiles an inlined WebAssembly module and holds its one memory, which only grows.

import { BlpError } from '../../errors.js';

const pageSize = 65536;

/** A running module with its memory. */
export interface WasmMemory<Exports> {
  readonly exports: Exports;
  readonly memory: WebAssembly.Memory;
  /** The whole memory as it is now; a view from before `ensure` may be detached. */
  bytes(): Uint8Array;
  /**
   * Makes the memory at least `total` bytes large.
   *
   * @throws BlpError `limit` when that is more than `limit`, or more than the engine gives
   */
  ensure(total: number, limit: number): void;
}

/**
 * The module's bytes out of the text that scripts/build-wasm.mjs writes: an alphabet of 89 characters, then
 * one character for each byte below 87, and for the others one of the last two characters of the alphabet, which add
 * 87 and 174, before it.
 */
export function moduleBytes(text: string): Uint8Array<ArrayBuffer> {
  const base = 87;
  const values = new Uint8Array(128);
  for (let value = 0; value < base + 2; value++) values[text.charCodeAt(value)] = value;
  const bytes = new Uint8Array(text.length);
  let length = 0;
  let shift = 0;
  for (let i = base + 2; i < text.length; i++) {
    const value = values[text.charCodeAt(i)];
    if (value < base) {
      bytes[length++] = value + shift;
      shift = 0;
    } else {
      shift = (value - base + 1) * base;
    }
  }
  return bytes.subarray(0, length);
}

/**
 * Compiles synchronously: browsers allow that up to 8 MB, and the modules are a hundredth of it.
 *
 * @param text the module, inlined as text so that no bundler, worker or content security policy loses a file
 * @throws WebAssembly.CompileError where SIMD is missing or the content security policy forbids compilation
 */
export function instantiate<Exports extends object>(text: string): WasmMemory<Exports> {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(moduleBytes(text)), {});
  const exports = instance.exports as Exports & { memory: WebAssembly.Memory };
  const { memory } = exports;
  let bytes = new Uint8Array(memory.buffer);
  return {
    exports,
    memory,
    bytes: () => {
      if (bytes.buffer !== memory.buffer) bytes = new Uint8Array(memory.buffer);
      return bytes;
    },
    ensure: (total, limit) => {
      // Asked first, so that a limit holds whether or not an earlier decode has grown the memory.
      if (total > limit) {
        throw new BlpError(
          'limit',
          `decoding takes ${total} bytes of WebAssembly memory, allowed are ${limit} (limits.maxWasmMemory)`,
        );
      }
      if (total <= memory.buffer.byteLength) return;
      try {
        memory.grow(Math.ceil((total - memory.buffer.byteLength) / pageSize));
      } catch {
        throw new BlpError(
          'limit',
          `the engine has no ${total} bytes of WebAssembly memory to give`,
        );
      }
    },
  };
}
