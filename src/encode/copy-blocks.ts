// Blocks that exist already (of a DDS or another BLP) → a BLP2 file, without encoding them again.

import { writeBlp } from '../container/write.js';
import { BlpError } from '../errors.js';
import type { BlockFormat } from '../kernels/kernels.js';

/** What the blocks are. */
export interface CopiedBlocks {
  format: BlockFormat;
  /** Sides of level 0 in texels. */
  width: number;
  height: number;
  /**
   * Default 8 for `dxt3` and `dxt5`, 0 for `dxt1` and `bc5`. DXT1 blocks with transparent texels need 1: with 0 the
   * same blocks are shown opaque.
   */
  alphaBits?: 0 | 1 | 4 | 8;
}

const alphaBitsOf = {
  dxt1: [0, 1],
  dxt3: [8, 4, 0],
  dxt5: [8, 0],
  bc5: [0],
} as const;

/**
 * Wraps ready block levels into a BLP2 file: the blocks are those of the source, bit for bit.
 *
 * @param levels level 0 first; a chain that ends early is written as it is.
 * @throws BlpError `argument` for a level too short for its sides, or alpha bits that the format does not have.
 *
 * @example
 * ```ts
 * const file = copyBlocks({ format: 'dxt5', width: 256, height: 256 }, ddsLevels);
 * ```
 */
export function copyBlocks(
  blocks: CopiedBlocks,
  levels: readonly Uint8Array[],
): Uint8Array<ArrayBuffer> {
  const { format, width, height } = blocks;
  const allowed: readonly number[] | undefined = alphaBitsOf[format];
  if (allowed === undefined) {
    const message = `format is ${format}; known are ${Object.keys(alphaBitsOf).join(', ')}`;
    throw new BlpError('argument', message);
  }
  const alphaBits = blocks.alphaBits ?? allowed[0];
  if (!allowed.includes(alphaBits)) {
    const message = `alphaBits is ${alphaBits}; ${format} allows ${[...allowed].sort().join(', ')}`;
    throw new BlpError('argument', message);
  }
  return writeBlp({ version: 2, encoding: format, width, height, alphaBits }, levels);
}
