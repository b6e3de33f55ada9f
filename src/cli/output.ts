// Output files: written under a temporary name in the same folder, then given their own; nothing is replaced unasked.

import { createHash } from 'node:crypto';
import {
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CommandError, describeSystemError } from './failure.js';

/** What ends the name of a file that is being written. */
export const temporarySuffix = '.blp-partial';

/** Bytes that file systems allow in a name. */
const maxNameBytes = 255;

/**
 * The name under which an output is written. It is always the same, so that what a killed run left behind is replaced
 * by the next one.
 */
export function temporaryPath(path: string): string {
  const name = `${basename(path)}${temporarySuffix}`;
  if (Buffer.byteLength(name) <= maxNameBytes) return join(dirname(path), name);
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 16);
  return join(dirname(path), `${hash}${temporarySuffix}`);
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

/** Removes what a killed run may have left of this output. */
export function removeTemporary(path: string): void {
  try {
    unlinkSync(temporaryPath(path));
  } catch {
    // Nearly always there is none; one that cannot be removed does no harm.
  }
}

export function existsError(path: string): CommandError {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    return new CommandError('exists', `${path} is a folder: the output cannot have that name`);
  }
  return new CommandError(
    'exists',
    `${path} exists already (--overwrite replaces it, --skip-existing keeps it)`,
  );
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

/** Folders that this thread has made or found. */
const folders = new Set<string>();

function ensureFolder(folder: string): void {
  if (folders.has(folder)) return;
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const { code = 'EIO' } = error as NodeJS.ErrnoException;
    const reason = code === 'EEXIST' ? 'a file has that name' : describeSystemError(error as Error);
    throw new CommandError(code, `making the folder ${folder}: ${reason}`);
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
