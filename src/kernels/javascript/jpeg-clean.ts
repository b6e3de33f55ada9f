// A clean copy of a JPEG stream for jpeg-js: nothing but what it needs for the coefficients.

import { concatenate } from '../../bytes.js';
import type { FrameComponent } from './jpeg-segments.js';

/** A piece of the copy; `scan` is the number of scans that need it. */
export interface Part {
  scan: number;
  bytes: Uint8Array;
}

/** The frame header with components 0, 1, …: jpeg-js mistakes components of one identifier for one. */
export function cleanFrame(
  code: number,
  parameters: Uint8Array,
  components: readonly FrameComponent[],
): Uint8Array {
  const clean = Uint8Array.from([0xff, code, 0, parameters.length + 2, ...parameters]);
  components.forEach(({ horizontal, vertical }, i) => {
    clean[10 + 3 * i] = i;
    clean[11 + 3 * i] = (horizontal << 4) | vertical;
  });
  return clean;
}

/** The scan header with the components' indices for their identifiers. */
export function cleanScan(parameters: Uint8Array, indices: readonly number[]): Uint8Array {
  const clean = Uint8Array.from([0xff, 0xda, 0, parameters.length + 2, ...parameters]);
  indices.forEach((index, i) => {
    clean[5 + 2 * i] = index;
  });
  return clean;
}

/** A stream of the first `scans` scans. */
export function cleanStream(parts: readonly Part[], scans: number): Uint8Array {
  const wanted = parts.filter(({ scan }) => scan <= scans).map(({ bytes }) => bytes);
  return concatenate([Uint8Array.of(0xff, 0xd8), ...wanted, Uint8Array.of(0xff, 0xd9)]);
}
