// A picture → a BLP texture: mip chain, content, file.

import { type Blp0Files, type WriteFields, writeBlp, writeBlp0 } from '../container/write.js';
import { encodeBgra } from './bgra.js';
import { encodeDxt } from './dxt.js';
import { encodeJpeg } from './jpeg.js';
import { buildMipmaps } from './mipmaps.js';
import {
  type EncodeOptions,
  type ResolvedOptions,
  type RgbaImage,
  resolveOptions,
} from './options.js';
import { encodePaletted } from './paletted.js';

/**
 * Encodes a picture as a BLP1 or BLP2 file.
 *
 * Without options the file is for World of Warcraft, DXT-compressed, with as much alpha as the picture has and the full
 * mip chain. The header holds what the games' own files hold.
 *
 * @param image RGBA, 8 bits a channel, rows top to bottom, sides 1 to 65535; version 2 wants powers of two.
 * @returns the file's bytes
 * @throws BlpError `argument` for a picture or an option that does not fit; the message says what is allowed.
 *
 * @example
 * ```ts
 * const icon = encode({ width: 64, height: 64, data }, { version: 1, quality: 95 });
 * const skin = encode(image, { encoding: 'dxt5', preset: 'best' });
 * const mask = encode(image, { encoding: 'paletted', alphaBits: 1, mipmaps: false });
 * ```
 */
export function encode(image: RgbaImage, options: EncodeOptions = {}): Uint8Array<ArrayBuffer> {
  const resolved = resolveOptions(image, options, false);
  const { fields, levels } = encodeLevels(image, resolved);
  return writeBlp(fields, levels);
}

/**
 * Encodes a picture as BLP0, the format of Warcraft III's beta: a header file and one file per level.
 *
 * @param options as of {@link encode} with version 1; `version` itself does not apply.
 * @returns the `.blp` file, and the contents of `.b00`, `.b01` and so on.
 * @throws BlpError `argument`
 *
 * @example
 * ```ts
 * const { header, levels } = encodeBlp0(image, { encoding: 'paletted' });
 * await writeFile('icon.blp', header);
 * await Promise.all(levels.map((bytes, level) => writeFile(`icon.${levelExtension(level)}`, bytes)));
 * ```
 */
export function encodeBlp0(
  image: RgbaImage,
  options: Omit<EncodeOptions, 'version'> = {},
): Blp0Files {
  const resolved = resolveOptions(image, options, true);
  const { fields, levels } = encodeLevels(image, resolved);
  return writeBlp0(fields, levels);
}

function encodeLevels(
  image: RgbaImage,
  options: ResolvedOptions,
): { fields: WriteFields; levels: Uint8Array[] } {
  const { version, encoding, alphaBits } = options;
  const opaque = alphaBits === 0;
  const chain = buildMipmaps(image, options.levels, !opaque && !options.keepTransparentColor);
  const fields: WriteFields = {
    version,
    encoding,
    width: image.width,
    height: image.height,
    alphaBits,
  };
  switch (encoding) {
    case 'jpeg': {
      const { header, levels } = encodeJpeg(chain, options.quality, opaque);
      return { fields: { ...fields, jpegHeader: header }, levels };
    }
    case 'paletted': {
      const { palette, levels } = encodePaletted(chain, options);
      return { fields: { ...fields, palette }, levels };
    }
    case 'bgra':
      return { fields, levels: chain.map((level) => encodeBgra(level, opaque)) };
    default: {
      const { preset, alphaThreshold, keepTransparentColor } = options;
      const levels = chain.map((level) =>
        encodeDxt(level, encoding, {
          preset,
          alpha: opaque ? 0 : 1,
          alphaThreshold,
          keepTransparentColor,
        }),
      );
      return { fields, levels };
    }
  }
}
