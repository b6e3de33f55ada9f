// Paletted levels → RGBA.

import { levelBytes } from '../container/sides.js';
import type { LevelRequest } from './request.js';
import { decodeWhatIsThere } from './salvage.js';

export function decodePaletted(request: LevelRequest): void {
  const { header, chain, level, alpha, kernels } = request;
  let alphaBits = alpha === 'opaque' ? 0 : chain.paletteAlphaBits;
  // A salvaged level that ends inside its alpha list keeps its colours and goes without alpha.
  if (level.bytes.length < levelBytes(header.encoding, level.width, level.height, alphaBits))
    alphaBits = 0;
  decodeWhatIsThere(request, alphaBits, (bytes, destination) => {
    kernels.paletted(bytes, chain.palette, alphaBits, destination);
  });
}
