// What the command and its workers tell each other about one file.

import type { AlphaMode } from '../decode/request.js';
import type { EncodeOptions } from '../encode/options.js';
import type { ResizeMode } from '../encode/resize.js';
import type { FormatName } from '../image/formats.js';
import type { Limits } from '../limits.js';
import type { BlpWarning } from '../warnings.js';
import type { Failure } from './failure.js';

/** What files are turned into. */
export type Target = FormatName | 'blp';

/** The same for every file of a run. */
export interface ConvertSettings {
  to: Target;
  /** The level that is written, or that becomes the largest of a format with a chain. */
  level: number;
  /** One file for every level instead. */
  allLevels: boolean;
  alpha: AlphaMode;
  salvage: boolean;
  limits: Partial<Limits>;
  /** PNG: 0 to 9; undefined for the default. */
  compressionLevel: number | undefined;
  /** What happens to outputs that exist: they are replaced, they are kept in silence, or the file is refused. */
  existing: 'overwrite' | 'skip' | 'refuse';
  /** Of textures that are written. */
  blp: BlpSettings;
}

export interface BlpSettings {
  version: 0 | 1 | 2 | undefined;
  options: Omit<EncodeOptions, 'version'>;
  resize: ResizeMode | undefined;
}

/** One file to convert. */
export interface ConvertJob {
  /** The path to open. */
  input: string;
  /** The path to show. */
  label: string;
  /** The output's path without its extension. */
  stem: string;
  /** The extension, with its dot, where the user named the file; otherwise the format's own. */
  extension?: string;
}

/** Milliseconds spent on each step. */
export interface Times {
  read: number;
  decode: number;
  encode: number;
  write: number;
}

/** What became of one file. */
export interface ConvertResult {
  status: 'converted' | 'skipped' | 'failed';
  /** Paths that were written, or kept. */
  outputs: string[];
  /** What the input is: `BLP1 jpeg`, `PNG picture`; undefined where that was not found out. */
  format?: string;
  /** Sides of the whole picture. */
  width?: number;
  height?: number;
  /** How many levels a texture has. */
  levels?: number;
  /** Decoded or encoded. */
  pixels: number;
  bytesRead: number;
  bytesWritten: number;
  warnings: BlpWarning[];
  failure?: Failure;
  times: Times;
}

/** The result of a file for which nothing was done yet. */
export function emptyResult(): ConvertResult {
  return {
    status: 'failed',
    outputs: [],
    pixels: 0,
    bytesRead: 0,
    bytesWritten: 0,
    warnings: [],
    times: { read: 0, decode: 0, encode: 0, write: 0 },
  };
}
