// Any other image file → a picture, or its blocks where it holds some.

import { identifyFile } from '../container/identify.js';
import { BlpError } from '../errors.js';
import type { Limits } from '../limits.js';
import { type DdsContent, isDds, readDds } from './dds-read.js';
import type { Image } from './image.js';
import { isPng } from './png-chunks.js';
import { readPng } from './png-read.js';
import { readWithSharp } from './sharp.js';
import { readTga } from './tga-read.js';

export interface ReadOptions {
  limits?: Partial<Limits>;
}

/**
 * Reads an image file by its content: PNG, TGA and DDS whatever is installed, everything else through sharp when it is.
 *
 * @param name the file's name, for messages, and to know a TGA, which has no signature.
 * @returns blocks for a DDS file of DXT or BC5 blocks, so that they can be copied; a picture for everything else.
 * @throws BlpError; the message names the file and says what it is.
 *
 * @example
 * ```ts
 * const content = await readSource(await readFile('icon.dds'), 'icon.dds');
 * if (content.kind === 'pixels') encode(content.image, { version: 2, encoding: 'dxt5' });
 * ```
 */
export async function readSource(
  bytes: Uint8Array,
  name: string,
  options: ReadOptions = {},
): Promise<DdsContent> {
  try {
    if (isDds(bytes)) return readDds(bytes, options.limits);
    return { kind: 'pixels', image: await readPixels(bytes, name, options.limits) };
  } catch (error) {
    if (!(error instanceof BlpError)) throw error;
    throw new BlpError(error.code, `${name}: ${error.message}`, error.offset);
  }
}

/**
 * As {@link readSource}, for callers that want a picture and nothing else.
 *
 * @throws BlpError, with `unsupported` for a DDS file of blocks.
 */
export async function readPicture(
  bytes: Uint8Array,
  name: string,
  options: ReadOptions = {},
): Promise<Image> {
  const content = await readSource(bytes, name, options);
  if (content.kind === 'pixels') return content.image;
  throw new BlpError(
    'unsupported',
    `${name}: a DDS file of ${content.format} blocks is no picture`,
  );
}

async function readPixels(
  bytes: Uint8Array,
  name: string,
  limits: Partial<Limits> | undefined,
): Promise<Image> {
  if (isPng(bytes)) return readPng(bytes, limits);
  const { kind, phrase } = identifyFile(bytes);
  if (kind === 'tga' || (kind === 'unknown' && /\.tga$/i.test(name))) return readTga(bytes, limits);
  if (kind === 'empty') throw new BlpError('truncated', 'the file is empty', 0);
  return readWithSharp(bytes, phrase, limits);
}
