// What a set of kernels does: level bytes in, RGBA texels out. Knows nothing of BLP files.

import type { Limits } from '../limits.js';

/** Block-compressed formats, 4 × 4 texels a block: 8 bytes a block for `dxt1`, 16 for the others. */
export type BlockFormat = 'dxt1' | 'dxt3' | 'dxt5' | 'bc5';

/** A rectangle in texels, wholly inside its level. */
export interface Region {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * Where the decoded texels go. `target` takes the `region` of a level of `width` × `height` texels,
 * rows top to bottom, tightly packed RGBA: exactly `region.width * region.height * 4` bytes.
 */
export interface Destination {
  /** Sides of the whole level. */
  width: number;
  height: number;
  /** The part of the level that is wanted. */
  region: Region;
  target: Uint8Array | Uint8ClampedArray;
}

/** A JPEG stream in the two pieces in which BLP stores it; decoded as if they were one. */
export interface JpegSource {
  /** The chunk shared by all levels; may be empty and may end inside a segment. */
  header: Uint8Array;
  /** The level's own bytes. */
  body: Uint8Array;
}

export interface JpegOptions {
  /** Force alpha 255 whatever the fourth component holds. */
  opaque: boolean;
  /** Return what can be decoded of a cut or corrupt stream instead of throwing. */
  salvage: boolean;
  limits: Readonly<Limits>;
}

/** What the fourth component of a stream holds: only 0, only 255, anything else, nothing that could be decoded, or there is none. */
export type AlphaPlane = 'zero' | 'full' | 'mixed' | 'unseen' | 'none';

export interface JpegResult {
  frameWidth: number;
  frameHeight: number;
  /** Over the stored samples, before padding; of the whole frame where the region reaches its last row. */
  alphaPlane: AlphaPlane;
  /** False when the stream, as far as the region needed it, ended early or held corrupt entropy data (only with `salvage`). */
  complete: boolean;
}

/**
 * Both implementations give the same bytes. Sources are level bytes that the caller has checked to be
 * long enough; a kernel never reads outside them.
 */
export interface Kernels {
  readonly name: 'wasm' | 'javascript';
  /**
   * DXT1, DXT3, DXT5 and BC5 blocks, row by row, `ceil(width / 4)` a row.
   *
   * @param opaque alpha 255 everywhere; for DXT1, index 3 of a three-colour block becomes opaque black.
   */
  blocks(format: BlockFormat, source: Uint8Array, opaque: boolean, destination: Destination): void;
  /**
   * One palette index a texel, followed by the alpha list, packed least significant bit first.
   *
   * @param palette B, G, R, padding per entry, at most 1024 bytes; missing entries are black.
   */
  paletted(
    source: Uint8Array,
    palette: Uint8Array,
    alphaBits: 0 | 1 | 4 | 8,
    destination: Destination,
  ): void;
  /** B, G, R, A per texel. */
  bgra(source: Uint8Array, opaque: boolean, destination: Destination): void;
  /**
   * One JPEG stream. A frame smaller than the level leaves the rest transparent black.
   *
   * @throws BlpError `damaged`, `unsupported` or `limit`
   */
  jpeg(source: JpegSource, options: JpegOptions, destination: Destination): JpegResult;
  /** Decodes no more of the stream than it takes to tell what its fourth component holds. */
  jpegAlphaPlane(source: JpegSource, options: JpegOptions): AlphaPlane;
  /**
   * 2 × 2 box filter: `target` takes `max(1, width >> 1)` × `max(1, height >> 1)` RGBA texels.
   * An odd last row or column is dropped where the side is larger than 1; a side of 1 is reused.
   *
   * @param weighted colour is weighted by alpha (plain where all four alphas are 0); alpha is a plain average.
   */
  halve(
    source: Uint8Array | Uint8ClampedArray,
    width: number,
    height: number,
    weighted: boolean,
    target: Uint8Array | Uint8ClampedArray,
  ): void;
}
