// The optional dependency sharp: found and set up, reads pictures of many formats, writes WebP.

import { BlpError } from '../errors.js';
import { checkFileSize, type Limits, resolveLimits } from '../limits.js';
import { checkImage, checkSides, type Image } from './image.js';

type Sharp = typeof import('sharp').default;
type SharpPipeline = ReturnType<Sharp>;

let loading: Promise<Sharp> | undefined;

async function loadSharp(): Promise<Sharp> {
  // A name that is no literal keeps bundlers from looking for the package.
  const name = 'sharp';
  loading ??= import(/* @vite-ignore */ /* webpackIgnore: true */ name).then(
    ({ default: sharp }: { default: Sharp }) => {
      // Batches run in several threads as it is, and no picture comes twice.
      sharp.concurrency(1);
      sharp.cache(false);
      return sharp;
    },
  );
  return loading;
}

/**
 * Loads sharp, or finds that it is not installed or does not start.
 *
 * A program that uses it in worker threads calls this before it starts them: the GNU C library would unload what sharp
 * is made of with the last thread that holds it, while others of its own threads still run.
 */
export async function findSharp(): Promise<Sharp | undefined> {
  return loadSharp().catch(() => undefined);
}

/** @throws BlpError `unsupported` when sharp is not installed or does not start. */
async function needSharp(purpose: string): Promise<Sharp> {
  try {
    return await loadSharp();
  } catch (error) {
    const reason =
      (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND' ? '' : `: ${error}`;
    throw new BlpError(
      'unsupported',
      `${purpose} needs the package sharp, install it with "npm install sharp"${reason}`,
    );
  }
}

/**
 * Reads whatever sharp reads (JPEG, WebP, GIF, TIFF, AVIF, SVG …): the first frame, upright by its EXIF orientation,
 * in sRGB (CMYK and colour profiles converted), alpha not multiplied into the colour.
 *
 * @param kind what the bytes are, with its article, for messages.
 * @throws BlpError `unsupported` without sharp or for a format that it does not know, `damaged`, `limit`.
 */
export async function readWithSharp(
  bytes: Uint8Array,
  kind: string,
  limits?: Partial<Limits>,
): Promise<Image> {
  const bounds = resolveLimits(limits);
  checkFileSize(bounds, bytes.length);
  const sharp = await needSharp(`reading ${kind}`);
  try {
    // Its own limit knows neither fractions nor infinity; the sides are checked here.
    const input = sharp(bytes, { limitInputPixels: false, autoOrient: true });
    const { width, height } = await input.metadata();
    checkSides(width, height, bounds);
    const { data, info } = await input
      .toColorspace('srgb')
      .ensureAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    const image = {
      width: info.width,
      height: info.height,
      data: new Uint8ClampedArray(data.buffer, data.byteOffset, data.length),
    };
    checkImage(image);
    return image;
  } catch (error) {
    throw error instanceof BlpError ? error : translate(error, kind);
  }
}

function translate(error: unknown, kind: string): BlpError {
  const message = error instanceof Error ? error.message : String(error);
  if (message.includes('unsupported image format')) {
    return new BlpError('unsupported', `${kind} is not a format that can be read`);
  }
  return new BlpError('damaged', `${kind} cannot be read: ${message}`);
}

/** The largest side that the WebP container can hold: 14 bits. */
const webpMaxSide = 16383;

/**
 * Writes a lossless WebP in which every texel keeps its four samples, also the colour of fully transparent ones.
 *
 * @param options.effort 0 (fast, the default) to 6 (small). Effort 1 makes files 10 to 15 % smaller and takes two to three times
 *   as long; see bench/png.ts.
 * @throws BlpError `unsupported` without sharp, `limit` for a side above 16383.
 */
export async function writeWebp(
  image: Image,
  options: { effort?: number } = {},
): Promise<Uint8Array> {
  checkImage(image);
  const { width, height } = image;
  if (width > webpMaxSide || height > webpMaxSide) {
    throw new BlpError(
      'limit',
      `WebP holds sides up to ${webpMaxSide}, the picture is ${width} × ${height}`,
    );
  }
  const sharp = await needSharp('writing WebP');
  const effort = options.effort ?? 0;
  return toBytes(fromRaw(sharp, image).webp({ lossless: true, exact: true, effort }));
}

/** A picture at the beginning of what sharp is to do. */
export function fromRaw(sharp: Sharp, { width, height, data }: Image): SharpPipeline {
  return sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: false });
}

/**
 * The file at the end of it, as plain bytes: a Buffer's `slice` does not copy. By way of a Buffer, because sharp 0.35's
 * `toUint8Array` leaves about 4 KB behind at each call.
 */
export async function toBytes(pipeline: SharpPipeline): Promise<Uint8Array> {
  const { buffer, byteOffset, length } = await pipeline.toBuffer();
  return new Uint8Array(buffer, byteOffset, length);
}
