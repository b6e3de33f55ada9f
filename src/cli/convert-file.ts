// Converts one file from beginning to end: read, decode, encode, write. Runs in the workers.

import * as fs from 'node:fs';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import * as paths from 'node:path';
import { versionOf } from '../container/header.js';
import { identifyFile } from '../container/identify.js';
import { levelExtension } from '../container/slots.js';
import type { AlphaMode } from '../decode/request.js';
import { BlpError } from '../errors.js';
import { type FormatName, formats, type OutputFile, writeTexture } from '../image/formats.js';
import type { TextureSource } from '../image/image.js';
import { checkFileSize, resolveLimits } from '../limits.js';
import { readLevelFiles } from '../pool/level-files.js';
import { type BlpTexture, parse } from '../texture.js';
import { toFailure } from './failure.js';
import { type ConvertJob, type ConvertResult, type ConvertSettings, emptyResult } from './job.js';
import { ensureFolder, exists, existsError, otherLevelFiles, writeOutput } from './output.js';
import { toBlp } from './to-blp.js';

/** Texels and files are decoded and read into the same memory again and again; above this much it is given back. */
const keptBytes = 32 << 20;

/** A converter with buffers of its own; one a worker. */
export function createConverter(
  settings: ConvertSettings,
): (job: ConvertJob) => Promise<ConvertResult> {
  const limits = resolveLimits(settings.limits);
  const lendInput = createLender();
  const lendTexels = createLender();

  return async (job) => {
    const result = emptyResult();
    try {
      await convert(job, result);
    } catch (error) {
      result.failure = toFailure(error, 'reading');
    }
    return result;
  };

  async function convert(job: ConvertJob, result: ConvertResult): Promise<void> {
    const expected = expectedOutputs(job, settings);
    if (expected && mayKeep(expected, result)) return;
    const bytes = timed(result, 'read', () => readInput(job.input));
    result.bytesRead = bytes.length;
    if (settings.to === 'blp') {
      const outputs = await toBlp(bytes, job, settings, result);
      // BLP0: how many level files there are is known only now.
      const names = namesOf(job, outputs);
      if (!expected && mayKeep(names, result)) return;
      const isReplacing = settings.existing === 'overwrite';
      const others = settings.blp.version === 0 ? otherLevelFiles(names, isReplacing) : [];
      write(job, outputs, result);
      for (const other of others) fs.unlinkSync(other);
      return;
    }
    const texture = timed(result, 'decode', () => parseInput(bytes, job, result));
    if (!expected && mayKeep(levelOutputs(job, settings, texture.levels.length), result)) return;
    const source = toSource(texture, result);
    const last = settings.allLevels ? texture.levels.length - 1 : settings.level;
    for (let level = settings.allLevels ? 0 : last; level <= last; level++) {
      const start = performance.now();
      const decodeBefore = result.times.decode;
      const files = await writeTexture(source, settings.to, {
        level,
        compressionLevel: settings.compressionLevel,
      });
      result.times.encode += performance.now() - start - (result.times.decode - decodeBefore);
      const part = settings.allLevels ? `.level${level}` : '';
      write(
        job,
        files.map((file) => ({ ...file, extension: part + file.extension })),
        result,
      );
    }
  }

  /** @returns whether everything is there already and is to stay; `result` says so then. */
  function mayKeep(outputs: readonly string[], result: ConvertResult): boolean {
    if (settings.existing === 'overwrite') return false;
    const present = outputs.filter(exists);
    if (present.length === 0) return false;
    if (settings.existing === 'refuse') throw existsError(present[0]);
    if (present.length < outputs.length) return false;
    for (const path of outputs) {
      if (fs.lstatSync(path).isDirectory()) throw existsError(path);
      // Clears the folder of what killed runs left, which may be of this file.
      ensureFolder(paths.dirname(path));
    }
    result.status = 'skipped';
    result.outputs = [...outputs];
    return true;
  }

  function readInput(path: string): Uint8Array {
    const file = openSync(path, 'r');
    try {
      const { size } = fstatSync(file);
      checkFileSize(limits, size);
      const target = lendInput(size);
      let filled = 0;
      while (filled < size) {
        const count = readSync(file, target, filled, size - filled, filled);
        if (count === 0) break;
        filled += count;
      }
      return target.subarray(0, filled);
    } finally {
      closeSync(file);
    }
  }

  function parseInput(bytes: Uint8Array, job: ConvertJob, result: ConvertResult): BlpTexture {
    if (versionOf(bytes) === undefined) refusePicture(bytes);
    const texture = parse(bytes, {
      levelFiles: readLevelFiles(bytes, job.input, fs, paths, limits),
      salvage: settings.salvage,
      limits,
      onWarning: (warning) => result.warnings.push(warning),
    });
    result.format = `BLP${texture.version} ${texture.encoding}`;
    result.width = texture.width;
    result.height = texture.height;
    result.levels = texture.levels.length;
    return texture;
  }

  function toSource(texture: BlpTexture, result: ConvertResult): TextureSource {
    return {
      width: texture.width,
      height: texture.height,
      encoding: texture.encoding,
      alphaBits: copiedAlphaBits(texture.alphaBits, settings.alpha),
      levels: texture.levels,
      decodeLevel(level) {
        const { width, height } = texture.levels[level];
        result.pixels += width * height;
        return timed(result, 'decode', () =>
          texture.decode({
            level,
            alpha: settings.alpha,
            into: lendTexels(Math.min(width * height * 4, limits.maxOutputBytes)),
          }),
        );
      },
    };
  }

  function write(job: ConvertJob, outputs: readonly OutputFile[], result: ConvertResult): void {
    timed(result, 'write', () => {
      for (const [index, path] of namesOf(job, outputs).entries()) {
        const { bytes } = outputs[index];
        writeOutput(path, bytes, settings.existing);
        result.outputs.push(path);
        result.bytesWritten += bytes.length;
      }
    });
    result.status = 'converted';
  }
}

