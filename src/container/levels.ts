// Header fields → the byte range of every mip level, as views into the file, with a warning for each oddity.

import { BlpError } from '../errors.js';
import type { BlpWarning, WarningCode, WarningSink } from '../warnings.js';
import { type BlpHeader, blockSize, levelSlots, paletteSize } from './header.js';
import { findJpegFrame } from './jpeg-frame.js';

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
  paletteAlphaBits: 0 | 1 | 4 | 8;
}

/** The contents of a BLP0 texture's level files, `NAME.b00` first; undefined where there is none. */
export type LevelFiles = readonly (Uint8Array | undefined)[];

export interface ChainOptions {
  levelFiles?: LevelFiles | undefined;
  /** Clip levels to the file instead of ending the chain. */
  salvage: boolean;
  warn: WarningSink;
}

/** Levels from the full picture down to 1 × 1 by the larger side. */
export function fullChainLength(width: number, height: number): number {
  return 32 - Math.clz32(Math.max(width, height));
}

/** A side of a level: halved per level, rounded down, never below 1. */
export function levelSide(side: number, level: number): number {
  return Math.max(1, side >> level);
}

/** Bytes that the texels of a level take, without JPEG, which tells only when decoded. */
export function levelBytes(
  header: BlpHeader,
  width: number,
  height: number,
  alphaBits: number,
): number {
  const block = blockSize(header.encoding);
  if (block !== undefined) return Math.ceil(width / 4) * Math.ceil(height / 4) * block;
  if (header.encoding === 'bgra') return width * height * 4;
  if (header.encoding === 'paletted') {
    return width * height + Math.ceil((width * height * alphaBits) / 8);
  }
  return 1;
}

/**
 * Follows the slots from level 0 to the end of the chain.
 *
 * @throws BlpError `truncated` or `damaged` when level 0 cannot be used.
 */
export function readChain(bytes: Uint8Array, header: BlpHeader, options: ChainOptions): Chain {
  const { warn } = options;
  const jpegHeader = readJpegHeader(bytes, header, warn);
  const levels: LevelRange[] = [];
  let paletteAlphaBits = declaredPaletteAlpha(header, warn);
  const full = fullChainLength(header.width, header.height);
  for (let level = 0; level < Math.min(full, levelSlots); level++) {
    const width = levelSide(header.width, level);
    const height = levelSide(header.height, level);
    const slot =
      header.version === 0
        ? levelFile(options.levelFiles, level)
        : levelSlot(bytes, header, level, options);
    let stop = 'stop' in slot ? slot : overlap(levels, slot, level);
    if (!stop && 'bytes' in slot) {
      if (level === 0)
        paletteAlphaBits = dropMissingAlpha(header, slot.bytes.length, paletteAlphaBits, options);
      stop = content(
        header,
        jpegHeader,
        slot.bytes,
        width,
        height,
        paletteAlphaBits,
        level,
        options,
      );
      if (!stop) {
        levels.push({ level, width, height, ...slot });
        continue;
      }
    }
    if (!stop) break;
    if (level === 0)
      throw new BlpError(stop.error, `level 0 cannot be used: ${stop.message}`, stop.offset);
    if (!(stop.stop === 'level-empty' && isDeclaredSingle(header, level))) {
      warn({
        code: stop.stop,
        level,
        message: `the chain ends before level ${level}: ${stop.message}`,
      });
    }
    break;
  }
  warnPastChain(header, options.levelFiles, full, warn);
  return {
    levels,
    palette: readPalette(bytes, header, levels[0], warn),
    jpegHeader,
    paletteAlphaBits,
  };
}

/** Why a level cannot be used. */
interface Stop {
  stop: WarningCode;
  /** The error it makes at level 0. */
  error: 'truncated' | 'damaged';
  message: string;
  offset?: number;
}

interface Slot {
  offset: number;
  size: number;
  bytes: Uint8Array;
}

