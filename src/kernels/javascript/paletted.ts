// Palette indices and 1-, 4- and 8-bit alpha lists → RGBA in plain JavaScript.

import type { Destination } from '../kernels.js';
import { opaqueAlpha, withWords } from './words.js';

/** See {@link Kernels.paletted}. */
export function decodePaletted(
  source: Uint8Array,
  palette: Uint8Array,
  alphaBits: 0 | 1 | 4 | 8,
  destination: Destination,
): void {
  const { width, height, region, target } = destination;
  const colors = paletteWords(palette, alphaBits === 0 ? opaqueAlpha : 0);
  const alphaList = width * height;
  withWords(target, (words) => {
    let out = 0;
    for (let y = region.y; y < region.y + region.height; y++) {
      const first = y * width + region.x;
      const end = first + region.width;
      switch (alphaBits) {
        case 0:
          for (let i = first; i < end; i++) words[out++] = colors[source[i]];
          break;
        case 1:
          for (let i = first; i < end; i++) {
            const bit = (source[alphaList + (i >> 3)] >> (i & 7)) & 1;
            words[out++] = colors[source[i]] | (-bit << 24);
          }
          break;
        case 4:
          for (let i = first; i < end; i++) {
            const alpha = (source[alphaList + (i >> 1)] >> ((i & 1) << 2)) & 15;
            words[out++] = colors[source[i]] | ((alpha * 17) << 24);
          }
          break;
        case 8:
          for (let i = first; i < end; i++) {
            words[out++] = colors[source[i]] | (source[alphaList + i] << 24);
          }
          break;
      }
    }
  });
}

/** The palette as RGBA words; entries that are missing, wholly or in part, are black. */
function paletteWords(palette: Uint8Array, alpha: number): Int32Array {
  const words = new Int32Array(256).fill(alpha);
  for (let entry = 0; entry < palette.length >> 2; entry++) {
    const at = entry * 4;
    words[entry] = alpha | (palette[at] << 16) | (palette[at + 1] << 8) | palette[at + 2];
  }
  return words;
}
