// RGBA texels → the level bytes of BGRA content.

import type { RgbaImage } from './options.js';

/** Swaps red and blue. Without alpha the fourth byte is 255, which readers that trust it also show opaque. */
export function encodeBgra(image: RgbaImage, opaque: boolean): Uint8Array {
  const { data } = image;
  const bytes = new Uint8Array(data.length);
  for (let at = 0; at < data.length; at += 4) {
    bytes[at] = data[at + 2];
    bytes[at + 1] = data[at + 1];
    bytes[at + 2] = data[at];
    bytes[at + 3] = opaque ? 255 : data[at + 3];
  }
  return bytes;
}
