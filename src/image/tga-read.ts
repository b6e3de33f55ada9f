// TGA → a picture: colour-mapped, true colour and grey, plain and run-length encoded, any origin.

import { BlpError } from '../errors.js';
import { checkFileSize, type Limits, resolveLimits } from '../limits.js';
import { checkSides, type Image, viewOf } from './image.js';

const headerSize = 18;

/** Bits a texel (or a colour map entry) may take, by what the texels are. */
const colorBits: readonly number[] = [15, 16, 24, 32];
const allowedBits: Readonly<Record<'mapped' | 'color' | 'grey', readonly number[]>> = {
  mapped: [8, 16],
  color: colorBits,
  grey: [8, 16],
};

type Content = keyof typeof allowedBits;

/** Image types 1 to 3, and 9 to 11 for the same with run-length encoding. */
const contents: readonly (Content | undefined)[] = [undefined, 'mapped', 'color', 'grey'];

interface Header {
  content: Content;
  encoded: boolean;
  width: number;
  height: number;
  bits: number;
  /** Bits of alpha a texel, as the descriptor says; many writers leave 0 there. */
  alphaBits: number;
  rightToLeft: boolean;
  topDown: boolean;
  mapFirst: number;
  mapEntries: number;
  mapBits: number;
  mapOffset: number;
  dataOffset: number;
}

/**
 * Reads a TGA of image type 1, 2, 3, 9, 10 or 11 with 8, 15, 16, 24 or 32 bits.
 *
 * Alpha: 32-bit texels use theirs, unless the descriptor declares none and all of it is 0, which means that nobody
 * wrote it. 16-bit texels use their highest bit where the descriptor declares it. All others are opaque.
 * Samples of 5 bits are widened to the nearest value.
 *
 * @throws BlpError `truncated`, `damaged`, `unsupported`, or `limit` before anything is allocated.
 */
export function readTga(bytes: Uint8Array, limits?: Partial<Limits>): Image {
  const bounds = resolveLimits(limits);
  checkFileSize(bounds, bytes.length);
  const header = readHeader(bytes);
  const { width, height } = header;
  checkSides(width, height, bounds);
  const size = bytesOf(header.bits);
  const stored = header.encoded
    ? unpack(bytes, header.dataOffset, width * height, size)
    : part(bytes, header.dataOffset, width * height * size, 'texels');
  const colors = header.content === 'mapped' ? readMap(bytes, header) : undefined;
  const data = new Uint8ClampedArray(width * height * 4);
  let at = 0;
  for (let row = 0; row < height; row++) {
    const y = header.topDown ? row : height - 1 - row;
    const step = header.rightToLeft ? -4 : 4;
    let target = (y * width + (header.rightToLeft ? width - 1 : 0)) * 4;
    for (let column = 0; column < width; column++, at += size, target += step) {
      if (colors) {
        const index =
          (size === 1 ? stored[at] : stored[at] | (stored[at + 1] << 8)) - header.mapFirst;
        if (index < 0 || index >= header.mapEntries) {
          throw new BlpError(
            'damaged',
            `a TGA texel has index ${index + header.mapFirst}, its colour map ` +
              `holds ${header.mapFirst} to ${header.mapFirst + header.mapEntries - 1}`,
          );
        }
        for (let channel = 0; channel < 4; channel++) {
          data[target + channel] = colors[index * 4 + channel];
        }
      } else if (header.content === 'grey') {
        data[target] = data[target + 1] = data[target + 2] = stored[at];
        data[target + 3] = size === 2 ? stored[at + 1] : 255;
      } else {
        storeColor(stored, at, header.bits, header.alphaBits > 0, data, target);
      }
    }
  }
  const alphaCounts =
    header.content === 'mapped'
      ? header.mapBits === 32
      : header.bits === 32 && header.content === 'color';
  if (alphaCounts && header.alphaBits === 0) fillUnwrittenAlpha(data);
  return { width, height, data };
}

