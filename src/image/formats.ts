// The formats that a texture can be written as, by name.

import { BlpError } from '../errors.js';
import { writeDds } from './dds-write.js';
import type { TextureSource } from './image.js';
import { writeKtx2 } from './ktx2.js';
import { writePng } from './png-write.js';
import { describeRaw, writeRaw } from './raw.js';
import { writeWebp } from './sharp.js';
import { writeTga } from './tga-write.js';

export interface WriteOptions {
  /** The level to write, or the one that becomes the largest of a file with a chain. Default 0. */
  level?: number;
  /** PNG only: 0 to 9. */
  compressionLevel?: number;
}

/** One file of the result; its name is the texture's with this extension, which has its dot. */
export interface OutputFile {
  extension: string;
  bytes: Uint8Array;
}

interface Format {
  /** What the files are called; the first is the one that a texture's name turns into. */
  extensions: readonly [string, ...string[]];
  /** Whether one file holds the whole chain of levels or a single level. */
  holds: 'chain' | 'level';
  write(
    source: TextureSource,
    options: Required<Pick<WriteOptions, 'level'>> & WriteOptions,
  ): Promise<Uint8Array[]>;
}

const utf8 = new TextEncoder();

/** Every format, with what it writes. The files come in the order of `extensions`. */
export const formats = {
  png: {
    extensions: ['.png'],
    holds: 'level',
    write: async (source, options) => [await writePng(source.decodeLevel(options.level), options)],
  },
  webp: {
    extensions: ['.webp'],
    holds: 'level',
    write: async (source, { level }) => [await writeWebp(source.decodeLevel(level))],
  },
  tga: {
    extensions: ['.tga'],
    holds: 'level',
    write: async (source, { level }) => [writeTga(source.decodeLevel(level))],
  },
  dds: {
    extensions: ['.dds'],
    holds: 'chain',
    write: async (source, { level }) => [writeDds(source, level)],
  },
  ktx2: {
    extensions: ['.ktx2'],
    holds: 'chain',
    write: async (source, { level }) => [writeKtx2(source, level)],
  },
  raw: {
    extensions: ['.rgba', '.rgba.json'],
    holds: 'level',
    write: async (source, { level }) => {
      const image = source.decodeLevel(level);
      const description = JSON.stringify(describeRaw(image, source, level), null, 2);
      return [writeRaw(image), utf8.encode(`${description}\n`)];
    },
  },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof formats;

/** The names, in the order in which they are offered. */
export const formatNames = Object.keys(formats) as FormatName[];

/**
 * Writes one texture in the format of that name.
 *
 * @returns one file, for `raw` two: the bytes and their description.
 * @throws BlpError `argument` for an unknown name or a level that the texture does not have, and what the format's
 *   writer throws.
 */
export async function writeTexture(
  source: TextureSource,
  name: FormatName,
  options: WriteOptions = {},
): Promise<OutputFile[]> {
  if (!Object.hasOwn(formats, name)) {
    throw new BlpError(
      'argument',
      `there is no format ${name}; there are ${formatNames.join(', ')}`,
    );
  }
  const level = options.level ?? 0;
  if (!Number.isInteger(level) || level < 0 || level >= source.levels.length) {
    throw new BlpError(
      'argument',
      `level ${level} does not exist: the texture has levels 0 to ${source.levels.length - 1}`,
    );
  }
  const format: Format = formats[name];
  const files = await format.write(source, { ...options, level });
  return files.map((bytes, index) => ({ extension: format.extensions[index], bytes }));
}
