// Header fields and ready level bytes → a BLP file; the reverse of header.ts and levels.ts.

import { BlpError } from '../errors.js';
import { alphaTypes, effectiveAlphaBits } from './alpha.js';
import { blockFormat } from './blocks.js';
import {
  alphaBitsAt,
  alphaTypeAt,
  type BlpHeader,
  contentAt,
  type Encoding,
  encodingByteAt,
  extraAt,
  hasMipsAt,
  headerSizes,
  heightAt,
  maxJpegHeader,
  maxSide,
  paletteSize,
  readHeader,
  sizesAfterOffsets,
  slotPosition,
  widthAt,
} from './header.js';
import { fullChainLength, levelBytes, levelSide } from './sides.js';

/**
 * What a file says besides its levels. Fields left out are written as the games' own files hold them. A
 * {@link BlpHeader} that was read can be passed with `palette` and `jpegHeader` added.
 */
export interface WriteFields {
  version: 0 | 1 | 2;
  encoding: Encoding;
  /** Sides of level 0 in texels, 1 to 65535. */
  width: number;
  height: number;
  /** Bits of alpha a texel: BLP0/1 `alphaBits`, BLP2 `alphaDepth`. */
  alphaBits: number;
  /** BLP2: which DXT format; without meaning elsewhere. */
  alphaType?: number;
  /** BLP0/1: without effect. Default 4 with alpha, 5 without. */
  extra?: number;
  /** Default 1 with more than one level, otherwise 0. */
  hasMips?: number;
  /** Paletted content: 256 entries of blue, green, red, padding; a shorter one is filled up with black. */
  palette?: Uint8Array;
  /** JPEG content: the chunk that comes before every level's own bytes, at most 624 bytes. */
  jpegHeader?: Uint8Array;
}

/** BLP0: the `.blp` file and, beside it, one file per level: `NAME.b00`, `NAME.b01` and so on. */
export interface Blp0Files {
  header: Uint8Array;
  levels: Uint8Array[];
}

/**
 * Writes a BLP1 or BLP2 file: header, palette or JPEG header chunk, then the levels one after another without gaps.
 *
 * @param levels level 0 first; at most the full chain. Bytes past what the texels need are dropped.
 * @throws BlpError `argument` when fields contradict each other or a level is too short for its sides.
 *
 * @example
 * ```ts
 * const file = writeBlp(
 *   { version: 2, encoding: 'bgra', width: 1, height: 1, alphaBits: 8 },
 *   [Uint8Array.of(255, 0, 0, 255)],
 * );
 * ```
 */
export function writeBlp(
  fields: WriteFields,
  levels: readonly Uint8Array[],
): Uint8Array<ArrayBuffer> {
  checkVersion(fields.version);
  if (fields.version === 0) {
    throw new BlpError('argument', 'BLP0 keeps its levels in files of their own: use writeBlp0');
  }
  const parts = exactLevels(fields, levels);
  const start = contentStart(fields);
  const total = parts.reduce((sum, part) => sum + part.length, start);
  if (total > 0xffffffff) {
    throw new BlpError('argument', `the file would take ${total} bytes; its slots hold 32 bits`);
  }
  const file = new Uint8Array(total);
  const view = writeFields(fields, levels.length, file);
  let offset = start;
  parts.forEach((part, level) => {
    const position = slotPosition(fields.version, level);
    view.setUint32(position, offset, true);
    view.setUint32(position + sizesAfterOffsets, part.length, true);
    file.set(part, offset);
    offset += part.length;
  });
  return file;
}

/**
 * Writes a BLP0 texture, whose levels are files of their own.
 *
 * @throws BlpError `argument` as {@link writeBlp} does.
 *
 * @example
 * ```ts
 * const { header, levels } = writeBlp0(fields, levelBytes);
 * await writeFile('icon.blp', header);
 * await Promise.all(levels.map((bytes, level) => writeFile(`icon.${levelExtension(level)}`, bytes)));
 * ```
 */
export function writeBlp0(fields: WriteFields, levels: readonly Uint8Array[]): Blp0Files {
  checkVersion(fields.version);
  if (fields.version !== 0) {
    throw new BlpError('argument', `version is ${fields.version}: use writeBlp`);
  }
  const parts = exactLevels(fields, levels);
  const header = new Uint8Array(contentStart(fields));
  writeFields(fields, levels.length, header);
  return { header, levels: parts };
}

/** The place of level 0: after the palette, which every BLP2 file has, or after the JPEG header chunk. */
function contentStart(fields: WriteFields): number {
  const header = headerSizes[fields.version];
  if (fields.encoding === 'jpeg') return header + 4 + (fields.jpegHeader?.length ?? 0);
  return header + paletteSize;
}

