// BGRA texels → RGBA in plain JavaScript.

import type { Destination } from '../kernels.js';
import { opaqueAlpha, withWords } from './words.js';

/** See {@link Kernels.bgra}. */
export function decodeBgra(source: Uint8Array, opaque: boolean, destination: Destination): void {
  const { width, region, target } = destination;
  const alpha = opaque ? opaqueAlpha : 0;
  withWords(target, (words) => {
    let out = 0;
    for (let y = region.y; y < region.y + region.height; y++) {
      let at = (y * width + region.x) * 4;
      for (const end = out + region.width; out < end; out++, at += 4) {
        words[out] =
          alpha |
          (source[at + 3] << 24) |
          (source[at] << 16) |
          (source[at + 1] << 8) |
          source[at + 2];
      }
    }
  });
}
