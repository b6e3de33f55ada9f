// Which files a run converts and what they turn into: walks the folders before anything is written.

import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import picomatch from 'picomatch';
import { describeSystemError, type Failure, toFailure } from './failure.js';
import type { ConvertJob } from './job.js';
import { temporarySuffix } from './output.js';
import { type Shard, shardOf } from './shard.js';

export interface PlanOptions {
  inputs: readonly string[];
  /** The output folder, or the output file when `isFile`. */
  output: string;
  isFile: boolean;
  /** Extensions, with their dot and in lower case, that files of folders have; `include` replaces them. */
  extensions: readonly string[];
  /** The first extension of what is written, with its dot. */
  outputExtension: string;
  include: readonly string[];
  exclude: readonly string[];
  shard: Shard | undefined;
}

/** A path about which there is something to say. */
export interface Problem extends Failure {
  path: string;
}

export interface Plan {
  jobs: ConvertJob[];
  /** What cannot be converted, as far as that is known before. */
  failures: Problem[];
  /** What a person should know though nothing failed. */
  notes: Problem[];
  /** Files in the folders that were not asked for. */
  ignored: number;
  /** Files that belong to other shards. */
  elsewhere: number;
}

/** An input file, with its path from the input folder on. */
export interface Found {
  path: string;
  /** With forward slashes. */
  relative: string;
}

/** Finds all inputs and gives each its output. Folders are walked in the order of their names' code units. */
export function makePlan(options: PlanOptions): Plan {
  const plan: Plan = { jobs: [], failures: [], notes: [], ignored: 0, elsewhere: 0 };
  const found = findInputs(options, plan);
  // All outputs are given out before the shard is cut off, so that every shard sees the same collisions.
  const inputs = new Set(found.map(({ path }) => canonical(path)));
  const taken = new Map<string, string>();
  for (const file of found) {
    const job = options.isFile ? fileJob(file, options.output) : folderJob(file, options.output);
    const output = job.stem + (job.extension ?? options.outputExtension);
    const key = canonical(output);
    const other = taken.get(key);
    if (other !== undefined && canonical(other) === canonical(file.path)) continue;
    if (other === undefined) taken.set(key, file.path);
    const { shard } = options;
    if (shard && shardOf(file.relative, shard.count) !== shard.index) {
      plan.elsewhere++;
    } else if (other !== undefined) {
      const message = `${output} is made of ${other} already`;
      plan.failures.push({ path: file.path, code: 'collision', message });
    } else if (inputs.has(key)) {
      const message = `the output ${output} is an input of this run`;
      plan.failures.push({ path: file.path, code: 'collision', message });
    } else {
      plan.jobs.push(job);
    }
  }
  return plan;
}

function folderJob({ path, relative: name }: Found, output: string): ConvertJob {
  const file = join(output, ...name.split('/'));
  const stem = join(dirname(file), basename(file, extname(file)));
  return { input: path, label: path, stem };
}

function fileJob({ path }: Found, output: string): ConvertJob {
  const extension = extname(output);
  return { input: path, label: path, stem: output.slice(0, -extension.length), extension };
}

/** macOS and Windows take names that differ in case or composition for the same. */
const foldsNames = process.platform === 'darwin' || process.platform === 'win32';

function canonical(path: string): string {
  const absolute = resolve(path);
  return foldsNames ? absolute.normalize('NFC').toLowerCase() : absolute;
}

