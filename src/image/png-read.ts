// PNG → a picture, by sharp where it is installed and by fast-png elsewhere.

import { type DecodedPng, decode } from 'fast-png';
import { BlpError } from '../errors.js';
import { checkFileSize, type Limits, resolveLimits } from '../limits.js';
import type { Image } from './image.js';
import { type PngParts, readPngParts, rowsLength } from './png-chunks.js';
import { findSharp, readWithSharp } from './sharp.js';

export interface PngReadOptions {
  /** `fast-png` even where sharp is installed. */
  library?: 'fast-png';
}

/**
 * Reads a PNG: every colour type and bit depth. Samples of 16 bits keep their upper 8; those of fewer bits are scaled
 * to 0..255; a palette index without an entry is opaque black, as in libpng. Values are returned as stored: gamma,
 * chromaticities and colour profiles change nothing, so that a texture survives the way through an image editor. Of an
 * animation this is the still picture.
 *
 * Both libraries return the same pixels. Without sharp, interlaced pictures of fewer than 8 bits a sample are not read.
 *
 * @throws BlpError `truncated`, `damaged` (also for a wrong checksum), `unsupported`, or `limit` before anything large
 *   is allocated.
 *
 * @example
 * ```ts
 * const { width, height, data } = await readPng(await readFile('icon.png'), { maxPixels: 1024 * 1024 });
 * ```
 */
export async function readPng(
  bytes: Uint8Array,
  limits?: Partial<Limits>,
  options: PngReadOptions = {},
): Promise<Image> {
  const bounds = resolveLimits(limits);
  checkFileSize(bounds, bytes.length);
  const parts = readPngParts(bytes, bounds);
  const hasSharp = options.library !== 'fast-png' && (await findSharp()) !== undefined;
  return hasSharp ? readWithSharp(parts.file, 'the PNG', limits) : readWithFastPng(parts);
}

async function readWithFastPng(parts: PngParts): Promise<Image> {
  const { header, hasColorKey, data, file } = parts;
  if (header.isInterlaced && header.depth < 8) throw needsSharp('an interlaced PNG below 8 bits');
  // It compares the colour's three samples with the number of texels.
  if (hasColorKey && header.width * header.height < header.samples) {
    throw needsSharp('a PNG of so few texels with a transparent colour');
  }
  // It inflates without a bound and takes missing rows for zeros.
  await checkInflatedLength(data, rowsLength(header));
  try {
    return toRgba(decode(file, { checkCrc: true }));
  } catch (error) {
    const { message } = error as Error;
    throw new BlpError('damaged', `the PNG cannot be read: ${message}`);
  }
}

function needsSharp(what: string): BlpError {
  return new BlpError(
    'unsupported',
    `reading ${what} needs the package sharp, install it with "npm install sharp"`,
  );
}

/** Deflate's limit: 258 bytes from a length and a distance of one bit each (RFC 1951). */
const mostExpansion = 1032;

/**
 * Expands a zlib stream without keeping it and gives it up as soon as it holds more than `length` bytes.
 *
 * @throws BlpError `truncated` when it holds fewer, `damaged` when it holds more or is no zlib stream.
 */
async function checkInflatedLength(pieces: readonly Uint8Array[], length: number): Promise<void> {
  const packed = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (packed * mostExpansion < length) {
    throw new BlpError(
      'truncated',
      `the PNG's compressed data has ${packed} bytes, too few for the picture's ${length}`,
    );
  }
  const stream = new Blob(pieces as Uint8Array<ArrayBuffer>[]).stream();
  const reader = stream.pipeThrough(new DecompressionStream('deflate')).getReader();
  let found = 0;
  try {
    while (found <= length) {
      const { done, value } = await reader.read();
      if (done) break;
      found += value.length;
    }
  } catch (error) {
    const { message } = error as Error;
    throw new BlpError('damaged', `the PNG's compressed data is broken: ${message}`);
  } finally {
    // Its failure says nothing new: the stream has ended or is being given up.
    reader.cancel().catch(() => {});
  }
  if (found < length) {
    throw new BlpError('truncated', `the PNG's compressed data holds ${found} bytes of ${length}`);
  }
  if (found > length) {
    throw new BlpError(
      'damaged',
      `the PNG's compressed data holds more than the picture's ${length} bytes`,
    );
  }
}

const black = [0, 0, 0];

function toRgba(decoded: DecodedPng): Image {
  const { width, height, depth, channels, palette } = decoded;
  const samples = depth < 8 ? unpack(decoded) : decoded.data;
  const toByte =
    depth === 16
      ? (value: number) => value >> 8
      : (value: number) => value * (depth < 8 ? 255 / ((1 << depth) - 1) : 1);
  const key = decoded.transparency?.map((sample) => sample & ((1 << depth) - 1));
  const data = new Uint8ClampedArray(width * height * 4);
  for (let at = 0, target = 0; target < data.length; at += channels, target += 4) {
    if (palette) {
      const [red, green, blue, alpha = 255] = palette[samples[at]] ?? black;
      data[target] = red!;
      data[target + 1] = green!;
      data[target + 2] = blue!;
      data[target + 3] = alpha;
      continue;
    }
    const isColor = channels > 2;
    data[target] = toByte(samples[at]);
    data[target + 1] = toByte(samples[isColor ? at + 1 : at]);
    data[target + 2] = toByte(samples[isColor ? at + 2 : at]);
    const hasAlpha = channels % 2 === 0;
    // The transparent colour is compared at full depth.
    const isKey = key?.every((sample, channel) => sample === samples[at + channel]);
    data[target + 3] = hasAlpha ? toByte(samples[at + channels - 1]) : isKey ? 0 : 255;
  }
  return { width, height, data };
}

/** Samples of 1, 2 or 4 bits, highest first and rows filled up to whole bytes → a byte each. */
function unpack({ width, height, depth, data }: DecodedPng): Uint8Array {
  const stride = Math.ceil((width * depth) / 8);
  const samples = new Uint8Array(width * height);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const bit = x * depth;
      const shift = 8 - depth - (bit & 7);
      samples[at] = (data[y * stride + (bit >> 3)] >> shift) & ((1 << depth) - 1);
    }
  }
  return samples;
}