/** What blocks that are copied are said to hold: of them, `auto` and `declared` take what the header declares. */
function copiedAlphaBits(declared: number, alpha: AlphaMode): number {
  if (alpha === 'opaque') return 0;
  return alpha === 'stored' ? Math.max(1, declared) : declared;
}

function namesOf(job: ConvertJob, outputs: readonly { extension: string }[]): string[] {
  return outputs.map(({ extension }, index) =>
    index === 0 && job.extension !== undefined ? job.stem + job.extension : job.stem + extension,
  );
}

/** What a job will write, or undefined where that depends on the file: one output a level. */
export function expectedOutputs(job: ConvertJob, settings: ConvertSettings): string[] | undefined {
  if (settings.to === 'blp') {
    return settings.blp.version === 0 ? undefined : namesOf(job, [{ extension: '.blp' }]);
  }
  if (settings.allLevels) return undefined;
  const { extensions } = formats[settings.to];
  return namesOf(
    job,
    extensions.map((extension) => ({ extension })),
  );
}

/** What a job writes of a texture or BLP0 file with so many levels. */
export function levelOutputs(job: ConvertJob, settings: ConvertSettings, levels: number): string[] {
  const indices = Array.from({ length: levels }, (_, level) => level);
  if (settings.to === 'blp') {
    const extensions = indices.map((level) => `.${levelExtension(level)}`);
    return namesOf(
      job,
      ['.blp', ...extensions].map((extension) => ({ extension })),
    );
  }
  const { extensions } = formats[settings.to as FormatName];
  return indices.flatMap((level) =>
    extensions.map((extension) => `${job.stem}.level${level}${extension}`),
  );
}

function timed<T>(result: ConvertResult, step: keyof ConvertResult['times'], work: () => T): T {
  const start = performance.now();
  try {
    return work();
  } finally {
    result.times[step] += performance.now() - start;
  }
}

/** Hands out the same memory again and again, growing as needed. */
function createLender(): (size: number) => Uint8Array<ArrayBuffer> {
  let memory = new Uint8Array(0);
  return (size) => {
    const isWasteful = memory.length > keptBytes && size <= keptBytes;
    if (memory.length < size || isWasteful) memory = new Uint8Array(size);
    return memory.subarray(0, size);
  };
}

/** @throws BlpError that tells how a picture among the inputs becomes a texture */
function refusePicture(bytes: Uint8Array): void {
  const { kind, phrase } = identifyFile(bytes);
  if (kind !== 'picture' && kind !== 'tga') return;
  const message = `not a BLP texture but ${phrase} (to make BLP of it, add --to blp)`;
  throw new BlpError('not-blp', message, 0);
}
