// A picture → PNG: 8-bit RGBA, by sharp where it is installed and by fast-png elsewhere.

import { encode } from 'fast-png';
import { BlpError } from '../errors.js';
import { checkImage, type Image } from './image.js';
import { findSharp, fromRaw, toBytes } from './sharp.js';

export interface PngOptions {
  /** 0 (stored, largest) to 9 (smallest). */
  compressionLevel?: number;
  /** `fast-png` even where sharp is installed. */
  library?: 'fast-png';
}

/**
 * Chosen from the table that bench/png.ts prints, for sharp on real textures above 64 × 64. Level 3 takes 1.1 times as long
 * as 2 for files 3 % smaller, and 1.1 to 1.4 times as long as 1 for files 32 % smaller. Level 4 takes another 1.1 to 1.2
 * times as long for 2 %, level 6 1.5 to 1.9 times for 5 %, level 9 seven times for 10 %. Adaptive filters make
 * files 20 to 30 % smaller in 1.1 to 2.3 times the time. Up to 64 × 64 the fixed cost of a picture outweighs the level.
 */
const defaultCompressionLevel = 3;

/**
 * Writes a PNG. Every texel keeps its four samples, also the colour of fully transparent ones. Always 8-bit RGBA, so
 * that whoever reads it finds the layout that `decode` returns. Both libraries write the same pixels in files of
 * different lengths: fast-png does not filter rows.
 *
 * @param options.compressionLevel 0 to 9, default 3.
 * @throws BlpError `argument` for a picture whose data does not fit its sides, or a level out of range.
 *
 * @example
 * ```ts
 * await writeFile('icon.png', await writePng(decode(bytes)));
 * ```
 */
export async function writePng(image: Image, options: PngOptions = {}): Promise<Uint8Array> {
  checkImage(image);
  const level = options.compressionLevel ?? defaultCompressionLevel;
  if (!Number.isInteger(level) || level < 0 || level > 9) {
    throw new BlpError('argument', `compressionLevel must be an integer from 0 to 9, got ${level}`);
  }
  const sharp = options.library === 'fast-png' ? undefined : await findSharp();
  if (sharp) {
    const png = { compressionLevel: level, adaptiveFiltering: true };
    return toBytes(fromRaw(sharp, image).png(png));
  }
  const zlib = { level: level as 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 };
  const { width, height, data } = image;
  return encode({ width, height, data, channels: 4, depth: 8 }, { zlib });
}
