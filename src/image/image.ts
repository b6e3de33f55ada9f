// What passes between textures and other image files: a picture, and a texture with its chain of levels.

import type { Encoding } from '../container/header.js';
import { BlpError } from '../errors.js';
import { exactLevelBytes, opaqueBlocks } from '../gpu.js';
import { checkPixels, type Limits } from '../limits.js';
import { checkOutput } from '../options.js';

/** A picture: RGBA, 8 bits a sample, rows top to bottom without padding, alpha not multiplied into the colour. */
export interface Image {
  width: number;
  height: number;
  /** `width * height * 4` bytes. */
  data: Uint8Array | Uint8ClampedArray;
}

/** One stored level: its sides in texels and its bytes as the texture file holds them. */
export interface SourceLevel {
  width: number;
  height: number;
  bytes: Uint8Array;
}

/** What the writers of this folder need of a texture. */
export interface TextureSource {
  /** Sides of level 0. */
  width: number;
  height: number;
  encoding: Encoding;
  /** 0 means opaque whatever the blocks hold. */
  alphaBits: number;
  /** Level 0 first; as many as the texture has, which may be fewer than a full chain. */
  levels: readonly SourceLevel[];
  decodeLevel(level: number): Image;
}

/**
 * The bytes of a level in blocks as a file with a chain takes them: exactly as long as its sides ask for, and opaque
 * where the texture is, since neither DDS nor KTX2 can say that the alpha of DXT3 and DXT5 blocks does not count.
 */
export function blocksToStore(source: TextureSource, level: SourceLevel): Uint8Array {
  const { encoding, alphaBits } = source;
  const bytes = exactLevelBytes(encoding, level.width, level.height, level.bytes);
  return alphaBits === 0 ? opaqueBlocks(encoding, bytes) : bytes;
}

/**
 * Checks that a picture is what it says, before a writer reads past its end.
 *
 * @throws BlpError `argument`.
 */
export function checkImage(image: Image): void {
  const { width, height, data } = image;
  for (const [name, side] of [
    ['width', width],
    ['height', height],
  ] as const) {
    if (!Number.isInteger(side) || side < 1) {
      throw new BlpError(
        'argument',
        `the picture's ${name} must be a positive integer, got ${side}`,
      );
    }
  }
  if (data.length !== width * height * 4) {
    throw new BlpError(
      'argument',
      `a picture of ${width} × ${height} takes ${width * height * 4} bytes of RGBA, got ${data.length}`,
    );
  }
}

/**
 * Checks the sides that a file claims, before anything of that size is allocated.
 *
 * @throws BlpError `damaged` for a side of 0, `limit` for too many pixels.
 */
export function checkSides(width: number, height: number, limits: Readonly<Limits>): void {
  if (width < 1 || height < 1) {
    throw new BlpError('damaged', `the picture's sides are ${width} × ${height}: neither may be 0`);
  }
  checkPixels(limits, width, height);
  checkOutput(width * height * 4, limits);
}

/** A view over the same bytes, whatever kind of array holds them. */
export function viewOf(bytes: Uint8Array | Uint8ClampedArray): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
