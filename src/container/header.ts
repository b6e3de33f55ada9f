// Bytes → the header fields of BLP0, BLP1 and BLP2; touches neither levels nor pixels.

import { BlpError } from '../errors.js';
import type { BlockFormat } from '../kernels/kernels.js';
import { alphaTypes } from './alpha.js';
import { identify } from './identify.js';

/** How the texels of a level are stored. */
export type Encoding = 'jpeg' | 'paletted' | 'dxt1' | 'dxt3' | 'dxt5' | 'bc5' | 'bgra';

/** A file has room for this many levels: 65535 texels halve to 1 in 15 steps. */
export const levelSlots = 16;

/** Largest side: BLP1 levels halve from 16-bit sides, and no client reads more. */
export const maxSide = 65535;

/** Palette: 256 entries of blue, green, red and a padding byte. */
export const paletteSize = 1024;

/** Warcraft III copies the chunk shared by all JPEG levels into a buffer of this many bytes. */
export const maxJpegHeader = 624;

/** Every field of the header as stored, and where the parts that follow it begin. */
export interface BlpHeader {
  version: 0 | 1 | 2;
  encoding: Encoding;
  /** Sides of level 0 in texels. */
  width: number;
  height: number;
  /** BLP0/1 `alphaBits`, BLP2 `alphaDepth`, as stored: 0, 1, 4, 8, and stranger values in real files. */
  alphaBits: number;
  /** BLP0/1 `content` (0 JPEG, 1 paletted), BLP2 `type` (0 JPEG, 1 anything else). */
  content: number;
  /** BLP2 `encoding` byte: 1 paletted, 2 DXT, 3 and 4 BGRA. */
  encodingByte?: number;
  /** BLP2 `alphaType` byte: which DXT format. Without meaning elsewhere. */
  alphaType?: number;
  /** BLP0/1 only; decides nothing. */
  extra?: number;
  /** Decides nothing: the slots do. */
  hasMips: number;
  /** Bytes before the palette or the JPEG header chunk. */
  headerSize: number;
  /** The sixteen slots as stored; empty in BLP0, whose levels are files of their own. */
  offsets: number[];
  sizes: number[];
  /** Size of the chunk shared by all levels, as stored; JPEG content only. It begins at `jpegHeaderOffset`. */
  jpegHeaderSize?: number;
  jpegHeaderOffset?: number;
}

/** BLP0 ends where the slot tables begin in BLP1. */
export const headerSizes = { 0: 28, 1: 156, 2: 148 } as const;

/** Where fields are stored: in all versions, */
export const contentAt = 0x04;
export const widthAt = 0x0c;
export const heightAt = 0x10;
/** as words of 32 bits in BLP0 and BLP1, */
const alphaBitsAt01 = 0x08;
export const extraAt = 0x14;
const hasMipsAt01 = 0x18;
/** and as bytes in BLP2. */
export const encodingByteAt = 0x08;
const alphaBitsAt2 = 0x09;
export const alphaTypeAt = 0x0a;
const hasMipsAt2 = 0x0b;

export function alphaBitsAt(version: BlpHeader['version']): number {
  return version === 2 ? alphaBitsAt2 : alphaBitsAt01;
}

export function hasMipsAt(version: BlpHeader['version']): number {
  return version === 2 ? hasMipsAt2 : hasMipsAt01;
}

/** From where the offset of a level is stored to where its size is: all offsets come first. */
export const sizesAfterOffsets = levelSlots * 4;

/** Where the offset of a level is stored, in BLP1 and BLP2. */
export function slotPosition(version: BlpHeader['version'], level: number): number {
  return (version === 2 ? 0x14 : 0x1c) + level * 4;
}

/**
 * Reads the header.
 *
 * @throws BlpError `not-blp` (naming what the bytes are), `truncated`, `unsupported`, or `damaged` for impossible sides.
 */
