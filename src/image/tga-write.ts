// A picture → TGA: 32 bits a texel, run-length encoded.

import { BlpError } from '../errors.js';
import { checkImage, type Image, viewOf } from './image.js';

const headerSize = 18;
/** What ends a TGA of version 2.0, behind two offsets of areas that are not there. */
const footerText = 'TRUEVISION-XFILE.\0';
const footerSize = 8 + footerText.length;
/** A packet counts to 128: seven bits, one less than the count. */
const longestPacket = 128;

/**
 * Writes a TGA of version 2.0: type 10, 32 bits with 8 of alpha, top row first. Editors and libraries honour the origin
 * bits; ImageMagick 6, which only notes them, shows rows in the order of the file. Packets end with their row, as
 * version 2.0 asks.
 *
 * @throws BlpError `argument` for a picture whose data does not fit its sides, `limit` for a side above 65535.
 */
export function writeTga(image: Image): Uint8Array {
  checkImage(image);
  const { width, height, data } = image;
  if (width > 0xffff || height > 0xffff) {
    throw new BlpError('limit', `TGA holds sides up to 65535, the picture is ${width} × ${height}`);
  }
  const texels = new Uint32Array(width * height);
  // Worst case: no two texels alike, one packet byte for every 128.
  const rowLimit = width * 4 + Math.ceil(width / longestPacket);
  const file = new Uint8Array(headerSize + rowLimit * height + footerSize);
  const view = viewOf(file);
  file[2] = 10; // true colour, run-length encoded
  view.setUint16(12, width, true);
  view.setUint16(14, height, true);
  file[16] = 32;
  file[17] = 0x20 | 8; // origin top left; bits of alpha
  const source = viewOf(data);
  for (let index = 0; index < texels.length; index++) {
    const rgba = source.getUint32(index * 4, true);
    texels[index] = (rgba & 0xff00ff00) | ((rgba & 0xff) << 16) | ((rgba >>> 16) & 0xff);
  }
  let at = headerSize;
  for (let row = 0; row < height; row++) {
    at = packRow(texels.subarray(row * width, (row + 1) * width), view, at);
  }
  for (let index = 0; index < footerText.length; index++) {
    file[at + 8 + index] = footerText.charCodeAt(index);
  }
  return file.slice(0, at + footerSize);
}

/** Packs one row of BGRA texels and returns where it ends. */
function packRow(row: Uint32Array, view: DataView, at: number): number {
  let index = 0;
  while (index < row.length) {
    const run = runLength(row, index);
    if (run > 1) {
      view.setUint8(at, 0x80 | (run - 1));
      view.setUint32(at + 1, row[index], true);
      at += 5;
      index += run;
      continue;
    }
    const start = index;
    while (index < row.length && index - start < longestPacket && row[index] !== row[index + 1]) {
      index++;
    }
    view.setUint8(at++, index - start - 1);
    for (let texel = start; texel < index; texel++, at += 4) {
      view.setUint32(at, row[texel], true);
    }
  }
  return at;
}

/** How many texels from `index` on are equal, at most a packet. */
function runLength(row: Uint32Array, index: number): number {
  const end = Math.min(row.length, index + longestPacket);
  let last = index + 1;
  while (last < end && row[last] === row[index]) last++;
  return last - index;
}
