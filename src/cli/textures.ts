// The textures that validate and repair look at: finds them in files and folders, reads them with their level files.

import * as fs from 'node:fs';
import * as paths from 'node:path';
import type { LevelFiles } from '../container/slots.js';
import { BlpError } from '../errors.js';
import { defaultLimits } from '../limits.js';
import { isBlp0, readLevelFiles } from '../pool/level-files.js';
import { type Found, findInputs, type Plan, type Problem } from './plan.js';

/** Files to look at, and what could not be found or walked. */
export interface Selection {
  files: Found[];
  failures: Problem[];
  notes: Problem[];
}

/** Named files as they are, whatever their extension; of folders the `.blp` files with all subfolders. */
export function findTextures(
  inputs: readonly string[],
  include: readonly string[] = [],
  exclude: readonly string[] = [],
): Selection {
  const plan: Plan = { jobs: [], failures: [], notes: [], ignored: 0, elsewhere: 0 };
  const files = findInputs(
    {
      ...{ inputs, include, exclude, extensions: ['.blp'], outputExtension: '.blp' },
      ...{ output: '', isFile: true, shard: undefined },
    },
    plan,
  );
  return { files, failures: plan.failures, notes: plan.notes };
}

export interface TextureFile {
  bytes: Uint8Array;
  /** BLP0: what lies beside the file. */
  levelFiles?: LevelFiles;
}

/** @throws BlpError `limit`, or an error of the system */
export function readTexture(path: string): TextureFile {
  const { size } = fs.statSync(path);
  const { maxInputBytes } = defaultLimits;
  if (size > maxInputBytes) {
    throw new BlpError('limit', `the file has ${size} bytes, allowed are ${maxInputBytes}`);
  }
  const bytes = new Uint8Array(fs.readFileSync(path));
  if (!isBlp0(bytes)) return { bytes };
  return { bytes, levelFiles: readLevelFiles(path, fs, paths, maxInputBytes) };
}
