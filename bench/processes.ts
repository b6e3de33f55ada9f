// Runs a benchmark in several fresh processes: where the system puts a process's buffers decides how fast they are
// copied, by a factor of up to 1.8 from one process to the next, and no single process can tell.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const flag = '--figures';

/** Is this one of the processes that {@link inFreshProcesses} starts? It measures once and calls {@link giveFigures}. */
export const isMeasuring = process.argv.includes(flag);

/** Passes what was measured on to the process that gathers it. */
export function giveFigures(figures: unknown): void {
  console.log(`\n${flag}${JSON.stringify(figures)}`);
}

/**
 * Runs the module `count` times, one after the other.
 *
 * @param module its `import.meta.url`
 * @returns what each run gave
 */
export function inFreshProcesses<T>(module: string, count: number): T[] {
  return Array.from({ length: count }, (_, run) => {
    console.log(`process ${run + 1} of ${count}`);
    const args = ['--import', 'tsx', fileURLToPath(module), flag];
    const { status, stdout } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (status !== 0) throw new Error(`the measuring process ended with ${status}`);
    return JSON.parse(stdout.slice(stdout.lastIndexOf(flag) + flag.length)) as T;
  });
}

/** Rows of a table with the median over the runs for every figure. */
export function medians<Row extends object>(runs: Row[][]): Row[] {
  return runs[0].map((row, i) => {
    const middle = Object.entries(row).map(([name, value]) => {
      if (typeof value !== 'number') return [name, value];
      return [name, median(runs.map((rows) => rows[i][name as keyof Row] as number))];
    });
    return Object.fromEntries(middle) as Row;
  });
}

/** The middle value; the upper of two. */
function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

/** From the least value to the greatest. */
export function range(values: number[], digits: number): string {
  return `${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)}×`;
}
