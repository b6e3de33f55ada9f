// Which files a run converts and what each turns into, before anything is written.

import { basename, dirname, extname, join, resolve } from 'node:path';
import { type Found, findInputs, type Problem } from './find.js';
import type { ConvertJob } from './job.js';
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

/** Finds all inputs and gives each its output. */
export function makePlan(options: PlanOptions): Plan {
  const output = options.isFile ? undefined : options.output;
  const { files, ...rest } = findInputs({ ...options, output });
  const plan: Plan = { jobs: [], ...rest, elsewhere: 0 };
  // All outputs are given out before the shard is cut off, so that every shard sees the same collisions.
  const inputs = new Set(files.map(({ path }) => canonical(path)));
  const taken = new Map<string, string>();
  for (const file of files) {
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
