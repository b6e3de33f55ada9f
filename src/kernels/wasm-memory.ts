// Compiles an inlined WebAssembly module and holds its one memory, which only grows.

import { BlpError } from '../errors.js';

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
 * Compiles synchronously: browsers allow that up to 8 MB, and the modules are a thousandth of it.
 *
 * @param base64 the module, inlined as text so that no bundler, worker or content security policy loses a file
 * @throws WebAssembly.CompileError where SIMD is missing or the content security policy forbids compilation
 */
export function instantiate<Exports extends object>(base64: string): WasmMemory<Exports> {
  const binary = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const instance = new WebAssembly.Instance(new WebAssembly.Module(binary), {});
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
