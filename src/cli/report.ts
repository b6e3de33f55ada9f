// What a run did: counts, failures and times, as text for people and as JSON.

import type { BlpWarning } from '../warnings.js';
import type { Failure } from './failure.js';
import type { ConvertResult, Times } from './job.js';
import type { Problem } from './plan.js';
import { formatBytes, formatRate, formatSeconds } from './progress.js';

/** What is counted while a run goes on; grows with its failures only. */
export interface Report {
  converted: number;
  skipped: number;
  failures: Problem[];
  notes: Problem[];
  /** Files by what they were: `BLP1 jpeg`. */
  formats: Map<string, number>;
  /** Warnings by code, and in how many files. */
  warnings: Map<string, number>;
  outputs: number;
  pixels: number;
  bytesRead: number;
  bytesWritten: number;
  /** Milliseconds of all workers together. */
  times: Times;
}

export function emptyReport(): Report {
  return {
    converted: 0,
    skipped: 0,
    failures: [],
    notes: [],
    formats: new Map(),
    warnings: new Map(),
    outputs: 0,
    pixels: 0,
    bytesRead: 0,
    bytesWritten: 0,
    times: { read: 0, decode: 0, encode: 0, write: 0 },
  };
}

export function addResult(report: Report, path: string, result: ConvertResult): void {
  if (result.status === 'converted') report.converted++;
  else if (result.status === 'skipped') report.skipped++;
  if (result.failure) report.failures.push({ path, ...result.failure });
  if (result.status === 'converted' && result.format) increase(report.formats, result.format);
  for (const code of new Set(result.warnings.map((warning) => warning.code))) {
    increase(report.warnings, code);
  }
  if (result.status === 'converted') report.outputs += result.outputs.length;
  report.pixels += result.pixels;
  report.bytesRead += result.bytesRead;
  report.bytesWritten += result.bytesWritten;
  for (const step of ['read', 'decode', 'encode', 'write'] as const) {
    report.times[step] += result.times[step];
  }
}

function increase(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Failures that the summary repeats; all of them were printed when they happened. */
const shownFailures = 20;

/** The lines at the end of a run. */
export function summaryLines(report: Report, seconds: number, state: string): string[] {
  const { converted, skipped, failures, formats, warnings, times } = report;
  const lines: string[] = [];
  const counts = [`${converted} converted`];
  if (skipped > 0) counts.push(`${skipped} kept as they were`);
  counts.push(`${failures.length} failed`);
  lines.push(`${state}: ${counts.join(', ')} in ${formatSeconds(seconds)}`);
  if (converted > 0) {
    const files = formatRate(converted / seconds);
    const pixels = formatRate(report.pixels / 1e6 / seconds);
    lines.push(
      `  ${files} files/s, ${pixels} MPix/s; ${formatBytes(report.bytesRead)} read, ` +
        `${formatBytes(report.bytesWritten)} written in ${report.outputs} files`,
    );
    const all = times.read + times.decode + times.encode + times.write;
    const share = (time: number) => `${Math.round((100 * time) / all)} %`;
    lines.push(
      `  time: read ${share(times.read)}, decode ${share(times.decode)}, ` +
        `encode ${share(times.encode)}, write ${share(times.write)}`,
    );
  }
  for (const [title, table] of [
    ['formats', formats],
    ['warnings', warnings],
  ] as const) {
    if (table.size === 0) continue;
    lines.push(
      `  ${title}: ${descending(table)
        .map(([key, count]) => `${key} ${count}`)
        .join(', ')}`,
    );
  }
  if (failures.length > 0) {
    const byCode = new Map<string, number>();
    for (const { code } of failures) increase(byCode, code);
    const codes = descending(byCode).map(([code, count]) => `${code} ${count}`);
    lines.push(`  failures: ${codes.join(', ')}`);
    for (const { path, message } of failures.slice(0, shownFailures)) {
      lines.push(`    ${path}: ${message}`);
    }
    if (failures.length > shownFailures) {
      lines.push(`    and ${failures.length - shownFailures} more, printed above`);
    }
  }
  return lines;
}

function descending(counts: Map<string, number>): [string, number][] {
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

/** One file of the JSON report. */
export interface FileRecord {
  input: string;
  status: ConvertResult['status'] | 'planned';
  outputs: readonly string[];
  format?: string;
  width?: number;
  height?: number;
  levels?: number;
  warnings?: readonly BlpWarning[];
  error?: Failure;
}

export function toRecord(input: string, result: ConvertResult): FileRecord {
  const { status, outputs, format, width, height, levels, warnings, failure } = result;
  return { input, status, outputs, format, width, height, levels, warnings, error: failure };
}

/** The part of the JSON report that follows the files. */
export function toSummary(report: Report, seconds: number, isComplete: boolean, elsewhere: number) {
  const { converted, skipped, failures, notes, outputs, pixels, bytesRead, bytesWritten } = report;
  return {
    complete: isComplete,
    converted,
    skipped,
    failed: failures.length,
    otherShards: elsewhere,
    formats: Object.fromEntries(report.formats),
    warnings: Object.fromEntries(report.warnings),
    notes,
    outputs,
    pixels,
    bytesRead,
    bytesWritten,
    seconds,
    workerMilliseconds: report.times,
  };
}
