// Which files there are among the inputs: walks folders, follows links, keeps to the patterns.

import { type Dirent, lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import picomatch from 'picomatch';
import { describeSystemError, type Failure, toFailure } from './failure.js';
import { temporarySuffix } from './output.js';

export interface Search {
  /** Files, which are taken as they are, and folders, which are walked with their subfolders. */
  inputs: readonly string[];
  /** Extensions, with their dot and in lower case, that files of folders have; `include` replaces them. */
  extensions: readonly string[];
  include?: readonly string[] | undefined;
  exclude?: readonly string[] | undefined;
  /** A folder that is not walked should it lie inside an input. */
  output?: string | undefined;
}

/** An input file, with its path from the input folder on. */
export interface Found {
  path: string;
  /** With forward slashes. */
  relative: string;
}

/** A path about which there is something to say. */
export interface Problem extends Failure {
  path: string;
}

export interface Selection {
  files: Found[];
  /** What could not be found or walked. */
  failures: Problem[];
  /** What a person should know though nothing failed. */
  notes: Problem[];
  /** Files in the folders that were not asked for. */
  ignored: number;
}

/** Finds all inputs. Folders are walked in the order of their names' code units. */
export function findInputs(search: Search): Selection {
  const files: Found[] = [];
  const failures: Problem[] = [];
  const notes: Problem[] = [];
  let ignored = 0;
  const { include = [], exclude = [] } = search;
  const isIncluded =
    include.length > 0
      ? matcher(include)
      : (path: string) => search.extensions.includes(extname(path).toLowerCase());
  const isExcluded = matcher(exclude);
  for (const input of search.inputs) {
    try {
      const stats = statSync(input);
      if (stats.isDirectory()) walkInput(input);
      else if (stats.isFile()) files.push({ path: input, relative: basename(input) });
      else failures.push({ path: input, ...notAFile });
    } catch (error) {
      failures.push({ path: input, ...toFailure(error) });
    }
  }
  return { files, failures, notes, ignored };

  function walkInput(root: string): void {
    const output = search.output === undefined ? undefined : realPath(search.output);
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
      failures.push({ path: folder, ...toFailure(error), message });
      return;
    }
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const path = join(folder, entry.name);
      const name = relative(root, path).replaceAll(sep, '/');
      if (isExcluded(name)) {
        ignored++;
        continue;
      }
      if (entry.isFile()) {
        if (isWanted(name)) files.push({ path, relative: name });
        else ignored++;
      } else if (entry.isDirectory() || entry.isSymbolicLink()) {
        visit(path, name, entry, root, above, output);
      } else if (isWanted(name)) {
        failures.push({ path, ...notAFile });
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
        ignored++;
        return;
      }
      const failure = toFailure(error);
      const leadsNowhere = entry.isSymbolicLink() && failure.code === 'ENOENT';
      const message = leadsNowhere ? 'the symbolic link leads nowhere' : failure.message;
      failures.push({ path, ...failure, message });
      return;
    }
    if (stats.isFile()) {
      if (isWanted(name)) files.push({ path, relative: name });
      else ignored++;
      return;
    }
    if (!stats.isDirectory()) {
      if (isWanted(name)) failures.push({ path, ...notAFile });
      return;
    }
    if (output !== undefined && realPath(path) === output) {
      const message = 'the output folder lies inside the input: its files are not converted';
      notes.push({ path, code: 'output-inside', message });
      return;
    }
    const self = identity(stats);
    if (above.includes(self)) {
      const message = 'the symbolic link leads back to a folder above it: not followed';
      notes.push({ path, code: 'link-loop', message });
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
