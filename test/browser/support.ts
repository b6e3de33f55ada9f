// What the tests inside the page share: fetching files, hashing texels, both implementations of the kernels.
import { inject } from 'vitest';
import { javascriptKernels } from '../../src/kernels/javascript/kernels.js';
import type { Kernels } from '../../src/kernels/kernels.js';
import { createWasmKernels } from '../../src/kernels/wasm/kernels.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the server shows the real textures; empty where there are none. */
    realTextures: string;
  }
}

/** Where the server shows the real textures; empty where there are none. */
export const realTextures = inject('realTextures');

/** The SIMD kernels and their plain twin. */
export const implementations: readonly Kernels[] = [createWasmKernels(), javascriptKernels];

/** A file as the server shows it. */
export async function fetchBytes(path: string): Promise<Uint8Array> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** A text file. */
export async function fetchText(path: string): Promise<string> {
  return new TextDecoder().decode(await fetchBytes(path));
}

/** A committed fixture. */
export async function fetchFixture(name: string): Promise<Uint8Array> {
  return fetchBytes(`/fixtures/${name}`);
}

/** SHA-256 in hexadecimal. */
export async function sha256(data: BufferSource): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', data));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The largest difference between two samples. */
export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  let largest = 0;
  for (let at = 0; at < a.length; at++) largest = Math.max(largest, Math.abs(a[at] - b[at]));
  return largest;
}