export function findInputs(options: PlanOptions, plan: Plan): Found[] {
  const found: Found[] = [];
  const isIncluded =
    options.include.length > 0
      ? matcher(options.include)
      : (path: string) => options.extensions.includes(extname(path).toLowerCase());
  const isExcluded = matcher(options.exclude);
  for (const input of options.inputs) {
    try {
      const stats = statSync(input);
      if (stats.isDirectory()) walkInput(input);
      else if (stats.isFile()) found.push({ path: input, relative: basename(input) });
      else plan.failures.push({ path: input, ...notAFile });
    } catch (error) {
      plan.failures.push({ path: input, ...toFailure(error) });
    }
  }
  return found;

  function walkInput(root: string): void {
    const output = options.isFile ? undefined : realPath(options.output);
    const realRoot = realpathSync(root);
    const isInside = output?.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep);
    walk(root, root, [identity(statSync(root))], isInside ? output : undefined);
  }

  /** @param above the folder itself and all above it, to notice links that lead back. */
  function walk(
    folder: string,
    root: string,
    above: readonly string[],
    output: string | undefined,
  ): void {
    let entries: Dirent[];
    try {
      entries = readdirSync(folder, { withFileTypes: true });
    } catch (error) {
      const message = `the folder cannot be read: ${describeSystemError(error as Error)}`;
      plan.failures.push({ path: folder, ...toFailure(error), message });
      return;
    }
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const path = join(folder, entry.name);
      const name = relative(root, path).replaceAll(sep, '/');
      if (isExcluded(name)) {
        plan.ignored++;
        continue;
      }
      if (entry.isFile()) {
        if (isWanted(name)) found.push({ path, relative: name });
        else plan.ignored++;
      } else if (entry.isDirectory() || entry.isSymbolicLink()) {
        visit(path, name, entry, root, above, output);
      } else if (isWanted(name)) {
        plan.failures.push({ path, ...notAFile });
      }
    }
  }

  function visit(
    path: string,
    name: string,
    entry: Dirent,
    root: string,
    above: readonly string[],
    output: string | undefined,
  ): void {
    let stats: Stats;
    try {
      stats = statSync(path);
    } catch (error) {
      if (!isWanted(name)) {
        plan.ignored++;
        return;
      }
      const failure = toFailure(error);
      const leadsNowhere = entry.isSymbolicLink() && failure.code === 'ENOENT';
      const message = leadsNowhere ? 'the symbolic link leads nowhere' : failure.message;
      plan.failures.push({ path, ...failure, message });
      return;
    }
    if (stats.isFile()) {
      if (isWanted(name)) found.push({ path, relative: name });
      else plan.ignored++;
      return;
    }
    if (!stats.isDirectory()) {
      if (isWanted(name)) plan.failures.push({ path, ...notAFile });
      return;
    }
    if (output !== undefined && realPath(path) === output) {
      const message = 'the output folder lies inside the input: its files are not converted';
      plan.notes.push({ path, code: 'output-inside', message });
      return;
    }
    const self = identity(stats);
    if (above.includes(self)) {
      const message = 'the symbolic link leads back to a folder above it: not followed';
      plan.notes.push({ path, code: 'link-loop', message });
      return;
    }
    walk(path, root, [...above, self], output);
  }

  function isWanted(name: string): boolean {
    return !name.endsWith(temporarySuffix) && isIncluded(name);
  }
}

/** Patterns with a slash are for the path below the input folder, others for the name alone. */
function matcher(patterns: readonly string[]): (path: string) => boolean {
  const match = { dot: true, nocase: true };
  const ofPaths = picomatch(
    patterns.filter((pattern) => pattern.includes('/')),
    match,
  );
  const ofNames = picomatch(
    patterns.filter((pattern) => !pattern.includes('/')),
    { ...match, basename: true },
  );
  return (path) => ofPaths(path) || ofNames(path);
}

const notAFile = { code: 'not-a-file', message: 'it is neither a file nor a folder' };

function identity(stats: Stats): string {
  return `${stats.dev}:${stats.ino}`;
}

/** Where a path really is, also when its last parts do not exist yet. */
function realPath(path: string): string {
  const absolute = resolve(path);
  if (lstatSync(absolute, { throwIfNoEntry: false })) {
    try {
      return realpathSync(absolute);
    } catch {
      return absolute;
    }
  }
  const parent = dirname(absolute);
  return parent === absolute ? absolute : join(realPath(parent), basename(absolute));
}
