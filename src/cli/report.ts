// What a run did: counts, failures and times, as text for people and as JSON.

import type { BlpWarning } from '../warnings.js';
import type { Failure } from './failure.js';
import type { Problem } from './find.js';
import type { ConvertResult, Times } from './job.js';
import { formatBytes, formatRate, formatSeconds, increase, plural, tally } from './words.js';

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

/** Failures that the summary repeats; all of them were printed when they happened. */
const repeatedFailures = 20;

/**
 * The lines at the end of a run.
 *
 * @param total files of the run; of a single one there is nothing to sum up
 * @param isVerbose failures are repeated, since there were many lines between them
 */
export function summaryLines(
  report: Report,
  run: { seconds: number; isEnded: boolean; isVerbose: boolean; total: number },
): string[] {
  const { converted, skipped, failures, formats, warnings } = report;
  const counts = [`${converted} converted`];
  if (skipped > 0) counts.push(`${skipped} kept as they were`);
  counts.push(`${failures.length} failed`);
  const state = run.isEnded ? 'stopped' : 'done';
  const lines = [`${state}: ${counts.join(', ')} in ${formatSeconds(run.seconds)}`];
  if (run.total > 1 && converted > 0) lines.push(...throughput(report, run.seconds));
  if (run.total > 1 && formats.size > 0) lines.push(`  formats: ${tally(formats)}`);
  if (warnings.size > 0) lines.push(`  warnings: ${tally(warnings)}`);
  if (run.total > 1 && failures.length > 0) {
    const codes = new Map<string, number>();
    for (const { code } of failures) increase(codes, code);
    lines.push(`  failures: ${tally(codes)}`);
    if (run.isVerbose) lines.push(...repeatFailures(failures));
  }
  return lines;
}

function throughput(report: Report, seconds: number): string[] {
  const { converted, outputs, pixels, bytesRead, bytesWritten, times } = report;
  const files = `${formatRate(converted / seconds)} files/s`;
  const texels = `${formatRate(pixels / 1e6 / seconds)} MPix/s`;
  const bytes = `${formatBytes(bytesRead)} read, ${formatBytes(bytesWritten)} written`;
  const all = times.read + times.decode + times.encode + times.write;
  const share = (time: number) => `${Math.round((100 * time) / all)} %`;
  return [
    `  ${files}, ${texels}; ${bytes} in ${plural(outputs, 'file')}`,
    `  time: read ${share(times.read)}, decode ${share(times.decode)}, ` +
      `encode ${share(times.encode)}, write ${share(times.write)}`,
  ];
}

function repeatFailures(failures: readonly Problem[]): string[] {
  const lines = failures
    .slice(0, repeatedFailures)
    .map(({ path, message }) => `    ${path}: ${message}`);
  const left = failures.length - lines.length;
  if (left > 0) lines.push(`    and ${left} more, printed above`);
  return lines;
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
