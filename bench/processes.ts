// Runs a benchmark in several fresh processes: where the system puts a process's buffers decides how fast they are
// copied and allocated, and no single process can tell.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median } from './timing.js';

const flag = '--figures';

/** Is this one of the processes that {@link inFreshProcesses} starts? It measures once and calls {@link giveFigures}. */
export const isMeasuring = process.argv.includes(flag);

/** What this process was told to measure. */
export function taskGiven(): string[] {
  return process.argv.slice(process.argv.indexOf(flag) + 1);
}

/** Passes what was measured on to the process that gathers it. */
export function giveFigures(figures: unknown): void {
  console.log(`\n${flag}${JSON.stringify(figures)}`);
}

/**
 * Runs the module `count` times, one after the other.
 *
 * @param module its `import.meta.url`
 * @param task what it is to measure, where that is not always the same; see {@link taskGiven}
 * @returns what each run gave
 * @throws Error when one of the processes fails
 */
export function inFreshProcesses<T>(module: string, count: number, ...task: string[]): T[] {
  return Array.from({ length: count }, (_, run) => {
    console.log(`process ${run + 1} of ${count}`);
    const args = ['--import', 'tsx', fileURLToPath(module), flag, ...task];
    const { status, signal, error, stdout } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      // Some decoders talk.
      maxBuffer: Number.POSITIVE_INFINITY,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (error) throw error;
    if (status !== 0) throw new Error(`the measuring process ended with ${status ?? signal}`);
    return JSON.parse(stdout.slice(stdout.lastIndexOf(flag) + flag.length)) as T;
  });
}

/**
 * Rows of a table with the median over the runs for every figure.
 *
 * @throws Error when the runs did not measure the same things
 */
export function medians<Row extends object>(runs: Row[][]): Row[] {
  return runs[0].map((row, i) => {
    const middle = Object.entries(row).map(([name, value]) => {
      const values = runs.map((rows) => rows[i][name as keyof Row]);
      if (typeof value === 'number') return [name, median(values as number[])];
      if (values.some((other) => other !== value)) throw new Error(`runs differ in ${name}`);
      return [name, value];
    });
    return Object.fromEntries(middle) as Row;
  });
}

/** A ratio in three digits or so. */
export function times(ratio: number): string {
  return `${digits(ratio)}×`;
}

/** From the least ratio to the greatest. */
export function range(ratios: number[]): string {
  return `${digits(Math.min(...ratios))} to ${digits(Math.max(...ratios))}×`;
}

function digits(ratio: number): string {
  return ratio.toFixed(ratio < 2 ? 2 : ratio < 100 ? 1 : 0);
}
