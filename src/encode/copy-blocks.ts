// Blocks that exist already (of a DDS or another BLP) → a BLP2 file, without encoding them again.

import { type AlphaBits, alphaDepths } from '../container/alpha.js';
import { blockBytes } from '../container/blocks.js';
import { writeBlp } from '../container/write.js';
import { BlpError } from '../errors.js';
import type { BlockFormat } from '../kernels/kernels.js';
import { oneOf } from './options.js';

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
  alphaBits?: AlphaBits;
}

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
  oneOf('format', format, Object.keys(blockBytes));
  const { opaque, written } = alphaDepths[format];
  const alphaBits = blocks.alphaBits ?? opaque;
  // 0 hides what alpha the blocks have.
  const allowed = new Set<AlphaBits>([0, ...written]);
  if (!allowed.has(alphaBits)) {
    const message = `alphaBits is ${alphaBits}; ${format} allows ${[...allowed].join(', ')}`;
    throw new BlpError('argument', message);
  }
  return writeBlp({ version: 2, encoding: format, width, height, alphaBits }, levels);
}
