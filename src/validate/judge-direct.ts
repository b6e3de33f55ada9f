// Paletted, DXT and BGRA content: which levels are whole, and what is wrong with the others.

import { type AlphaBits, effectiveAlphaBits } from '../container/alpha.js';
import { lacksAlpha } from '../container/content.js';
import { alphaBitsAt, type BlpHeader } from '../container/header.js';
import { levelBytes } from '../container/sides.js';
import { type Add, type Inspection, type LevelState, repeatedSlot } from './inspection.js';

/** The part of the file that a level's texels take. */
interface Range {
  level: number;
  start: number;
  end: number;
}

/** Fills in `bytes` and `fault` of every level, and the alpha bits that paletted levels really hold. */
export function judgeDirectLevels(inspection: Inspection, add: Add): void {
  const { bytes, header, levels, levelFiles } = inspection;
  inspection.paletteAlphaBits = paletteAlpha(inspection, add);
  const sizeOf = ({ width, height }: LevelState): number =>
    levelBytes(header.encoding, width, height, inspection.paletteAlphaBits);
  if (header.version === 0) {
    for (const level of levels) {
      const file = levelFiles[level.level];
      if (!level.isEmpty && file) judgeFile(level, file, sizeOf(level));
    }
    return;
  }
  // Slots whose place and size make sense go first: the others get only what these leave.
  const taken: Range[] = [];
  for (const level of levels) {
    if (level.isEmpty || level.offset < header.headerSize) continue;
    const needed = sizeOf(level);
    if (level.size < needed || level.offset + level.size > bytes.length) continue;
    takeIfFree(bytes, level, needed, taken);
  }
  for (const level of levels) {
    if (level.isEmpty) continue;
    const needed = sizeOf(level);
    if (
      !level.bytes &&
      level.offset >= header.headerSize &&
      repeatedSlot(header, level.level) === undefined
    ) {
      takeIfFree(bytes, level, needed, taken);
    }
    judgeSlot(inspection, level, needed, taken, add);
  }
}

function judgeFile(level: LevelState, file: Uint8Array, needed: number): void {
  if (file.length >= needed) level.bytes = file.subarray(0, needed);
  if (file.length !== needed)
    level.fault = { code: 'level-size', message: sizeMessage(level, needed) };
}

function takeIfFree(bytes: Uint8Array, level: LevelState, needed: number, taken: Range[]): void {
  const start = level.offset;
  const end = start + needed;
  if (end > bytes.length || overlapping(taken, start, end)) return;
  level.bytes = bytes.subarray(start, end);
  taken.push({ level: level.level, start, end });
}

function overlapping(taken: readonly Range[], start: number, end: number): Range | undefined {
  return taken.find((range) => start < range.end && range.start < end);
}

function judgeSlot(
  { bytes, header }: Inspection,
  level: LevelState,
  needed: number,
  taken: readonly Range[],
  add: Add,
): void {
  const { offset, size } = level;
  const numbers = `offset ${offset}, size ${size}`;
  const name = `level ${level.level}`;
  if (offset < header.headerSize) {
    level.fault = { code: 'level-in-header', message: `${name} lies in the header (${numbers})` };
    return;
  }
  if (offset + size > bytes.length) {
    const wraps = offset + size === 2 ** 32 ? '; they add up to 2³²' : '';
    const message = `${name} leaves the file of ${bytes.length} bytes (${numbers}${wraps})`;
    level.fault = { code: 'level-past-end', message };
    return;
  }
  if (level.bytes) {
    if (size !== needed) level.fault = { code: 'level-size', message: sizeMessage(level, needed) };
    return;
  }
  const other = overlapping(taken, offset, offset + needed);
  const repeated = repeatedSlot(header, level.level);
  if (isLegalShare(header, level, needed, other)) {
    level.bytes = bytes.subarray(offset, offset + needed);
    const message = `${name} lies inside the data of level ${other?.level} (${numbers})`;
    add('level-shares-data', message, { level: level.level, offset });
  } else if (repeated !== undefined) {
    const message = `slot ${level.level} repeats slot ${repeated} (${numbers})`;
    level.fault = { code: 'slot-duplicated', message };
  } else if (size < needed) {
    level.fault = { code: 'level-size', message: sizeMessage(level, needed) };
  } else {
    const message = `${name} overlaps level ${other?.level} (${numbers})`;
    level.fault = { code: 'level-overlap', message };
  }
}

/** Warcraft III maps keep small levels inside larger ones to save space. */
function isLegalShare(
  header: BlpHeader,
  level: LevelState,
  needed: number,
  other: Range | undefined,
): boolean {
  return (
    header.version === 1 &&
    level.size === needed &&
    other !== undefined &&
    other.level < level.level &&
    level.offset >= other.start &&
    level.offset + needed <= other.end
  );
}

function sizeMessage({ level, width, height, size }: LevelState, needed: number): string {
  return `level ${level} of ${width} × ${height} takes ${needed} bytes, its size is ${size}`;
}

/**
 * The alpha bits of paletted content, as the decoder takes them: none where they are invalid or level 0 has no room for
 * the list.
 */
function paletteAlpha({ bytes, header, levels, levelFiles }: Inspection, add: Add): AlphaBits {
  if (header.encoding !== 'paletted') return 0;
  const bits = effectiveAlphaBits(header.alphaBits);
  const offset = alphaBitsAt(header.version);
  if (bits !== header.alphaBits) {
    const message = `alphaBits is ${header.alphaBits}; paletted content has 0, 1, 4 or 8`;
    add('alpha-bits-invalid', message, { offset });
  }
  if (bits === 0) return 0;
  const [{ width, height, offset: start, size }] = levels;
  const isCut = header.version !== 0 && start + size > bytes.length;
  const available = header.version === 0 ? (levelFiles[0]?.length ?? 0) : size;
  if (isCut || !lacksAlpha(header, available, bits)) return bits;
  const needed = levelBytes(header.encoding, width, height, bits);
  const message = `alphaBits is ${bits}, but level 0 has ${available} bytes, not the ${needed} that indices and alpha take`;
  add('alpha-list-missing', message, { level: 0, offset });
  return 0;
}
