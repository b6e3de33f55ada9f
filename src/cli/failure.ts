// Errors of all kinds → a code and one line that says what is wrong, for people.

import { BlpError } from '../errors.js';
import { PoolError } from '../pool/errors.js';
import { inOptions } from './limits.js';

export interface Failure {
  /** A `BlpError` or `PoolError` code, an errno code such as `ENOSPC`, `exists`, `collision` or `internal`. */
  code: string;
  message: string;
}

/** A failure that the command itself finds. */
export class CommandError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const phrases: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EBUSY: 'the file is in use',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file is too large for this file system',
  EINVAL: 'this file system does not allow the name',
  EILSEQ: 'this file system does not allow the name',
  EIO: 'the device reports an input/output error',
  EISDIR: 'it is a folder',
  ELOOP: 'symbolic links lead in a circle',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ENFILE: 'too many files are open on this machine',
  ENOENT: 'no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EPERM: 'the operation is not permitted',
  EROFS: 'the file system is read-only',
  ESTALE: 'the network file is gone',
};

/** Says what the system refused, without its own wording of paths and calls. */
export function describeSystemError(error: NodeJS.ErrnoException): string {
  return phrases[error.code ?? ''] ?? error.message;
}

/** @param doing what failed, for errors of the system: `reading`, `writing out/icon.png`. */
export function toFailure(error: unknown, doing = ''): Failure {
  if (error instanceof BlpError || error instanceof PoolError || error instanceof CommandError) {
    return { code: error.code, message: inOptions(error.message) };
  }
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (typeof code === 'string' && typeof syscall === 'string') {
    const what = describeSystemError(error as NodeJS.ErrnoException);
    return { code, message: doing === '' ? what : `${doing}: ${what}` };
  }
  // What memory refuses is a limit of the machine; anything else is a fault of this program.
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof RangeError) return { code: 'limit', message };
  return { code: 'internal', message: `internal error: ${message}` };
}
