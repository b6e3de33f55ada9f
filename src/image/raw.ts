// A picture → its bare RGBA bytes and a JSON description of them.

import { checkImage, type Image, type TextureSource } from './image.js';

/** What lies beside the bytes; everything that a reader needs and what the texture was. */
export interface RawDescription {
  width: number;
  height: number;
  /** Red, green, blue, alpha, one byte each. */
  format: 'rgba8';
  /** Bytes from one row to the next. */
  stride: number;
  rows: 'top-to-bottom';
  alpha: 'straight';
  source: {
    encoding: TextureSource['encoding'];
    alphaBits: number;
    /** Which level of the texture this is, and how many it has. */
    level: number;
    levels: number;
    /** Sides of level 0. */
    width: number;
    height: number;
  };
}

/** The bytes of a picture as they are: `width * height * 4`, rows top to bottom. */
export function writeRaw(image: Image): Uint8Array {
  checkImage(image);
  const { buffer, byteOffset, byteLength } = image.data;
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** The description of {@link writeRaw}'s bytes. */
export function describeRaw(image: Image, source: TextureSource, level: number): RawDescription {
  return {
    width: image.width,
    height: image.height,
    format: 'rgba8',
    stride: image.width * 4,
    rows: 'top-to-bottom',
    alpha: 'straight',
    source: {
      encoding: source.encoding,
      alphaBits: source.alphaBits,
      level,
      levels: source.levels.length,
      width: source.width,
      height: source.height,
    },
  };
}
