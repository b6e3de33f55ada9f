// Any picture or texture → the files of a BLP texture; blocks that fit already are copied.

import * as fs from 'node:fs';
import * as paths from 'node:path';
import { type AlphaBits, alphaDepths } from '../container/alpha.js';
import { blockFormat } from '../container/blocks.js';
import { versionOf } from '../container/header.js';
import { identify } from '../container/identify.js';
import { isPowerOfTwo } from '../container/sides.js';
import { levelExtension } from '../container/slots.js';
import { copyBlocks } from '../encode/copy-blocks.js';
import { encode, encodeBlp0 } from '../encode/encode.js';
import { countLevels, type RgbaImage } from '../encode/options.js';
import { resize } from '../encode/resize.js';
import { BlpError } from '../errors.js';
import type { OutputFile } from '../image/formats.js';
import { readSource } from '../image/picture.js';
import type { BlockFormat } from '../kernels/kernels.js';
import { resolveLimits } from '../limits.js';
import { readLevelFiles } from '../pool/level-files.js';
import { decode, parse } from '../texture.js';
import type { ConvertJob, ConvertResult, ConvertSettings } from './job.js';

/** What an input holds: texels, and its blocks where it has some. */
interface Content {
  width: number;
  height: number;
  blocks?: { format: BlockFormat; alphaBits: number; levels: readonly Uint8Array[] };
  image(): RgbaImage;
}

/** Reads, decodes and encodes; fills in what it finds out. */
export async function toBlp(
  bytes: Uint8Array,
  job: ConvertJob,
  settings: ConvertSettings,
  result: ConvertResult,
): Promise<OutputFile[]> {
  const start = performance.now();
  const content = await readContent(bytes, job, settings, result);
  result.width = content.width;
  result.height = content.height;
  const copied = copyable(content, settings);
  const picture = copied ? undefined : content.image();
  const decoded = performance.now();
  result.times.decode += decoded - start;
  result.pixels += content.width * content.height;
  const outputs = copied ?? encodePicture(picture!, settings);
  result.times.encode += performance.now() - decoded;
  return outputs;
}

function encodePicture(picture: RgbaImage, settings: ConvertSettings): OutputFile[] {
  const { version, options, resize: mode } = settings.blp;
  const image = mode === undefined ? picture : resize(picture, mode);
  if (version !== 0) return [{ extension: '.blp', bytes: encode(image, { ...options, version }) }];
  const { header, levels } = encodeBlp0(image, options);
  return [
    { extension: '.blp', bytes: header },
    ...levels.map((bytes, level) => ({ extension: `.${levelExtension(level)}`, bytes })),
  ];
}

async function readContent(
  bytes: Uint8Array,
  job: ConvertJob,
  settings: ConvertSettings,
  result: ConvertResult,
): Promise<Content> {
  if (versionOf(bytes) !== undefined) return readBlp(bytes, job, settings, result);
  const kind = identify(bytes);
  result.format = kind.replace(/^an? /, '');
  // Messages are shown behind the file's name already.
  const name = paths.basename(job.input);
  const source = await readSource(bytes, name, { limits: settings.limits }).catch((error) => {
    if (!(error instanceof BlpError) || !error.message.startsWith(`${name}: `)) throw error;
    throw new BlpError(error.code, error.message.slice(name.length + 2), error.offset);
  });
  if (source.kind === 'pixels') {
    const { image } = source;
    if (settings.alpha === 'opaque') makeOpaque(image.data);
    return { width: image.width, height: image.height, image: () => image };
  }
  const { format } = source;
  const { width, height } = source.levels[0];
  const levels = source.levels.map((level) => level.bytes);
  result.levels = levels.length;
  const wrapped = (alphaBits: AlphaBits) =>
    copyBlocks({ format, width, height, alphaBits }, levels);
  const { limits } = settings;
  let alphaBits = alphaDepths[format].graded;
  if (format === 'dxt1') {
    // DDS does not say reliably whether transparent texels of DXT1 are meant; if there are any, they are.
    alphaBits = hasTransparency(decode(wrapped(1), { limits }).data) ? 1 : 0;
  }
  return {
    width,
    height,
    blocks: { format, alphaBits, levels },
    image: () => decode(wrapped(alphaBits), { limits }),
  };
}

