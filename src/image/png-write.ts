// A picture → PNG: 8-bit RGBA, one data chunk, nothing that a reader could take for colour management.

import { BlpError } from '../errors.js';
import { crc32, deflate } from './deflate.js';
import { checkImage, type Image, viewOf } from './image.js';
import { filterRows } from './png-filter.js';

/** The eight bytes that every PNG begins with (PNG specification, section 5.2). */
export const pngSignature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

export interface PngOptions {
  /** 0 (stored, largest) to 9 (smallest). */
  compressionLevel?: number;
}

/**
 * Chosen from the table that bench/png.ts prints. On real textures above 64 × 64, level 4 takes no longer than 3, and 1.2
 * to 1.5 times as long as 1 for files 6 to 8 % smaller; level 5 takes 1.5 times as long as 4 for 2 to 3 %, level 9 eleven
 * times as long for 4 to 6 %.
 */
export const defaultCompressionLevel = 4;

/**
 * Writes a PNG. Every texel keeps its four samples, also the colour of fully transparent ones. Always 8-bit RGBA, so
 * that whoever reads it finds the layout that `decode` returns.
 *
 * @param options.compressionLevel 0 to 9, default 4; browsers compress at one level whatever is asked.
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
  const { width, height, data } = image;
  const packed = await deflate(filterRows(data, width, height), level);
  const header = new Uint8Array(13);
  const view = viewOf(header);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header[8] = 8; // bits a sample
  header[9] = 6; // colour type: RGBA
  return joinChunks([
    ['IHDR', header],
    ['IDAT', packed],
    ['IEND', new Uint8Array(0)],
  ]);
}

/** The signature and the chunks, each with its length before and its checksum behind it. */
function joinChunks(chunks: readonly (readonly [type: string, body: Uint8Array])[]): Uint8Array {
  const length = chunks.reduce((sum, [, body]) => sum + 12 + body.length, pngSignature.length);
  const file = new Uint8Array(length);
  const view = viewOf(file);
  file.set(pngSignature);
  let at = pngSignature.length;
  for (const [type, body] of chunks) {
    view.setUint32(at, body.length);
    for (let index = 0; index < 4; index++) file[at + 4 + index] = type.charCodeAt(index);
    file.set(body, at + 8);
    view.setUint32(at + 8 + body.length, crc32(file.subarray(at + 4, at + 8 + body.length)));
    at += 12 + body.length;
  }
  return file;
}