function levelFile(files: LevelFiles | undefined, level: number): Slot | Stop {
  const bytes = files?.[level];
  const extension = `.b${String(level).padStart(2, '0')}`;
  if (bytes === undefined || bytes.length === 0) {
    const message = `BLP0 keeps it in the file ${extension}, which is ${bytes ? 'empty' : 'missing'}`;
    return { stop: 'level-empty', error: 'truncated', message };
  }
  return { offset: 0, size: bytes.length, bytes };
}

function levelSlot(
  bytes: Uint8Array,
  header: BlpHeader,
  level: number,
  options: ChainOptions,
): Slot | Stop {
  const offset = header.offsets[level];
  const size = header.sizes[level];
  const at = `offset ${offset}, size ${size}`;
  const slotAt = (header.version === 2 ? 0x14 : 0x1c) + level * 4;
  if (offset === 0 || size === 0) {
    return {
      stop: 'level-empty',
      error: 'damaged',
      message: `its slot is empty (${at})`,
      offset: slotAt,
    };
  }
  if (offset < header.headerSize) {
    const message = `its slot points into the header (${at}, the header takes ${header.headerSize})`;
    return { stop: 'level-in-header', error: 'damaged', message, offset: slotAt };
  }
  // Both are below 2³², so that the sum is exact and cannot wrap.
  if (offset + size > bytes.length) {
    const message = `it runs past the end of the file (${at}, the file has ${bytes.length} bytes)`;
    if (!options.salvage || offset >= bytes.length) {
      return { stop: 'level-past-end', error: 'truncated', message, offset: bytes.length };
    }
    // Other encodings say below how many of their bytes are there.
    if (header.encoding === 'jpeg') warnClipped(level, message, options.warn);
  }
  return { offset, size, bytes: bytes.subarray(offset, offset + size) };
}

function overlap(earlier: LevelRange[], slot: Slot, level: number): Stop | undefined {
  for (const other of earlier) {
    if (
      slot.offset === 0 ||
      slot.offset >= other.offset + other.size ||
      other.offset >= slot.offset + slot.size
    )
      continue;
    const how = slot.offset === other.offset && slot.size === other.size ? 'repeats' : 'overlaps';
    const message = `its slot ${how} that of level ${other.level} (offset ${slot.offset}, size ${slot.size})`;
    return { stop: 'level-overlap', error: 'damaged', message: level === 0 ? '' : message };
  }
  return undefined;
}

/** Checks that a level's bytes can hold its texels. */
function content(
  header: BlpHeader,
  jpegHeader: Uint8Array,
  bytes: Uint8Array,
  width: number,
  height: number,
  alphaBits: number,
  level: number,
  options: ChainOptions,
): Stop | undefined {
  if (header.encoding === 'jpeg')
    return jpegContent(jpegHeader, bytes, width, height, level, options.warn);
  const needed = levelBytes(header, width, height, alphaBits);
  if (bytes.length >= needed) return undefined;
  const message = `${width} × ${height} ${header.encoding} texels take ${needed} bytes, it has ${bytes.length}`;
  if (options.salvage) {
    warnClipped(level, message, options.warn);
    return undefined;
  }
  return { stop: 'level-too-short', error: 'truncated', message };
}

function warnClipped(level: number, message: string, warn: WarningSink): void {
  const code = level === 0 ? 'truncated' : 'level-clipped';
  warn({ code, level, message: `level ${level} is cut short: ${message}` });
}

function jpegContent(
  jpegHeader: Uint8Array,
  bytes: Uint8Array,
  width: number,
  height: number,
  level: number,
  warn: WarningSink,
): Stop | undefined {
  const frame = findJpegFrame(jpegHeader, bytes);
  if (frame === undefined) {
    return {
      stop: 'level-undecodable',
      error: 'damaged',
      message: 'its JPEG stream has no frame header',
    };
  }
  const sides = `a JPEG frame of ${frame.width} × ${frame.height} in a level of ${width} × ${height}`;
  if (frame.width === 0 || frame.height === 0) {
    return { stop: 'level-undecodable', error: 'damaged', message: `${sides} is empty` };
  }
  if (frame.width > width || frame.height > height) {
    return { stop: 'level-undecodable', error: 'damaged', message: `${sides} is too large` };
  }
  if (frame.width < width || frame.height < height) {
    warn({ code: 'jpeg-frame-size', level, message: `${sides}; the rest is transparent black` });
  }
  return undefined;
}

