// Header fields → the byte range of every mip level, as views into the file, with a warning for each oddity.

import { BlpError } from '../errors.js';
import type { WarningSink } from '../warnings.js';
import type { AlphaBits } from './alpha.js';
import { readJpegHeader, readPalette } from './chunks.js';
import { checkContent, declaredPaletteAlpha, dropMissingAlpha } from './content.js';
import { type BlpHeader, levelSlots } from './header.js';
import { frameFinder } from './jpeg-frame.js';
import { fullChainLength, levelSide } from './sides.js';
import { findOverlap, type LevelFiles, levelFile, levelSlot, type Stop } from './slots.js';

/** One mip level. */
export interface LevelRange {
  /** 0 is the full picture. */
  level: number;
  width: number;
  height: number;
  /** Where the level's bytes begin in the file; 0 in BLP0, whose levels are files of their own. */
  offset: number;
  /** Bytes as stored, which may be more than the texels need. */
  size: number;
  /** A view of those bytes; nothing is copied. */
  bytes: Uint8Array;
}

/** What lies in the file beside the levels. */
export interface Chain {
  levels: LevelRange[];
  /** Palette bytes, B, G, R, padding; shorter than 1024 where level 0 begins early. Empty unless paletted. */
  palette: Uint8Array;
  /** The chunk before every JPEG level. Empty unless JPEG. */
  jpegHeader: Uint8Array;
  /** Bits of each texel's alpha that the levels hold: 0, 1, 4 or 8 for paletted content. */
  paletteAlphaBits: AlphaBits;
}

export interface ChainOptions {
  levelFiles?: LevelFiles | undefined;
  /** Clip levels to the file instead of ending the chain. */
  salvage: boolean;
  warn: WarningSink;
}

/**
 * Follows the slots from level 0 to the end of the chain.
 *
 * @throws BlpError `truncated` or `damaged` when level 0 cannot be used.
 */
export function readChain(bytes: Uint8Array, header: BlpHeader, options: ChainOptions): Chain {
  const { warn, levelFiles } = options;
  const jpegHeader = readJpegHeader(bytes, header, warn);
  const findFrame = frameFinder(jpegHeader);
  const levels: LevelRange[] = [];
  let paletteAlphaBits = declaredPaletteAlpha(header, warn);
  const full = fullChainLength(header.width, header.height);
  for (let level = 0; level < full; level++) {
    const width = levelSide(header.width, level);
    const height = levelSide(header.height, level);
    const slot =
      header.version === 0
        ? levelFile(levelFiles, level)
        : levelSlot(bytes, header, level, options);
    if ('stop' in slot) {
      endChain(header, level, slot, warn);
      break;
    }
    if (level === 0) {
      paletteAlphaBits = dropMissingAlpha(header, slot.bytes.length, paletteAlphaBits, warn);
    }
    const { offset, size } = slot;
    const range: LevelRange = { level, width, height, offset, size, bytes: slot.bytes };
    const stop =
      findOverlap(levels, slot) ??
      checkContent(header, findFrame, range, paletteAlphaBits, options);
    if (stop) {
      endChain(header, level, stop, warn);
      break;
    }
    levels.push(range);
  }
  warnPastChain(header, levelFiles, full, warn);
  const palette = readPalette(bytes, header, levels[0], warn);
  return { levels, palette, jpegHeader, paletteAlphaBits };
}

/** @throws BlpError at level 0; warns at the others. */
function endChain(header: BlpHeader, level: number, stop: Stop, warn: WarningSink): void {
  const { stop: code, error, message, offset } = stop;
  if (level === 0) throw new BlpError(error, `level 0 cannot be used: ${message}`, offset);
  // A file that says it has one level does not deviate by having one.
  if (code === 'level-empty' && level === 1 && header.hasMips === 0) return;
  warn({ code, level, message: `the chain ends before level ${level}: ${message}` });
}

function warnPastChain(
  header: BlpHeader,
  files: LevelFiles | undefined,
  full: number,
  warn: WarningSink,
): void {
  for (let slot = full; slot < levelSlots; slot++) {
    const used =
      header.version === 0
        ? files?.[slot] !== undefined
        : header.offsets[slot] !== 0 && header.sizes[slot] !== 0;
    if (!used) continue;
    warn({
      code: 'level-past-chain',
      level: slot,
      message: `slot ${slot} is used, but the chain of ${header.width} × ${header.height} ends with level ${full - 1}; ignored`,
    });
    return;
  }
}
