// Findings about header fields that need no look at the levels: sides, JPEG header chunk.

import { maxJpegHeader, widthAt } from '../container/header.js';
import { isPowerOfTwo } from '../container/sides.js';
import type { Add, Inspection } from './inspection.js';

export function checkHeader({ bytes, header }: Inspection, add: Add): void {
  const { width, height } = header;
  if (width === height * 6 && isPowerOfTwo(height)) {
    add('cube-map-strip', `${width} × ${height} is a strip of six squares`, { offset: widthAt });
  } else if (!isPowerOfTwo(width) || !isPowerOfTwo(height)) {
    const message = `${width} × ${height}: both sides must be powers of two`;
    add('sides-not-power-of-two', message, { offset: widthAt });
  }
  if (width > 512 || height > 512) {
    add('side-above-512', `${width} × ${height} has a side above 512`, { offset: widthAt });
  }
  const { jpegHeaderOffset, jpegHeaderSize } = header;
  if (jpegHeaderOffset === undefined || jpegHeaderSize === undefined) return;
  const offset = jpegHeaderOffset - 4;
  if (jpegHeaderOffset + jpegHeaderSize > bytes.length) {
    const message = `the JPEG header chunk of ${jpegHeaderSize} bytes at ${jpegHeaderOffset} leaves the file of ${bytes.length}`;
    add('jpeg-header-past-end', message, { offset });
  } else if (jpegHeaderSize > maxJpegHeader) {
    const message = `the JPEG header chunk has ${jpegHeaderSize} bytes, the game takes ${maxJpegHeader}`;
    add('jpeg-header-size', message, { offset });
  }
}
