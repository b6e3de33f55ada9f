// What the kernel tests share: both implementations, seeded random bytes, and a target that notices stray writes.
import { javascriptKernels } from '../../src/kernels/javascript/kernels.js';
import type { Kernels, Region } from '../../src/kernels/kernels.js';
import { createWasmKernels } from '../../src/kernels/wasm/kernels.js';
import type { Picture } from './pixels.js';

/** The SIMD kernels and their plain twin. */
export const implementations: readonly Kernels[] = [createWasmKernels(), javascriptKernels];

/** A random rectangle inside a level. */
export function randomRegion(width: number, height: number, next: () => number): Region {
  const x = next() % width;
  const y = next() % height;
  return { x, y, width: 1 + (next() % (width - x)), height: 1 + (next() % (height - y)) };
}

/** The region that is the whole level. */
export function whole(width: number, height: number): Region {
  return { x: 0, y: 0, width, height };
}

const canary = 0xa5;

/**
 * Runs a kernel into the middle of a larger buffer and returns the picture.
 *
 * @param shift where the target begins, modulo 4: kernels must not depend on its alignment
 * @throws Error where bytes outside the target were written
 */
export function runInto(
  width: number,
  height: number,
  shift: number,
  run: (target: Uint8Array) => void,
): Picture {
  const before = 16 + (shift % 4);
  const size = width * height * 4;
  const buffer = new Uint8Array(before + size + 64).fill(canary);
  const target = buffer.subarray(before, before + size);
  run(target);
  const strays = (bytes: Uint8Array): boolean => bytes.some((byte) => byte !== canary);
  if (strays(buffer.subarray(0, before)) || strays(buffer.subarray(before + size))) {
    throw new Error(`a kernel wrote outside its target of ${width} × ${height}`);
  }
  return { width, height, data: new Uint8Array(target) };
}
