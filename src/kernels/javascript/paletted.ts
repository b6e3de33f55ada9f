// Palette indices and 1-, 4- and 8-bit alpha lists → RGBA in plain JavaScript.

import type { Destination } from '../kernels.js';
import { opaqueAlpha, wordsOf } from './words.js';

/** See {@link Kernels.paletted}. */
export function decodePaletted(
  source: Uint8Array,
  palette: Uint8Array,
  alphaBits: 0 | 1 | 4 | 8,
  destination: Destination,
): void {
  const { region, width } = destination;
  const list = source.subarray(width * destination.height);
  const colors = paletteWords(palette, alphaBits === 0 ? opaqueAlpha : 0);
  const { words, flush } = wordsOf(destination.target);
  const decodeRun = runs[alphaBits];
  for (let row = 0; row < region.height; row++) {
    const first = (region.y + row) * width + region.x;
    decodeRun(source, list, colors, words, row * region.width, first, first + region.width);
  }
  flush();
}

/** Decodes the texels from number `first` up to `end` into `words` from `out` on. */
type Run = (
  indices: Uint8Array,
  list: Uint8Array,
  colors: Int32Array,
  words: Int32Array,
  out: number,
  first: number,
  end: number,
) => void;

const runs: Record<0 | 1 | 4 | 8, Run> = {
  0: (indices, _list, colors, words, out, first, end) => {
    for (let i = first; i < end; i++) words[out++] = colors[indices[i]];
  },
  1: (indices, list, colors, words, out, first, end) => {
    for (let i = first; i < end; i++) {
      const bit = (list[i >> 3] >> (i & 7)) & 1;
      words[out++] = colors[indices[i]] | (-bit << 24);
    }
  },
  4: (indices, list, colors, words, out, first, end) => {
    for (let i = first; i < end; i++) {
      const alpha = (list[i >> 1] >> ((i & 1) << 2)) & 15;
      // 15 becomes 255.
      words[out++] = colors[indices[i]] | ((alpha * 17) << 24);
    }
  },
  8: (indices, list, colors, words, out, first, end) => {
    for (let i = first; i < end; i++) words[out++] = colors[indices[i]] | (list[i] << 24);
  },
};

/** The palette as RGBA words; entries that are missing, wholly or in part, are black. */
function paletteWords(palette: Uint8Array, alpha: number): Int32Array {
  const words = new Int32Array(256).fill(alpha);
  for (let entry = 0; entry < palette.length >> 2; entry++) {
    const at = entry * 4;
    words[entry] = alpha | (palette[at] << 16) | (palette[at + 1] << 8) | palette[at + 2];
  }
  return words;
}