/** A file that says it has one level does not deviate by having one. */
function isDeclaredSingle(header: BlpHeader, level: number): boolean {
  return header.hasMips === 0 && level === 1;
}

function declaredPaletteAlpha(header: BlpHeader, warn: WarningSink): 0 | 1 | 4 | 8 {
  const bits = header.alphaBits;
  const known = bits === 0 || bits === 1 || bits === 4 || bits === 8;
  const isBlp2Pixel =
    header.version === 2 && header.encoding !== 'paletted' && header.encoding !== 'jpeg';
  if (header.encoding === 'jpeg' ? bits !== 0 && bits !== 8 : !known) {
    const allowed = header.encoding === 'jpeg' ? '0 and 8' : '0, 1, 4 and 8';
    const effect =
      header.encoding === 'paletted' ? 'taken as none' : isBlp2Pixel ? 'taken as alpha' : 'ignored';
    warn({
      code: 'alpha-bits-invalid',
      message: `alpha bits are ${bits}, valid are ${allowed}; ${effect}`,
    });
  }
  return header.encoding === 'paletted' && known ? (bits as 0 | 1 | 4 | 8) : 0;
}

/** Some tools declare alpha and write the index list alone. */
function dropMissingAlpha(
  header: BlpHeader,
  available: number,
  alphaBits: 0 | 1 | 4 | 8,
  options: ChainOptions,
): 0 | 1 | 4 | 8 {
  if (header.encoding !== 'paletted' || alphaBits === 0) return alphaBits;
  const needed = levelBytes(header, header.width, header.height, alphaBits);
  if (available >= needed) return alphaBits;
  // A level cut inside its indices is cut short, not without alpha.
  if (options.salvage && available < header.width * header.height) return alphaBits;
  options.warn({
    code: 'alpha-missing',
    level: 0,
    message: `level 0 has ${available} of the ${needed} bytes that indices and ${alphaBits}-bit alpha take; read without alpha`,
  });
  return 0;
}

function readJpegHeader(bytes: Uint8Array, header: BlpHeader, warn: WarningSink): Uint8Array {
  const offset = header.jpegHeaderOffset;
  const size = header.jpegHeaderSize;
  if (offset === undefined || size === undefined) return bytes.subarray(0, 0);
  if (offset + size > bytes.length) {
    warn({
      code: 'jpeg-header-past-end',
      message: `the JPEG header chunk of ${size} bytes at ${offset} is cut to the ${bytes.length - offset} bytes that the file has`,
    });
  }
  // Warcraft III copies the chunk into a buffer of 624 bytes.
  if (size > 624) {
    warn({
      code: 'jpeg-header-size',
      message: `the JPEG header chunk has ${size} bytes; the game takes at most 624`,
    });
  }
  return bytes.subarray(offset, Math.min(offset + size, bytes.length));
}

function readPalette(
  bytes: Uint8Array,
  header: BlpHeader,
  level0: LevelRange,
  warn: (warning: BlpWarning) => void,
): Uint8Array {
  if (header.encoding !== 'paletted') return bytes.subarray(0, 0);
  const start = header.headerSize;
  const end = header.version === 0 ? bytes.length : Math.min(level0.offset, bytes.length);
  const palette = bytes.subarray(start, Math.max(start, Math.min(start + paletteSize, end)));
  if (palette.length < paletteSize) {
    warn({
      code: 'palette-short',
      message: `the palette has ${Math.floor(palette.length / 4)} of 256 entries; the others are black`,
    });
  }
  return palette;
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
