// How the lines of a decoded JPEG frame come into the region of their level.

import type { Destination } from './kernels.js';

/**
 * Copies `count` lines of RGBA, `frameWidth` texels each, the first of them line `line` of the frame, as
 * far as they lie in the destination's region.
 */
export function copyStrip(
  bytes: Uint8Array,
  address: number,
  frameWidth: number,
  line: number,
  count: number,
  { region, target }: Destination,
): void {
  const first = Math.max(line, region.y);
  const last = Math.min(line + count, region.y + region.height);
  const columns = Math.min(region.x + region.width, frameWidth) - region.x;
  if (columns <= 0 || first >= last) return;
  const frameStride = frameWidth * 4;
  const stride = region.width * 4;
  let from = address + (first - line) * frameStride + region.x * 4;
  let to = (first - region.y) * stride;
  if (columns === region.width && columns === frameWidth) {
    target.set(bytes.subarray(from, from + (last - first) * stride), to);
    return;
  }
  for (let y = first; y < last; y++) {
    target.set(bytes.subarray(from, from + columns * 4), to);
    from += frameStride;
    to += stride;
  }
}

/** Makes the part of the region that the frame does not reach transparent black. */
export function clearOutside(
  frameWidth: number,
  frameHeight: number,
  { region, target }: Destination,
): void {
  const stride = region.width * 4;
  const columns = Math.min(Math.max(frameWidth - region.x, 0), region.width);
  const rows = Math.min(Math.max(frameHeight - region.y, 0), region.height);
  if (columns < region.width) {
    for (let y = 0; y < rows; y++) target.fill(0, y * stride + columns * 4, (y + 1) * stride);
  }
  if (rows < region.height) target.fill(0, rows * stride);
}
