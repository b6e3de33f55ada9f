// What --max-pixels means: the bounds that a picture of so many pixels needs, and how errors name them.

import { maxSide } from '../container/header.js';
import { defaultLimits, type Limits } from '../limits.js';

/** As many pixels as a header can claim. */
export const mostPixels = maxSide * maxSide;

/**
 * The limits under which every picture of so many pixels can be read and decoded.
 *
 * - decoded it takes 4 bytes a pixel
 * - the file of an uncompressed chain 4 and a third, with room for what tools leave between levels
 * - coefficients of progressive JPEG 8.6 (four components, 137 bytes for each 64 samples), with room for the stream
 */
export function limitsFor(maxPixels: number): Partial<Limits> {
  return {
    maxPixels,
    maxOutputBytes: Math.max(defaultLimits.maxOutputBytes, maxPixels * 4),
    maxInputBytes: Math.max(defaultLimits.maxInputBytes, maxPixels * 6),
    maxWasmMemory: Math.max(defaultLimits.maxWasmMemory, maxPixels * 10),
  };
}

/** Options of the library that the command has under names of its own. */
const renamed =
  /\b(alphaBits|alphaThreshold|allowAnySize|keepTransparentColor|minimumSize|mipmaps|quality|encoding|preset|dither)\b(?= (is|of|must|[a-z]+ is not for))/g;

/** An error's message with the command's options in place of the library's names. */
export function inOptions(message: string): string {
  return message
    .replaceAll(renamed, (name) => toFlag(name))
    .replaceAll(
      'Resize the picture with resize(), or set allowAnySize',
      'Give --resize or --allow-any-size',
    )
    .replaceAll('limits.maxPixels', '--max-pixels')
    .replaceAll(/limits\.max(InputBytes|OutputBytes|WasmMemory)/g, 'raised by --max-pixels')
    .replaceAll(' (limits.maxJpegScans)', '');
}

/** The option of the command for a name of the library: `--alpha-bits`. */
export function toFlag(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
