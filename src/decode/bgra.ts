// BGRA levels → RGBA.

import type { LevelRequest } from './request.js';
import { decodeWhatIsThere } from './salvage.js';

export function decodeBgra(request: LevelRequest): void {
  const { header, alpha, kernels } = request;
  // Any depth but 0, also 136 as found in real files, uses the fourth byte as stored.
  const opaque = alpha === 'opaque' || (alpha !== 'stored' && header.alphaBits === 0);
  decodeWhatIsThere(request, 0, (bytes, destination) => kernels.bgra(bytes, opaque, destination));
}
