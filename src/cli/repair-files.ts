// Writes what repair made of a texture: beside the others in an output folder, or in place with the original kept.

import * as fs from 'node:fs';
import { chmodSync, lstatSync, realpathSync, statSync } from 'node:fs';
import * as paths from 'node:path';
import { basename, dirname, extname, join } from 'node:path';
import { levelExtension } from '../container/slots.js';
import { findLevelFiles } from '../pool/level-files.js';
import type { RepairResult } from '../validate/repair.js';
import { CommandError } from './failure.js';
import { exists, existsError, writeOutput } from './output.js';
import type { TextureFile } from './textures.js';

/** What ends the name of an original that is kept. */
export const backupSuffix = '.bak';

/** A file to be written at its place. */
export interface PlacedFile {
  path: string;
  bytes: Uint8Array;
  /** In place: what the file holds now, to be kept as `.bak`; absent for a file that is new. */
  original?: Uint8Array;
}

/** The texture and, for BLP0, its level files at another place. */
export function outputsAt(path: string, { bytes, levelFiles = [] }: RepairResult): PlacedFile[] {
  const levels = levelFiles.flatMap((file, level) =>
    file ? [{ path: levelFilePath(path, level), bytes: file }] : [],
  );
  return [{ path, bytes }, ...levels];
}

/** The files of a texture that repair changed, at their own places. Links are followed: the file is what changes. */
export function outputsInPlace(
  input: string,
  before: TextureFile,
  { bytes, levelFiles = [] }: RepairResult,
): PlacedFile[] {
  const found = findLevelFiles(input, fs, paths);
  const path = followed(input);
  const outputs: PlacedFile[] = [];
  if (!isSame(bytes, before.bytes)) outputs.push({ path, bytes, original: before.bytes });
  levelFiles.forEach((file, level) => {
    const original = before.levelFiles?.[level];
    if (!file || (original && isSame(file, original))) return;
    // As it is named, whatever its case; the usual name where there is none.
    const named = found[level];
    outputs.push({
      path: named === undefined ? levelFilePath(input, level) : followed(named),
      bytes: file,
      ...(original && { original }),
    });
  });
  return outputs;
}

function followed(path: string): string {
  return lstatSync(path).isSymbolicLink() ? realpathSync(path) : path;
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

function levelFilePath(texture: string, level: number): string {
  const name = basename(texture, extname(texture));
  return join(dirname(texture), `${name}.${levelExtension(level)}`);
}

/**
 * Writes all files of a texture, originals first.
 *
 * @throws CommandError `exists` before anything is written where that would replace a file unasked
 */
export function writeOutputs(outputs: readonly PlacedFile[], overwrite: boolean): void {
  if (!overwrite) refuseExisting(outputs);
  const existing = overwrite ? 'overwrite' : 'refuse';
  for (const { path, original } of outputs) {
    if (original) writeOutput(path + backupSuffix, original, existing);
  }
  for (const { path, bytes, original } of outputs) {
    const mode = original && statSync(path).mode;
    writeOutput(path, bytes, original ? 'overwrite' : existing);
    if (mode !== undefined) chmodSync(path, mode & 0o7777);
  }
}

/** @throws CommandError `exists` for a file that would be replaced unasked */
export function refuseExisting(outputs: readonly PlacedFile[]): void {
  for (const { path, original } of outputs) {
    if (!original) {
      if (exists(path)) throw existsError(path, '--overwrite replaces it');
    } else if (exists(path + backupSuffix)) {
      const message = `${path}${backupSuffix} exists already and holds an earlier original: move it away (--overwrite replaces it)`;
      throw new CommandError('exists', message);
    }
  }
}
