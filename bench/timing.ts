// Timing as ratios: contenders take turns in one process, so that whatever slows the machine slows all of them.

/** Something to be measured; `run` leaves its result where `output` finds it. */
export interface Contender {
  name: string;
  run(): void;
  /** The bytes that were made, to be compared before anything is timed. */
  output?(): Uint8Array;
}

export interface Timing {
  name: string;
  /** Milliseconds of a call. */
  min: number;
  median: number;
  /** Tells outputs apart, in 8 digits. */
  hash: string;
}

/** How a race is run. */
export interface RaceRules {
  /** For how long, all contenders together. */
  seconds: number;
  /** Samples of each, however long they take. Default 5. */
  least?: number;
  /**
   * Milliseconds of a turn at the least, that the clock's grain does not show. Default 0.5. Contenders that allocate get
   * longer turns, so that each collects its own garbage and finds its own data in the caches.
   */
  turn?: number;
}

/** The turns of contenders that allocate. */
export const longTurn = 20;

/** Milliseconds that a contender runs before anything is timed: engines compile code again that runs often. */
const warmUp = 100;

/**
 * Times each contender in turns.
 *
 * @returns one timing per contender, in order
 */
export function race(
  contenders: Contender[],
  { seconds, least = 5, turn = 0.5 }: RaceRules,
): Timing[] {
  const hashes = contenders.map((contender) => {
    const end = performance.now() + warmUp;
    do contender.run();
    while (performance.now() < end);
    const bytes = contender.output?.();
    return bytes ? fingerprint(bytes) : '';
  });
  const repeats = contenders.map((contender) => {
    let count = 1;
    while (timeOf(contender, count) < turn && count < 1 << 20) count *= 2;
    return count;
  });
  const samples: number[][] = contenders.map(() => []);
  const end = performance.now() + seconds * 1000;
  do {
    contenders.forEach((contender, i) => {
      samples[i].push(timeOf(contender, repeats[i]) / repeats[i]);
    });
  } while (performance.now() < end || samples[0].length < least);
  return contenders.map(({ name }, i) => {
    const min = Math.min(...samples[i]);
    if (min === 0) throw new Error(`the clock is too coarse for ${name}`);
    return { name, min, median: median(samples[i]), hash: hashes[i] };
  });
}

/** The middle value; the upper of two. */
export function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

/** FNV-1a, which needs nothing that a browser lacks. */
function fingerprint(bytes: Uint8Array): string {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

function timeOf(contender: Contender, repeats: number): number {
  const start = performance.now();
  for (let i = 0; i < repeats; i++) contender.run();
  return performance.now() - start;
}

/** A Markdown table with the columns padded, readable as plain text too. */
export function table(columns: string[], rows: (string | number)[][]): string {
  const cells = [columns, ...rows.map((row) => row.map(String))];
  const widths = columns.map((_, i) => Math.max(...cells.map((row) => row[i].length)));
  const line = (row: string[]) =>
    `| ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join(' | ')} |`;
  const rule = `| ${widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(cells[0]), rule, ...cells.slice(1).map(line)].join('\n');
}