/** Checks the fields and the levels, and cuts each level to the bytes that its texels take. */
function exactLevels(fields: WriteFields, levels: readonly Uint8Array[]): Uint8Array[] {
  const { version, encoding, width, height } = fields;
  checkSide('width', width);
  checkSide('height', height);
  // BLP2 keeps these in bytes, the others in words of 32 bits.
  const most = version === 2 ? 0xff : 0xffffffff;
  checkField('alphaBits', fields.alphaBits, most);
  checkField('hasMips', fields.hasMips, most);
  checkField('alphaType', fields.alphaType, 0xff);
  checkField('extra', fields.extra, 0xffffffff);
  if (version !== 2 && encoding !== 'jpeg' && encoding !== 'paletted') {
    const message = `BLP${version} holds jpeg or paletted content, not ${encoding}; use version 2`;
    throw new BlpError('argument', message);
  }
  if (fields.palette !== undefined && fields.palette.length > paletteSize) {
    const message = `the palette has ${fields.palette.length} bytes, at most ${paletteSize} are stored`;
    throw new BlpError('argument', message);
  }
  if ((fields.jpegHeader?.length ?? 0) > maxJpegHeader) {
    const message = `the JPEG header chunk has ${fields.jpegHeader?.length} bytes, at most ${maxJpegHeader} are allowed`;
    throw new BlpError('argument', message);
  }
  const alphaBits = effectiveAlphaBits(fields.alphaBits);
  const full = fullChainLength(width, height);
  if (levels.length < 1 || levels.length > full) {
    const message = `${levels.length} levels for ${width} × ${height}; allowed are 1 to ${full}`;
    throw new BlpError('argument', message);
  }
  return levels.map((bytes, level) => {
    const sides = [levelSide(width, level), levelSide(height, level)] as const;
    const needed = levelBytes(encoding, ...sides, alphaBits);
    if (bytes.length < needed) {
      const message = `level ${level} has ${bytes.length} bytes; ${encoding} content of its sides takes at least ${needed}`;
      throw new BlpError('argument', message);
    }
    return encoding === 'jpeg' ? bytes : bytes.subarray(0, needed);
  });
}

function checkVersion(version: unknown): void {
  if (version === 0 || version === 1 || version === 2) return;
  const found = `${typeof version} ${String(version)}`;
  throw new BlpError('argument', `version must be the number 0, 1 or 2, got ${found}`);
}

function checkSide(name: string, side: number): void {
  if (Number.isInteger(side) && side >= 1 && side <= maxSide) return;
  throw new BlpError('argument', `${name} must be an integer from 1 to ${maxSide}, got ${side}`);
}

function checkField(name: string, value: number | undefined, most: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= 0 && value <= most)) return;
  throw new BlpError('argument', `${name} must be an integer from 0 to ${most}, got ${value}`);
}

/** Writes everything before level 0 except the slots. */
function writeFields(fields: WriteFields, levelCount: number, file: Uint8Array): DataView {
  const { version, encoding, alphaBits } = fields;
  const view = new DataView(file.buffer);
  file.set([0x42, 0x4c, 0x50, 0x30 + version]);
  view.setUint32(contentAt, encoding === 'jpeg' ? 0 : 1, true);
  view.setUint32(widthAt, fields.width, true);
  view.setUint32(heightAt, fields.height, true);
  setFlags(view, version, alphaBits, fields.hasMips ?? (levelCount > 1 ? 1 : 0));
  if (version === 2) {
    view.setUint8(encodingByteAt, encodingByte(encoding));
    view.setUint8(alphaTypeAt, fields.alphaType ?? defaultAlphaType(encoding, alphaBits));
  } else {
    // The game's own files: 4 with alpha, 5 without. It has no effect, but old readers tell alpha by it.
    view.setUint32(extraAt, fields.extra ?? (alphaBits > 0 ? 4 : 5), true);
  }
  const start = headerSizes[version];
  if (encoding === 'jpeg') {
    view.setUint32(start, fields.jpegHeader?.length ?? 0, true);
    if (fields.jpegHeader) file.set(fields.jpegHeader, start + 4);
  } else if (encoding === 'paletted' && fields.palette) {
    file.set(fields.palette, start);
  }
  const read = readHeader(file).encoding;
  if (read !== encoding) {
    const message = `alphaType ${fields.alphaType} with ${alphaBits} alpha bits makes ${encoding} read as ${read}`;
    throw new BlpError('argument', message);
  }
  return view;
}

/** Writes the fields that BLP2 has as bytes and the others have as words. */
export function setFlags(
  view: DataView,
  version: BlpHeader['version'],
  alphaBits: number,
  hasMips: number,
): void {
  if (version === 2) {
    view.setUint8(alphaBitsAt(version), alphaBits);
    view.setUint8(hasMipsAt(version), hasMips);
  } else {
    view.setUint32(alphaBitsAt(version), alphaBits, true);
    view.setUint32(hasMipsAt(version), hasMips, true);
  }
}

/** BLP2's encoding byte: 1 paletted, 2 DXT, 3 BGRA; 1 too beside type 0, where it means nothing. */
function encodingByte(encoding: Encoding): number {
  if (blockFormat(encoding)) return 2;
  return encoding === 'bgra' ? 3 : 1;
}

/** BLP2's alpha type. Outside the block formats it is without meaning; the client's files hold these. */
function defaultAlphaType(encoding: Encoding, alphaBits: number): number {
  const format = blockFormat(encoding);
  if (format) return alphaTypes[format];
  return encoding === 'paletted' && alphaBits === 1 ? 1 : 8;
}
