// Slots: where the header says that a level lies, and whether that can be.

import type { WarningCode } from '../warnings.js';
import { warnClipped } from './content.js';
import { type BlpHeader, slotPosition } from './header.js';
import type { ChainOptions, LevelRange } from './levels.js';

/** The contents of a BLP0 texture's level files, `NAME.b00` first; undefined where there is none. */
export type LevelFiles = readonly (Uint8Array | undefined)[];

/** Bytes of a texture with its level files, as `limits.maxInputBytes` counts them. */
export function textureBytes(texture: Uint8Array, files: LevelFiles = []): number {
  return files.reduce((sum, file) => sum + (file?.length ?? 0), texture.length);
}

/** Why a level cannot be used. */
export interface Stop {
  stop: WarningCode;
  /** The error it makes at level 0. */
  error: 'truncated' | 'damaged';
  message: string;
  offset?: number;
}

/** Where a level lies. */
export interface Slot {
  offset: number;
  size: number;
  bytes: Uint8Array;
}

/**
 * The extension of the file that holds a BLP0 level.
 *
 * @example
 * ```ts
 * levelExtension(3); // 'b03'
 * ```
 */
export function levelExtension(level: number): string {
  return `b${String(level).padStart(2, '0')}`;
}

/** The slot of a BLP0 level, which is a file of its own. */
export function levelFile(files: LevelFiles | undefined, level: number): Slot | Stop {
  const bytes = files?.[level];
  if (bytes === undefined || bytes.length === 0) {
    const message = `BLP0 keeps it in the file .${levelExtension(level)}, which is ${bytes ? 'empty' : 'missing'}`;
    return { stop: 'level-empty', error: 'truncated', message };
  }
  return { offset: 0, size: bytes.length, bytes };
}

/** The slot of a level as the header gives it, or why it cannot be one. */
export function levelSlot(
  bytes: Uint8Array,
  header: BlpHeader,
  level: number,
  options: ChainOptions,
): Slot | Stop {
  const offset = header.offsets[level];
  const size = header.sizes[level];
  // A description only where there is something to describe: every level of every file comes through here.
  const at = () => `offset ${offset}, size ${size}`;
  const slotAt = slotPosition(header.version, level);
  if (offset === 0 || size === 0) {
    const message = `its slot is empty (${at()})`;
    return { stop: 'level-empty', error: 'damaged', message, offset: slotAt };
  }
  if (offset < header.headerSize) {
    const message = `its slot points into the header (${at()}, the header takes ${header.headerSize})`;
    return { stop: 'level-in-header', error: 'damaged', message, offset: slotAt };
  }
  // Both are below 2³², so that the sum is exact and cannot wrap.
  if (offset + size > bytes.length) {
    const message = `it runs past the end of the file (${at()}, the file has ${bytes.length} bytes)`;
    if (!options.salvage || offset >= bytes.length) {
      return { stop: 'level-past-end', error: 'truncated', message, offset: bytes.length };
    }
    // Other encodings say below how many of their bytes are there.
    if (header.encoding === 'jpeg') warnClipped(level, message, options.warn);
  }
  return { offset, size, bytes: bytes.subarray(offset, offset + size) };
}

/** Does the slot share bytes with an earlier level? */
export function findOverlap(earlier: readonly LevelRange[], slot: Slot): Stop | undefined {
  // Level files of BLP0 share nothing.
  if (slot.offset === 0) return undefined;
  for (const other of earlier) {
    const isApart =
      slot.offset >= other.offset + other.size || other.offset >= slot.offset + slot.size;
    if (isApart) continue;
    const how = slot.offset === other.offset && slot.size === other.size ? 'repeats' : 'overlaps';
    const message = `its slot ${how} that of level ${other.level} (offset ${slot.offset}, size ${slot.size})`;
    return { stop: 'level-overlap', error: 'damaged', message };
  }
  return undefined;
}
