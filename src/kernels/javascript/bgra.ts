// BGRA texels → RGBA in plain JavaScript.

import type { Destination } from '../kernels.js';
import { opaqueAlpha, wordsOf } from './words.js';

/** See {@link Kernels.bgra}. */
export function decodeBgra(source: Uint8Array, opaque: boolean, destination: Destination): void {
  const { x, y, width, height } = destination.region;
  const alpha = opaque ? opaqueAlpha : 0;
  const from = wordsOf(source).words;
  const { words, flush } = wordsOf(destination.target);
  let out = 0;
  for (let row = y; row < y + height; row++) {
    const first = row * destination.width + x;
    for (let at = first; at < first + width; at++) {
      const word = from[at];
      // Red and blue change places.
      words[out++] = alpha | (word & 0xff00ff00) | ((word >> 16) & 0xff) | ((word & 0xff) << 16);
    }
  }
  flush();
}
