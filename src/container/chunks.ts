// What lies between the header and the levels: a palette or a JPEG header chunk.

import type { WarningSink } from '../warnings.js';
import { type BlpHeader, paletteSize } from './header.js';
import type { LevelRange } from './levels.js';

/** The chunk that precedes every JPEG level, cut to the file. */
export function readJpegHeader(
  bytes: Uint8Array,
  header: BlpHeader,
  warn: WarningSink,
): Uint8Array {
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

/** The palette as far as it goes: to its end, to level 0 or to the end of the file. */
export function readPalette(
  bytes: Uint8Array,
  header: BlpHeader,
  level0: LevelRange,
  warn: WarningSink,
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
