// DXT and BC5 levels → RGBA.

import type { BlockFormat } from '../kernels/kernels.js';
import type { LevelRequest } from './request.js';
import { decodeWhatIsThere } from './salvage.js';

export function decodeDxt(request: LevelRequest): void {
  const { header, alpha, kernels } = request;
  // A declared depth of 0 makes everything opaque, whatever the blocks hold.
  const opaque = alpha === 'opaque' || (alpha !== 'stored' && header.alphaBits === 0);
  decodeWhatIsThere(request, 0, (bytes, destination) => {
    kernels.blocks(header.encoding as BlockFormat, bytes, opaque, destination);
  });
}
