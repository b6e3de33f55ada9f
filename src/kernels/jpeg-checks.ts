// What both JPEG decoders check of a frame and its scans.

import { BlpError } from '../errors.js';
import { checkLimit, checkPixels, type Limits } from '../limits.js';
import type { Destination } from './kernels.js';

/**
 * Checks the sides that a frame header claims, before anything is allocated for them.
 *
 * @param level the level that the frame must fit into, where there is one
 * @throws BlpError `damaged` when a side is larger than the level's: such a stream belongs to another level
 *   or is forged; `limit` when the frame has more pixels than `limits.maxPixels`
 */
export function checkFrame(
  width: number,
  height: number,
  limits: Readonly<Limits>,
  level: Destination | undefined,
): void {
  if (level && (width > level.width || height > level.height)) {
    throw new BlpError(
      'damaged',
      `the JPEG frame has ${width} × ${height} pixels, more than its level of ${level.width} × ${level.height}`,
    );
  }
  checkPixels(limits, width, height);
}

/** @throws BlpError `limit` when there are more scans than `limits.maxJpegScans`: each walks the whole frame. */
export function checkScans(scans: number, limits: Readonly<Limits>): void {
  // They are counted no further than that.
  const atLeast = limits.maxJpegScans + 1;
  checkLimit(limits, 'maxJpegScans', scans, () => `the JPEG stream has at least ${atLeast} scans`);
}
