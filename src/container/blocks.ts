// Block formats: which encodings store squares of 4 × 4 texels, and how many bytes one takes.

import type { BlockFormat } from '../kernels/kernels.js';
import type { Encoding } from './header.js';

/** Bytes that one block takes. */
export const blockBytes: Readonly<Record<BlockFormat, 8 | 16>> = {
  dxt1: 8,
  dxt3: 16,
  dxt5: 16,
  bc5: 16,
};

/** The encoding as a block format, or undefined when texels are not stored in blocks. */
export function blockFormat(encoding: Encoding): BlockFormat | undefined {
  return encoding in blockBytes ? (encoding as BlockFormat) : undefined;
}
