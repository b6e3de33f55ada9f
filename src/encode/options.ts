// What the encoder can be asked for: defaults derived from the picture, and the check of every option.

import { type AlphaBits, alphaDepths } from '../container/alpha.js';
import { type Encoding, maxSide } from '../container/header.js';
import { fullChainLength, isPowerOfTwo } from '../container/sides.js';
import { BlpError } from '../errors.js';
import { checkOptions } from '../options.js';

/** A picture: RGBA, 8 bits a channel, rows top to bottom, `width * height * 4` bytes. An `ImageData` is one. */
export interface RgbaImage {
  width: number;
  height: number;
  data: Uint8Array | Uint8ClampedArray;
}

/** How the texels are stored: {@link Encoding} without `bc5`, which can only be copied. */
export type WritableEncoding = Exclude<Encoding, 'bc5'>;

/** How hard the DXT encoder looks for good blocks. */
export type Preset = 'fast' | 'normal' | 'best';

/** From the least work to the most. */
export const presets: readonly Preset[] = ['fast', 'normal', 'best'];

export const defaultPreset: Preset = 'normal';

/** Half of 255, rounded up. */
export const defaultAlphaThreshold = 128;

/** Options of {@link encode}; all may be left out. */
export interface EncodeOptions {
  /** 1 for Warcraft III, 2 for World of Warcraft. Default 2, or 1 with `encoding: 'jpeg'`. */
  version?: 1 | 2;
  /**
   * Version 1: `jpeg` or `paletted`; version 2: all others. Default: `jpeg` in version 1; in version 2 `dxt1` for
   * pictures without alpha or with alpha 0 and 255 only, else `dxt5`.
   */
  encoding?: WritableEncoding;
  /**
   * Bits of alpha: `jpeg` 0 or 8, `paletted` 0, 1, 4 or 8, `dxt1` 0 or 1, `dxt3` 4 or 8 (4 are stored), `dxt5` 8,
   * `bgra` 0 or 8.
   *
   * Default for an opaque picture: 0, or 8 where the encoding has no 0. Default for alpha of 0 and 255 only: 1 in version
   * 2 where the encoding has 1. Otherwise the most that the encoding has.
   *
   * Readers take a JPEG alpha plane of zeros only as unused: a wholly transparent picture is better `paletted`.
   */
  alphaBits?: AlphaBits;
  /** `true`: the full chain down to 1 × 1; `false`: level 0 alone; a number: so many levels at most. Default `true`. */
  mipmaps?: boolean | number;
  /** Leave out levels whose larger side is below this many texels. Level 0 is always kept. Default 1. */
  minimumSize?: number;
  /** JPEG quality 1 to 100 on the scale of libjpeg. Default 90. */
  quality?: number;
  /** Spread the error of the palette's colours over neighbouring texels (Floyd-Steinberg). Default `false`. */
  dither?: boolean;
  /** DXT: speed against quality. Default `normal`. */
  preset?: Preset;
  /** One bit of alpha: texels with at least this alpha are opaque, 1 to 255. Default 128. */
  alphaThreshold?: number;
  /**
   * Count the colour of transparent texels too: alpha is a mask for something else than transparency, such as
   * the gloss of World of Warcraft's armour. Otherwise transparent texels do not weigh in DXT3 and DXT5 blocks, and mip levels
   * weigh colour by alpha. Default `false`.
   */
  keepTransparentColor?: boolean;
  /** Version 2: write sides that are not powers of two, which World of Warcraft rejects. Default `false`. */
  allowAnySize?: boolean;
}

/** Every question answered. */
export interface ResolvedOptions {
  version: 0 | 1 | 2;
  encoding: WritableEncoding;
  alphaBits: AlphaBits;
  levels: number;
  quality: number;
  dither: boolean;
  preset: Preset;
  alphaThreshold: number;
  keepTransparentColor: boolean;
}

const encodingsOf = {
  0: ['jpeg', 'paletted'],
  1: ['jpeg', 'paletted'],
  2: ['paletted', 'dxt1', 'dxt3', 'dxt5', 'bgra'],
} as const satisfies Record<0 | 1 | 2, readonly WritableEncoding[]>;

const optionNames = [
  'version',
  'encoding',
  'alphaBits',
  'mipmaps',
  'minimumSize',
  'quality',
  'dither',
  'preset',
  'alphaThreshold',
  'keepTransparentColor',
  'allowAnySize',
] as const satisfies readonly (keyof EncodeOptions)[];

function fail(message: string): never {
  throw new BlpError('argument', message);
}

/**
 * Checks picture and options and fills in the defaults.
 *
 * @param version0 write BLP0, which {@link EncodeOptions.version} does not offer.
 * @throws BlpError `argument`
 */
export function resolveOptions(
  image: RgbaImage,
  options: EncodeOptions,
  version0: boolean,
): ResolvedOptions {
  checkImage(image);
  checkOptions(options, optionNames);
  const version = version0 ? 0 : resolveVersion(options);
  const alpha = surveyAlpha(image);
  const encoding = resolveEncoding(options, version, alpha);
  const alphaBits = resolveAlphaBits(options, version, encoding, alpha);
  const allowAnySize = boolean('allowAnySize', options.allowAnySize, false);
  if (version === 2 && !allowAnySize) checkPowersOfTwo(image);
  const preset = options.preset ?? defaultPreset;
  oneOf('preset', preset, presets);
  return {
    version,
    encoding,
    alphaBits,
    levels: countLevels(image, options),
    quality: integer('quality', options.quality ?? 90, 1, 100),
    dither: boolean('dither', options.dither, false),
    preset,
    alphaThreshold: integer(
      'alphaThreshold',
      options.alphaThreshold ?? defaultAlphaThreshold,
      1,
      255,
    ),
    keepTransparentColor: boolean('keepTransparentColor', options.keepTransparentColor, false),
  };
}

