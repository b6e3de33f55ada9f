// Levels cut short: decode what is there, leave the rest transparent black.

import { blockBytes, blockFormat } from '../container/blocks.js';
import { levelBytes } from '../container/sides.js';
import type { Destination } from '../kernels/kernels.js';
import type { LevelRequest } from './request.js';

/**
 * Runs a kernel on the level's bytes. Where the level is cut short it gets the rows around the region alone, completed with
 * zeros, and the texels that the bytes do not reach are cleared.
 */
export function decodeWhatIsThere(
  request: LevelRequest,
  alphaBits: number,
  run: (bytes: Uint8Array, destination: Destination) => void,
): void {
  const { header, level, destination } = request;
  const { bytes, width, height } = level;
  if (bytes.length >= levelBytes(header.encoding, width, height, alphaBits)) {
    run(bytes, destination);
    return;
  }
  const format = blockFormat(header.encoding);
  const side = format ? 4 : 1;
  const cellSize = format ? blockBytes[format] : header.encoding === 'bgra' ? 4 : 1;
  const stride = Math.ceil(width / side) * cellSize;
  const { region } = destination;
  const top = Math.floor(region.y / side);
  const bottom = Math.ceil((region.y + region.height) / side);
  const rows = new Uint8Array((bottom - top) * stride);
  rows.set(bytes.subarray(top * stride, bottom * stride));
  run(rows, {
    ...destination,
    height: (bottom - top) * side,
    region: { ...region, y: region.y - top * side },
  });
  clearFrom(destination, side, Math.floor(bytes.length / cellSize));
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
