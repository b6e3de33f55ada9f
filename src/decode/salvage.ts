// Levels cut short: decode what is there, leave the rest transparent black.

import { blockSize } from '../container/header.js';
import { levelBytes } from '../container/sides.js';
import type { Destination } from '../kernels/kernels.js';
import type { LevelRequest } from './request.js';

/**
 * Runs a kernel on the level's bytes, completed with zeros where the level is cut short, and clears the texels that
 * the bytes do not reach.
 */
export function decodeWhatIsThere(
  request: LevelRequest,
  alphaBits: number,
  run: (bytes: Uint8Array) => void,
): void {
  const { header, level, destination } = request;
  const needed = levelBytes(header, level.width, level.height, alphaBits);
  if (level.bytes.length >= needed) {
    run(level.bytes);
    return;
  }
  run(complete(level.bytes, needed));
  const size = blockSize(header.encoding);
  if (size !== undefined) {
    clearFrom(destination, 4, Math.floor(level.bytes.length / size));
  } else {
    const texelSize = header.encoding === 'bgra' ? 4 : 1;
    clearFrom(destination, 1, Math.floor(level.bytes.length / texelSize));
  }
}

/** Completed levels, kept as long as their texture: a picture in strips would copy them anew for each strip. */
const completions = new WeakMap<Uint8Array, Uint8Array>();

function complete(bytes: Uint8Array, needed: number): Uint8Array {
  const known = completions.get(bytes);
  if (known?.length === needed) return known;
  const completed = new Uint8Array(needed);
  completed.set(bytes);
  completions.set(bytes, completed);
  return completed;
}

/** Clears the texels of every cell, a square of `side` texels counted row by row, from number `first` on. */
function clearFrom(destination: Destination, side: number, first: number): void {
  const { width, region, target } = destination;
  const cellsPerRow = Math.ceil(width / side);
  for (let y = 0; y < region.height; y++) {
    const cellRow = Math.floor((region.y + y) / side);
    // The first texel of this row that belongs to a missing cell.
    const from = Math.max(0, (first - cellRow * cellsPerRow) * side - region.x);
    if (from >= region.width) continue;
    target.fill(0, (y * region.width + from) * 4, (y + 1) * region.width * 4);
  }
}