function readHeader(bytes: Uint8Array): Header {
  const view = viewOf(part(bytes, 0, headerSize, 'header'));
  const type = view.getUint8(2);
  const content = contents[type & 7];
  if (!content || (type & ~8) > 3) {
    throw new BlpError(
      'unsupported',
      `TGA image type ${type} is not read; readable are 1, 2, 3, 9, 10 and 11`,
      2,
    );
  }
  const bits = view.getUint8(16);
  if (!allowedBits[content].includes(bits)) {
    const readable = allowedBits[content].join(', ');
    const message = `TGA with ${bits} bits a texel is not read; readable are ${readable}`;
    throw new BlpError('unsupported', message, 16);
  }
  const descriptor = view.getUint8(17);
  if (descriptor & 0xc0) throw new BlpError('unsupported', 'interleaved TGA is not read', 17);
  const mapEntries = view.getUint8(1) === 1 ? view.getUint16(5, true) : 0;
  const mapBits = view.getUint8(7);
  if (content === 'mapped' && (mapEntries === 0 || !colorBits.includes(mapBits))) {
    throw new BlpError(
      'damaged',
      `the TGA's colour map has ${mapEntries} entries of ${mapBits} bits`,
      1,
    );
  }
  const mapOffset = headerSize + view.getUint8(0);
  return {
    content,
    encoded: (type & 8) !== 0,
    width: view.getUint16(12, true),
    height: view.getUint16(14, true),
    bits,
    alphaBits: descriptor & 15,
    rightToLeft: (descriptor & 0x10) !== 0,
    topDown: (descriptor & 0x20) !== 0,
    mapFirst: view.getUint16(3, true),
    mapEntries,
    mapBits,
    mapOffset,
    // A true colour file may carry a map too: it is skipped.
    dataOffset: mapOffset + mapEntries * bytesOf(mapBits),
  };
}

function bytesOf(bits: number): number {
  return (bits + 7) >> 3;
}

/** A stretch of the file that must be there. */
function part(bytes: Uint8Array, offset: number, length: number, what: string): Uint8Array {
  if (offset + length > bytes.length) {
    throw new BlpError(
      'truncated',
      `the TGA's ${what} take ${length} bytes from ${offset} on, the file ends at ${bytes.length}`,
      bytes.length,
    );
  }
  return bytes.subarray(offset, offset + length);
}

/** Undoes the run-length encoding; packets may go on into the next row, as older writers let them. */
function unpack(bytes: Uint8Array, offset: number, texels: number, size: number): Uint8Array {
  // A packet of 1 + size bytes holds at most 128 texels: a shorter file is refused before its picture is allocated.
  if ((bytes.length - offset) * 128 < texels * (1 + size)) {
    throw new BlpError('truncated', `the TGA is too short for its ${texels} texels`, bytes.length);
  }
  const unpacked = new Uint8Array(texels * size);
  let at = offset;
  let filled = 0;
  while (filled < unpacked.length) {
    const packet = part(bytes, at, 1, 'packets')[0];
    const length = ((packet & 0x7f) + 1) * size;
    if (filled + length > unpacked.length) {
      throw new BlpError('damaged', 'a TGA packet goes past the end of the picture', at);
    }
    const isRun = (packet & 0x80) !== 0;
    const body = part(bytes, at + 1, isRun ? size : length, 'packets');
    if (isRun) {
      for (let index = 0; index < length; index += size) unpacked.set(body, filled + index);
    } else {
      unpacked.set(body, filled);
    }
    at += 1 + body.length;
    filled += length;
  }
  return unpacked;
}

/** The colour map as RGBA. */
function readMap(bytes: Uint8Array, header: Header): Uint8Array {
  const size = bytesOf(header.mapBits);
  const stored = part(bytes, header.mapOffset, header.mapEntries * size, 'colour map');
  const colors = new Uint8Array(header.mapEntries * 4);
  for (let entry = 0; entry < header.mapEntries; entry++) {
    storeColor(stored, entry * size, header.mapBits, header.alphaBits > 0, colors, entry * 4);
  }
  return colors;
}

/** One colour of 15, 16, 24 or 32 bits (A1R5G5B5, BGR or BGRA) → RGBA. */
function storeColor(
  stored: Uint8Array,
  at: number,
  bits: number,
  declaresAlpha: boolean,
  data: Uint8Array | Uint8ClampedArray,
  target: number,
): void {
  if (bits >= 24) {
    data[target] = stored[at + 2];
    data[target + 1] = stored[at + 1];
    data[target + 2] = stored[at];
    data[target + 3] = bits === 32 ? stored[at + 3] : 255;
    return;
  }
  const value = stored[at] | (stored[at + 1] << 8);
  data[target] = widen((value >> 10) & 31);
  data[target + 1] = widen((value >> 5) & 31);
  data[target + 2] = widen(value & 31);
  data[target + 3] = bits === 16 && declaresAlpha && value < 0x8000 ? 0 : 255;
}

function widen(fiveBits: number): number {
  return Math.round(fiveBits * (255 / 31));
}

function fillUnwrittenAlpha(data: Uint8ClampedArray): void {
  for (let index = 3; index < data.length; index += 4) if (data[index] !== 0) return;
  for (let index = 3; index < data.length; index += 4) data[index] = 255;
}