/** @throws BlpError `argument` unless sides and length of the data fit together. */
export function checkImage(image: RgbaImage): void {
  if (typeof image !== 'object' || image === null) fail('image must be { width, height, data }');
  const { width, height, data } = image;
  integer('image.width', width, 1, maxSide);
  integer('image.height', height, 1, maxSide);
  if (!(data instanceof Uint8Array || data instanceof Uint8ClampedArray)) {
    fail('image.data must be a Uint8Array or Uint8ClampedArray of RGBA texels');
  }
  if (data.length !== width * height * 4) {
    const needed = width * height * 4;
    fail(`image.data has ${data.length} bytes; ${width} × ${height} RGBA texels take ${needed}`);
  }
}

function resolveVersion(options: EncodeOptions): 1 | 2 {
  const version = options.version ?? (options.encoding === 'jpeg' ? 1 : 2);
  oneOf('version', version, [1, 2]);
  return version;
}

/** What the picture's alpha holds: only 255, only 0 and 255, or anything else. */
type Alpha = 'opaque' | 'binary' | 'graded';

function surveyAlpha(image: RgbaImage): Alpha {
  const { data } = image;
  let found: Alpha = 'opaque';
  for (let at = 3; at < data.length; at += 4) {
    const alpha = data[at];
    if (alpha === 255) continue;
    if (alpha !== 0) return 'graded';
    found = 'binary';
  }
  return found;
}

function resolveEncoding(
  options: EncodeOptions,
  version: 0 | 1 | 2,
  alpha: Alpha,
): WritableEncoding {
  const { encoding, alphaBits } = options;
  if (encoding !== undefined) {
    oneOf('encoding', encoding, [...new Set(Object.values(encodingsOf).flat())]);
    const known: readonly WritableEncoding[] = encodingsOf[version];
    if (!known.includes(encoding)) {
      fail(`encoding ${encoding} is not for BLP${version}, which holds ${known.join(', ')}`);
    }
    return encoding;
  }
  if (version !== 2) return alphaBits === 1 || alphaBits === 4 ? 'paletted' : 'jpeg';
  if (alphaBits === 4) return 'dxt3';
  if (alphaBits === 8) return 'dxt5';
  if (alphaBits === undefined && alpha === 'graded') return 'dxt5';
  return 'dxt1';
}

function resolveAlphaBits(
  options: EncodeOptions,
  version: 0 | 1 | 2,
  encoding: WritableEncoding,
  alpha: Alpha,
): AlphaBits {
  const { written, opaque, graded } = alphaDepths[encoding];
  if (options.alphaBits !== undefined) {
    if (!written.includes(options.alphaBits)) {
      fail(`alphaBits is ${options.alphaBits}; ${encoding} allows ${written.join(', ')}`);
    }
    return options.alphaBits;
  }
  if (alpha === 'opaque') return opaque;
  // Warcraft III reads one bit of alpha as well, but none of its own files holds it, and other readers may not.
  if (alpha === 'binary' && version === 2 && written.includes(1)) return 1;
  return graded;
}

/**
 * How many levels are wanted of a picture.
 *
 * @throws BlpError `argument`
 */
export function countLevels(
  { width, height }: Pick<RgbaImage, 'width' | 'height'>,
  options: Pick<EncodeOptions, 'mipmaps' | 'minimumSize'>,
): number {
  const full = fullChainLength(width, height);
  const { mipmaps = true, minimumSize = 1 } = options;
  integer('minimumSize', minimumSize, 1, maxSide);
  if (typeof mipmaps !== 'boolean') integer('mipmaps', mipmaps, 1, 16);
  if (mipmaps === false) return 1;
  const wanted = mipmaps === true ? full : Math.min(full, mipmaps);
  const larger = Math.max(width, height);
  let levels = 1;
  while (levels < wanted && larger >> levels >= minimumSize) levels++;
  return levels;
}

function checkPowersOfTwo(image: RgbaImage): void {
  const { width, height } = image;
  if (isPowerOfTwo(width) && isPowerOfTwo(height)) return;
  fail(
    `sides are ${width} × ${height}; World of Warcraft takes powers of two only. Resize the picture with resize(), or ` +
      'set allowAnySize',
  );
}

function integer(name: string, value: number, least: number, most: number): number {
  if (!Number.isInteger(value) || value < least || value > most) {
    fail(`${name} must be an integer from ${least} to ${most}, got ${value}`);
  }
  return value;
}

function boolean(name: string, value: boolean | undefined, otherwise: boolean): boolean {
  if (value === undefined) return otherwise;
  if (typeof value !== 'boolean') fail(`${name} must be true or false, got ${value}`);
  return value;
}

/** @throws BlpError `argument` for a value that is not listed. */
export function oneOf<T>(name: string, value: T, allowed: readonly T[]): void {
  if (!allowed.includes(value)) fail(`${name} is ${value}; allowed are ${allowed.join(', ')}`);
}
