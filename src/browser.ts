// Pictures for a page: ImageData, ImageBitmap and canvas, and where each of them would change a colour.

import { BlpError } from './errors.js';
import type { Image } from './texture.js';

/**
 * What a picture shows: all of it, its colour without alpha, or one channel as grey. All but `rgba` are opaque, and
 * opaque pixels pass through every canvas unchanged.
 */
export type Channels = 'rgba' | 'rgb' | 'red' | 'green' | 'blue' | 'alpha';

/** Options of {@link toImageData}, {@link toImageBitmap} and {@link drawToCanvas}. */
export interface ChannelOptions {
  /** Default `rgba`. */
  channels?: Channels;
}

/**
 * The picture as `ImageData`. With `rgba` it shares the picture's memory: nothing is copied.
 *
 * @throws BlpError `argument` for channels that do not exist
 * @example
 * ```ts
 * const mask = toImageData(decode(bytes), { channels: 'alpha' });
 * ```
 */
export function toImageData(image: Image, options: ChannelOptions = {}): ImageData {
  const { width, height, data } = image;
  const pixels = selectChannels(data, options.channels ?? 'rgba');
  return new ImageData(pixels, width, height, { colorSpace: 'srgb' });
}

/**
 * The picture as `ImageBitmap` with its colours as they are: alpha is not multiplied into them, no colour profile is
 * applied. `gl.texImage2D` and WebGPU's `copyExternalImageToTexture` take all four channels from it unchanged.
 *
 * @throws BlpError `argument` for channels that do not exist
 * @example
 * ```ts
 * const bitmap = await toImageBitmap(decode(bytes));
 * gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, bitmap);
 * ```
 */
export async function toImageBitmap(
  image: Image,
  options: ChannelOptions = {},
): Promise<ImageBitmap> {
  return createImageBitmap(toImageData(image, options), {
    premultiplyAlpha: 'none',
    colorSpaceConversion: 'none',
  });
}

/**
 * Gives a canvas the picture's sides and paints the picture. It looks right in all cases, but a 2D canvas keeps colours
 * multiplied by alpha: read back with `getImageData` or `toBlob`, colours where alpha is below 255 come out rounded, and
 * are lost where it is 0. Opaque pixels come out as they were; so does everything but `rgba`. To save a picture, write
 * its data, not its canvas.
 *
 * @throws BlpError `argument` for channels that do not exist, or a canvas that has another kind of context already
 * @example
 * ```ts
 * drawToCanvas(document.querySelector('canvas')!, decode(bytes));
 * ```
 */
export function drawToCanvas(
  canvas: HTMLCanvasElement | OffscreenCanvas,
  image: Image,
  options: ChannelOptions = {},
): void {
  const pixels = toImageData(image, options);
  const context = canvas.getContext('2d') as
    | CanvasRenderingContext2D
    | OffscreenCanvasRenderingContext2D
    | null;
  if (context === null) {
    throw new BlpError('argument', 'the canvas has another kind of context, or has none to give');
  }
  canvas.width = image.width;
  canvas.height = image.height;
  context.putImageData(pixels, 0, 0);
}

/** Texels as 32-bit words; every browser runs on processors that store the lowest byte, red, first. */
function selectChannels(
  data: Uint8ClampedArray<ArrayBuffer>,
  channels: Channels,
): Uint8ClampedArray<ArrayBuffer> {
  if (channels === 'rgba') return data;
  const selected = new Uint8ClampedArray(data.length);
  if (channels === 'rgb') {
    selected.set(data);
    for (let at = 3; at < selected.length; at += 4) selected[at] = 255;
    return selected;
  }
  const offset = ['red', 'green', 'blue', 'alpha'].indexOf(channels);
  if (offset < 0) {
    throw new BlpError(
      'argument',
      `channels must be one of rgba, rgb, red, green, blue, alpha, got ${channels}`,
    );
  }
  const words = new Uint32Array(selected.buffer);
  for (let texel = 0; texel < words.length; texel++) {
    words[texel] = data[texel * 4 + offset] * 0x010101 + 0xff000000;
  }
  return selected;
}
