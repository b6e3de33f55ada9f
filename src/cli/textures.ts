// The textures that info, validate and repair look at: finds them in files and folders, reads them with their level files.

import * as fs from 'node:fs';
import * as paths from 'node:path';
import type { LevelFiles } from '../container/slots.js';
import { checkFileSize, type Limits, resolveLimits } from '../limits.js';
import { readLevelFiles } from '../pool/level-files.js';
import { findInputs, type Problem, type Selection } from './find.js';
import type { PatternOptions } from './usage.js';
import { plural } from './words.js';

/** Named files as they are, whatever their extension; of folders the `.blp` files with all subfolders. */
export function findTextures(
  inputs: readonly string[],
  { include, exclude }: PatternOptions,
): Selection {
  const selection = findInputs({ inputs, extensions: ['.blp'], include, exclude });
  const { files, failures, ignored } = selection;
  if (files.length === 0 && failures.length === 0) failures.push(nothingFound(inputs, ignored));
  return selection;
}

/** What to say when neither a texture nor anything wrong was found. */
export function nothingFound(inputs: readonly string[], ignored: number): Problem {
  const others = ignored === 0 ? '' : `, but ${plural(ignored, 'other file')}`;
  return { path: inputs.join(', '), code: 'empty', message: `there is no BLP file${others}` };
}

export interface TextureFile {
  bytes: Uint8Array;
  /** BLP0: what lies beside the file. */
  levelFiles?: LevelFiles;
}

/** @throws BlpError `limit`, or an error of the system */
export function readTexture(path: string, limits: Partial<Limits>): TextureFile {
  const bounds = resolveLimits(limits);
  checkFileSize(bounds, fs.statSync(path).size);
  const bytes = new Uint8Array(fs.readFileSync(path));
  const levelFiles = readLevelFiles(bytes, path, fs, paths, bounds);
  return levelFiles ? { bytes, levelFiles } : { bytes };
}
