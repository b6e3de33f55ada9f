// Options that commands share, and checks of option values; each says what was given and what is allowed.

import { statSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import type { Shard } from './shard.js';

/** A parser for commander: a whole number in a range. */
export function whole(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Allowed are whole numbers from ${least} to ${most}.`);
  };
}

/** Seconds, also fractions of them. */
export function seconds(text: string): number {
  const value = Number(text);
  // Timers count milliseconds in 31 bits.
  if (/^\d+(\.\d+)?$/.test(text) && value <= 2_000_000) return value;
  throw new InvalidArgumentError('Allowed are seconds from 0 (no limit) to 2000000.');
}

/** `K/N`: shard K of N, counted from 1. */
export function shard(text: string): Shard {
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const result = { index: Number(index), count: Number(count) };
  if (result.index >= 1 && result.index <= result.count && result.count <= 1_000_000) return result;
  throw new InvalidArgumentError('Allowed is K/N with K from 1 to N, such as 1/8 and 8/8.');
}

/** `all`, `none`, or how many at most. */
export function mipmaps(text: string): boolean | number {
  if (text === 'all') return true;
  if (text === 'none') return false;
  if (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 16) return Number(text);
  throw new InvalidArgumentError('Allowed are all, none, or a number of levels from 1 to 16.');
}

/** A parser for options that may be given several times. */
function collect(value: string, earlier: string[] = []): string[] {
  return [...earlier, value];
}

/** Patterns that choose among the files of folders. */
export interface PatternOptions {
  include?: string[];
  exclude?: string[];
}

/** Adds the options that choose among the files of folders. */
export function addPatternOptions(command: Command): Command {
  return command
    .option(
      '--include <pattern>',
      'only these files of the folders, by name or, with a slash, by path; repeatable',
      collect,
    )
    .option('--exclude <pattern>', 'not these files or subfolders; repeatable', collect);
}

/** Ends the command for a mistake in its call. */
export function misuse(command: Command, message: string): never {
  command.error(`error: ${message}`, { exitCode: 2 });
}

/** Whether the path leads to a folder. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}

/** A dash stands for standard input or output with other commands; here it would become the name of a folder. */
export function refuseStandardStreams(command: Command, paths: readonly string[]): void {
  if (!paths.includes('-')) return;
  const message = 'standard input and output are not supported: name a file or folder';
  misuse(command, `${message} (./- for one with that name)`);
}
