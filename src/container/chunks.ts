// What lies between the header and the levels: a palette or a JPEG header chunk.

import type { WarningSink } from '../warnings.js';
import { type BlpHeader, maxJpegHeader, paletteSize } from './header.js';
import type { LevelRange } from './levels.js';

/** The chunk that precedes every JPEG level, cut to the file; empty for other content. */
export function jpegChunk(
  bytes: Uint8Array,
  { jpegHeaderOffset = 0, jpegHeaderSize = 0 }: BlpHeader,
): Uint8Array {
  return bytes.subarray(jpegHeaderOffset, jpegHeaderOffset + jpegHeaderSize);
}

/** The same, with warnings. */
export function readJpegHeader(
  bytes: Uint8Array,
  header: BlpHeader,
  warn: WarningSink,
): Uint8Array {
  const { jpegHeaderOffset: offset = 0, jpegHeaderSize: size = 0 } = header;
  if (offset + size > bytes.length) {
    warn({
      code: 'jpeg-header-past-end',
      message: `the JPEG header chunk of ${size} bytes at ${offset} is cut to the ${bytes.length - offset} bytes that the file has`,
    });
  }
  if (size > maxJpegHeader) {
    warn({
      code: 'jpeg-header-size',
      message: `the JPEG header chunk has ${size} bytes; the game takes at most ${maxJpegHeader}`,
    });
  }
  return jpegChunk(bytes, header);
}

/** The palette as far as it goes: to its end, to level 0 or to the end of the file. */
export function storedPalette(
  bytes: Uint8Array,
  { version, headerSize }: BlpHeader,
  level0: number,
): Uint8Array {
  const end = headerSize + paletteSize;
  const last = version === 0 ? end : Math.max(headerSize, Math.min(end, level0));
  return bytes.subarray(headerSize, last);
}

/** The same, with a warning; empty unless the content is paletted. */
export function readPalette(
  bytes: Uint8Array,
  header: BlpHeader,
  level0: LevelRange,
  warn: WarningSink,
): Uint8Array {
  if (header.encoding !== 'paletted') return bytes.subarray(0, 0);
  const palette = storedPalette(bytes, header, level0.offset);
  if (palette.length < paletteSize) {
    warn({
      code: 'palette-short',
      message: `the palette has ${Math.floor(palette.length / 4)} of 256 entries; the others are black`,
    });
  }
  return palette;
}