function makeOpaque(data: RgbaImage['data']): void {
  for (let at = 3; at < data.length; at += 4) data[at] = 255;
}

function hasTransparency(data: Uint8ClampedArray): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return true;
  return false;
}

function readBlp(
  bytes: Uint8Array,
  job: ConvertJob,
  settings: ConvertSettings,
  result: ConvertResult,
): Content {
  const { limits, salvage, alpha } = settings;
  const texture = parse(bytes, {
    levelFiles: readLevelFiles(bytes, job.input, fs, paths, resolveLimits(limits)),
    limits,
    salvage,
    onWarning: (warning) => result.warnings.push(warning),
  });
  const { width, height, encoding, alphaBits } = texture;
  result.format = `BLP${texture.version} ${encoding}`;
  result.levels = texture.levels.length;
  const format = blockFormat(encoding);
  return {
    width,
    height,
    blocks:
      format && alpha === 'auto' && !salvage
        ? { format, alphaBits, levels: texture.levels.map((level) => level.bytes) }
        : undefined,
    image: () => texture.decode({ alpha }),
  };
}

/** The texture made of the input's own blocks, or undefined where they are not what was asked for. */
function copyable(content: Content, settings: ConvertSettings): OutputFile[] | undefined {
  const { blocks, width, height } = content;
  const { version, options } = settings.blp;
  if (!blocks || (version ?? 2) !== 2) return undefined;
  const { format } = blocks;
  if ((options.encoding ?? format) !== format) return undefined;
  const fits = isPowerOfTwo(width) && isPowerOfTwo(height);
  if (!fits && (!options.allowAnySize || settings.blp.resize !== undefined)) return undefined;
  const stored = storedAlphaBits(format, blocks.alphaBits);
  const alphaBits = options.alphaBits ?? stored;
  // The same blocks with alpha instead of none, or the reverse, are another picture.
  if ((alphaBits === 0) !== (stored === 0)) return undefined;
  const levels = chainOf({ ...blocks, alphaBits }, width, height, settings);
  const bytes = copyBlocks({ format, width, height, alphaBits }, levels);
  return [{ extension: '.blp', bytes }];
}

/** Alpha bits as BLP2 has them for this format. */
function storedAlphaBits(format: BlockFormat, alphaBits: number): AlphaBits {
  if (alphaBits === 0) return 0;
  const { written, graded } = alphaDepths[format];
  return written.find((depth) => depth === alphaBits) ?? graded;
}

/** The levels that are wanted: those that are there, and the missing ones made of the smallest. */
function chainOf(
  blocks: { format: BlockFormat; alphaBits: AlphaBits; levels: readonly Uint8Array[] },
  width: number,
  height: number,
  settings: ConvertSettings,
): Uint8Array[] {
  const { format, alphaBits, levels } = blocks;
  const { limits } = settings;
  const { options } = settings.blp;
  const wanted = countLevels({ width, height }, options);
  if (levels.length >= wanted || format === 'bc5') return levels.slice(0, wanted);
  const last = levels.length - 1;
  const smallest = decode(copyBlocks({ format, width, height, alphaBits }, levels), {
    level: last,
    limits,
  });
  const rest = encode(smallest, {
    ...options,
    version: 2,
    encoding: format,
    alphaBits: alphaBits === 0 && format !== 'dxt1' ? undefined : alphaBits,
    mipmaps: wanted - last,
    allowAnySize: true,
  });
  return [
    ...levels,
    ...parse(rest, { limits })
      .levels.slice(1)
      .map((level) => level.bytes),
  ];
}