export function readHeader(bytes: Uint8Array): BlpHeader {
  const version = versionOf(bytes);
  if (version === undefined) {
    throw new BlpError('not-blp', `not a BLP texture but ${identify(bytes)}`, 0);
  }
  const headerSize = headerSizes[version];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < headerSize) {
    throw new BlpError(
      'truncated',
      `the file has ${bytes.length} bytes, the header of BLP${version} takes ${headerSize}`,
      bytes.length,
    );
  }
  const content = view.getUint32(contentAt, true);
  const own = version === 2 ? readFields2(view, content) : readFields01(view, version, content);
  // Field by field: spreading objects takes a quarter of the time that a file takes to parse.
  const header: BlpHeader = {
    version,
    width: view.getUint32(widthAt, true),
    height: view.getUint32(heightAt, true),
    content,
    encoding: own.encoding,
    alphaBits: own.alphaBits,
    hasMips: own.hasMips,
    headerSize,
    offsets: readSlots(view, version, 0),
    sizes: readSlots(view, version, sizesAfterOffsets),
  };
  if (version === 2) {
    header.encodingByte = own.encodingByte;
    header.alphaType = own.alphaType;
  } else {
    header.extra = own.extra;
  }
  checkSide('width', header.width, widthAt);
  checkSide('height', header.height, heightAt);
  if (header.encoding === 'jpeg') {
    header.jpegHeaderSize = bytes.length >= headerSize + 4 ? view.getUint32(headerSize, true) : 0;
    header.jpegHeaderOffset = Math.min(headerSize + 4, bytes.length);
  }
  return header;
}

/** The version that the magic names: `BLP0`, `BLP1` or `BLP2`; undefined when the bytes begin otherwise. */
export function versionOf(bytes: Uint8Array): 0 | 1 | 2 | undefined {
  const isBlp = bytes[0] === 0x42 && bytes[1] === 0x4c && bytes[2] === 0x50;
  const version = isBlp ? bytes[3] - 0x30 : undefined;
  return version === 0 || version === 1 || version === 2 ? version : undefined;
}

function checkSide(name: string, side: number, offset: number): void {
  if (side >= 1 && side <= maxSide) return;
  throw new BlpError('damaged', `${name} is ${side}, allowed are 1 to ${maxSide}`, offset);
}

type OwnFields = Pick<BlpHeader, 'encoding' | 'alphaBits' | 'hasMips'> & Partial<BlpHeader>;

function readFields01(view: DataView, version: 0 | 1, content: number): OwnFields {
  if (content > 1) {
    throw new BlpError(
      'unsupported',
      `BLP${version} content ${content} is unknown; known are 0 (JPEG) and 1 (paletted)`,
      contentAt,
    );
  }
  return {
    encoding: content === 0 ? 'jpeg' : 'paletted',
    alphaBits: view.getUint32(alphaBitsAt01, true),
    extra: view.getUint32(extraAt, true),
    hasMips: view.getUint32(hasMipsAt01, true),
  };
}

function readFields2(view: DataView, type: number): OwnFields {
  const encodingByte = view.getUint8(encodingByteAt);
  const alphaBits = view.getUint8(alphaBitsAt2);
  const alphaType = view.getUint8(alphaTypeAt);
  return {
    encoding: encoding2(type, encodingByte, alphaBits, alphaType),
    alphaBits,
    encodingByte,
    alphaType,
    hasMips: view.getUint8(hasMipsAt2),
  };
}

function encoding2(
  type: number,
  encodingByte: number,
  alphaBits: number,
  alphaType: number,
): Encoding {
  if (type === 0) return 'jpeg';
  if (type !== 1) {
    throw new BlpError(
      'unsupported',
      `BLP2 type ${type} is unknown; known are 0 (JPEG) and 1 (paletted, DXT or BGRA)`,
      contentAt,
    );
  }
  if (encodingByte === 1) return 'paletted';
  // 4 is a second name for BGRA that the client reads alike.
  if (encodingByte === 3 || encodingByte === 4) return 'bgra';
  if (encodingByte !== 2) {
    throw new BlpError(
      'unsupported',
      `BLP2 encoding ${encodingByte} is unknown; known are 1 (paletted), 2 (DXT), 3 and 4 (BGRA)`,
      encodingByteAt,
    );
  }
  for (const format in alphaTypes) {
    if (alphaTypes[format as BlockFormat] === alphaType) return format as BlockFormat;
  }
  // Doodad textures of an early client carry 72 here and DXT5 blocks.
  if (alphaBits === 72) return 'dxt5';
  throw new BlpError(
    'unsupported',
    `BLP2 alpha type ${alphaType} is unknown for DXT; known are 0 (DXT1), 1 (DXT3), 7 (DXT5) and 11 (BC5)`,
    alphaTypeAt,
  );
}

/** The words of all slots that lie `after` their offsets. */
function readSlots(view: DataView, version: BlpHeader['version'], after: number): number[] {
  const words: number[] = [];
  const slots = version === 0 ? 0 : levelSlots;
  for (let level = 0; level < slots; level++) {
    words.push(view.getUint32(slotPosition(version, level) + after, true));
  }
  return words;
}
