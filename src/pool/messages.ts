// What passes between decodeMany and its workers.

import type { LevelFiles } from '../container/slots.js';
import type { BlpErrorCode } from '../errors.js';
import type { DecodeOptions, Image } from '../texture.js';
import type { BlpWarning } from '../warnings.js';
import type { PoolErrorCode } from './errors.js';

/** The options of `decode` that can be sent to another thread. */
export type SentOptions = Pick<DecodeOptions, 'level' | 'region' | 'alpha' | 'salvage' | 'limits'>;

/** Where a texture comes from, in a form that can be sent. */
export type SentSource =
  | { kind: 'path'; path: string }
  | { kind: 'url'; url: string }
  | { kind: 'blob'; blob: Blob }
  | { kind: 'bytes'; bytes: Uint8Array; levelFiles?: LevelFiles | undefined }
  /** Nothing that can be decoded; the message says why. */
  | { kind: 'refused'; message: string };

export interface DecodeMessage {
  source: SentSource;
  options: SentOptions;
}

/** Errors lose their class and code on the way between threads. */
export type SentError =
  | { name: 'BlpError'; code: BlpErrorCode; message: string; offset: number | undefined }
  | { name: 'PoolError'; code: PoolErrorCode; message: string };

export type DecodeAnswer =
  | { image: Image; warnings: readonly BlpWarning[]; error?: undefined }
  | { error: SentError };
