// Levels as a GPU takes them: exact bytes, WebGPU's format names, WebGL's extensions and constants.

import { blockBytes, blockFormat } from './container/blocks.js';
import type { Encoding } from './container/header.js';
import { levelBytes } from './container/sides.js';

/** WebGPU's names of the texture formats that BLP levels can be uploaded as. */
export type GpuFormat =
  | 'bc1-rgba-unorm'
  | 'bc2-rgba-unorm'
  | 'bc3-rgba-unorm'
  | 'bc5-rg-unorm'
  | 'bgra8unorm';

/**
 * The format of each encoding's bytes as they are stored. A GPU samples index 3 of DXT1's three-colour mode as transparent,
 * where a texture with 0 alpha bits has opaque black: draw such a texture without blending, or decode it.
 */
export const gpuFormats: Readonly<Record<Encoding, GpuFormat | undefined>> = {
  dxt1: 'bc1-rgba-unorm',
  dxt3: 'bc2-rgba-unorm',
  dxt5: 'bc3-rgba-unorm',
  bc5: 'bc5-rg-unorm',
  bgra: 'bgra8unorm',
  paletted: undefined,
  jpeg: undefined,
};

/** What `gl.getExtension` is asked for, and what `gl.compressedTexImage2D` takes. */
export interface WebGLFormat {
  extension:
    | 'WEBGL_compressed_texture_s3tc'
    | 'WEBGL_compressed_texture_s3tc_srgb'
    | 'EXT_texture_compression_rgtc';
  /** The value of the extension's constant. */
  internalFormat: number;
}

/**
 * The compressed texture format of a BLP texture in WebGL; undefined for content that is not stored in blocks.
 *
 * DXT1 without alpha gets the RGB format, in which the fourth index is black instead of transparent. The blocks of DXT3
 * and DXT5 always hold alpha: where `alphaBits` is 0, see {@link opaqueBlocks}.
 *
 * @param colorSpace `srgb` for formats that the GPU converts to linear light when it samples; BC5 has none
 * @example
 * ```ts
 * const format = webglFormat(texture);
 * if (format && gl.getExtension(format.extension)) {
 *   for (const { level, width, height, bytes } of texture.levels) {
 *     gl.compressedTexImage2D(gl.TEXTURE_2D, level, format.internalFormat, width, height, 0, bytes);
 *   }
 * }
 * ```
 */
export function webglFormat(
  texture: { encoding: Encoding; alphaBits: number },
  colorSpace: 'linear' | 'srgb' = 'linear',
): WebGLFormat | undefined {
  const { encoding, alphaBits } = texture;
  // COMPRESSED_RED_GREEN_RGTC2_EXT
  if (encoding === 'bc5') {
    return { extension: 'EXT_texture_compression_rgtc', internalFormat: 0x8dbd };
  }
  const constants = s3tcConstants[encoding];
  if (constants === undefined) return undefined;
  const variant = encoding === 'dxt1' && alphaBits === 0 ? 0 : 1;
  if (colorSpace === 'srgb') {
    return {
      extension: 'WEBGL_compressed_texture_s3tc_srgb',
      internalFormat: constants.srgb[variant],
    };
  }
  return { extension: 'WEBGL_compressed_texture_s3tc', internalFormat: constants.linear[variant] };
}

/** The constants of both S3TC extensions, each without and with alpha. */
const s3tcConstants: Partial<Record<Encoding, Record<'linear' | 'srgb', [number, number]>>> = {
  dxt1: { linear: [0x83f0, 0x83f1], srgb: [0x8c4c, 0x8c4d] },
  dxt3: { linear: [0x83f2, 0x83f2], srgb: [0x8c4e, 0x8c4e] },
  dxt5: { linear: [0x83f3, 0x83f3], srgb: [0x8c4f, 0x8c4f] },
};

/**
 * A level's bytes with exactly the length that a GPU asks for: `ceil(width / 4) * ceil(height / 4)` blocks, or 4 bytes a
 * texel. Files pad levels, and a level read by salvage ends early; what it lacks becomes transparent black as far as the
 * format can say so.
 *
 * @returns a view of `bytes` when nothing is missing, otherwise a copy; `bytes` as they are for JPEG and paletted content
 */
export function exactLevelBytes(
  encoding: Encoding,
  width: number,
  height: number,
  bytes: Uint8Array,
): Uint8Array {
  const format = blockFormat(encoding);
  if (format === undefined && encoding !== 'bgra') return bytes;
  const length = levelBytes(encoding, width, height, 0);
  if (bytes.length >= length) return bytes.subarray(0, length);
  const exact = new Uint8Array(length);
  const present = bytes.length - (bytes.length % (format ? blockBytes[format] : 4));
  exact.set(bytes.subarray(0, present));
  if (encoding === 'dxt1') {
    // Equal endpoints select three colours, whose fourth index is transparent black: all sixteen indices are 3.
    for (let at = present; at < length; at += 8) exact.fill(0xff, at + 4, at + 8);
  }
  return exact;
}

/**
 * A copy of DXT3 or DXT5 blocks whose alpha is 255 throughout: a declared depth of 0 makes a texture opaque whatever its
 * blocks hold, which no GPU format can say. Blocks of other encodings are returned as they are.
 */
export function opaqueBlocks(encoding: Encoding, bytes: Uint8Array): Uint8Array {
  if (encoding !== 'dxt3' && encoding !== 'dxt5') return bytes;
  // Not slice(): that of Node's Buffer copies nothing.
  const opaque = new Uint8Array(bytes);
  // DXT3: sixteen alphas of 4 bits. DXT5: both endpoints 255, all sixteen indices 0.
  const head = encoding === 'dxt3' ? 8 : 2;
  for (let at = 0; at < opaque.length; at += 16) {
    opaque.fill(0xff, at, at + head);
    opaque.fill(0, at + head, at + 8);
  }
  return opaque;
}
