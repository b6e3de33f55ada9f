// Output files: written under a temporary name in the same folder, then given their own; nothing is replaced unasked.

import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import {
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import * as paths from 'node:path';
import { basename, dirname, join } from 'node:path';
import { findLevelFiles } from '../pool/level-files.js';
import { CommandError, describeSystemError } from './failure.js';

/** What ends the name of a file that is being written. */
export const temporarySuffix = '.blp-partial';

/** Bytes that file systems allow in a name. */
const maxNameBytes = 255;

/** Names the machine, for folders that several share. */
const machine = shortHash(hostname(), 8);

function shortHash(text: string, digits: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits);
}

/**
 * The name under which an output is written: `NAME.PROCESS-MACHINE.blp-partial`. Two processes that write the same output
 * never write into the same file, and the next run knows what is left of one that was killed.
 */
export function temporaryPath(path: string): string {
  const ending = `.${process.pid}-${machine}${temporarySuffix}`;
  const name = `${basename(path)}${ending}`;
  if (Buffer.byteLength(name) <= maxNameBytes) return join(dirname(path), name);
  return join(dirname(path), `${shortHash(basename(path), 16)}${ending}`);
}

/** Whether something of that name is there, be it a link that leads nowhere. */
export function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // Below a file nothing can exist; making the folder will say so.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false;
    throw error;
  }
}

/** Removes what a worker of this process that was ended may have left of this output. */
export function removeTemporary(path: string): void {
  removeIfPossible(temporaryPath(path));
}

function removeIfPossible(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Nearly always there is none; one that cannot be removed does no harm.
  }
}

/** Temporary files of other machines are left over when nobody has written to them for a day. */
const abandonedAfter = 24 * 60 * 60 * 1000;

/** Removes what runs that were killed have left in a folder. */
function removeAbandoned(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, pid, host] = /\.(\d+)-([0-9a-f]{8})\.blp-partial$/.exec(name) ?? [];
    if (pid === undefined) continue;
    const path = join(folder, name);
    const isDead = host === machine && !isRunning(Number(pid));
    if (isDead || isAbandoned(path)) removeIfPossible(path);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function isAbandoned(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > abandonedAfter;
}

/** @param remedies which options help */
export function existsError(
  path: string,
  remedies = '--overwrite replaces it, --skip-existing keeps it',
): CommandError {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    return new CommandError('exists', `${path} is a folder: the output cannot have that name`);
  }
  return new CommandError('exists', `${path} exists already (${remedies})`);
}

/**
 * Level files that lie where a BLP0 texture is written, of one that had more levels: they would be taken for this one's.
 *
 * @param written the texture and its own level files
 * @returns what is to be removed when the texture is written
 * @throws CommandError `exists` where they may not be removed
 */
export function otherLevelFiles(written: readonly string[], overwrite: boolean): string[] {
  const [texture] = written as [string];
  if (!exists(dirname(texture))) return [];
  const own = new Set(written);
  const others = findLevelFiles(texture, fs, paths).flatMap((file) =>
    file === undefined || own.has(file) ? [] : [file],
  );
  if (others[0] !== undefined && !overwrite) throw existsError(others[0]);
  return others;
}

/**
 * Writes one file.
 *
 * @param existing `skip` keeps a file that is there already without an error.
 * @throws CommandError with the reason; nothing is left of the file then.
 */
export function writeOutput(
  path: string,
  bytes: Uint8Array,
  existing: 'overwrite' | 'skip' | 'refuse',
): void {
  ensureFolder(dirname(path));
  const temporary = temporaryPath(path);
  try {
    writeWhole(temporary, bytes);
    if (existing === 'overwrite') replace(temporary, path);
    else giveName(temporary, path, existing);
  } catch (error) {
    removeTemporary(path);
    if (error instanceof CommandError) throw error;
    const { code = 'EIO' } = error as NodeJS.ErrnoException;
    const reason = describeSystemError(error as NodeJS.ErrnoException);
    throw new CommandError(code, `writing ${path}: ${reason}`);
  }
}

/** Folders that this thread has made or found, free of what killed runs left there. */
const folders = new Set<string>();

/** @throws CommandError when the folder is not there and cannot be made */
export function ensureFolder(folder: string): void {
  if (folders.has(folder)) return;
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const { code = 'EIO' } = error as NodeJS.ErrnoException;
    const reason = code === 'EEXIST' ? 'a file has that name' : describeSystemError(error as Error);
    throw new CommandError(code, `making the folder ${folder}: ${reason}`);
  }
  try {
    removeAbandoned(folder);
  } catch {
    // A folder that cannot be listed can be written to nevertheless.
  }
  folders.add(folder);
}

function writeWhole(path: string, bytes: Uint8Array): void {
  const file = openNew(path);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  } finally {
    closeSync(file);
  }
}

/** Never opens what is there already: it may be a link to somewhere else. */
function openNew(path: string): number {
  try {
    return openSync(path, 'wx');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    unlinkSync(path);
    return openSync(path, 'wx');
  }
}

function replace(temporary: string, path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) throw existsError(path);
  renameSync(temporary, path);
}

/** What file systems answer that know no second name of a file. */
const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL', 'EACCES']);

/** A second name fails where a rename would silently replace, even when another program is writing as well. */
function giveName(temporary: string, path: string, existing: 'skip' | 'refuse'): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST' && !noLinks.has(code)) throw error;
    if (code !== 'EEXIST' && !exists(path)) {
      renameSync(temporary, path);
      return;
    }
    if (existing === 'refuse' || lstatSync(path).isDirectory()) throw existsError(path);
  }
  unlinkSync(temporary);
}
