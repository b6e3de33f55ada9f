// A run of `blp convert`: plan, workers, progress, report, and a clean end on Ctrl-C.

import { mkdirSync } from 'node:fs';
import { levelSlots } from '../container/header.js';
import { findSharp } from '../image/sharp.js';
import { PoolError } from '../pool/errors.js';
import { runJobs } from '../pool/run.js';
import { expectedOutputs, levelOutputs } from './convert-file.js';
import { describeSystemError } from './failure.js';
import type { Problem } from './find.js';
import { type ConvertJob, type ConvertResult, type ConvertSettings, emptyResult } from './job.js';
import { createJsonReport, type JsonReport } from './json-report.js';
import { exists, removeTemporary } from './output.js';
import { makePlan, type Plan, type PlanOptions } from './plan.js';
import { createProgress, type Progress } from './progress.js';
import {
  addResult,
  emptyReport,
  type Report,
  summaryLines,
  toRecord,
  toSummary,
} from './report.js';
import { plural } from './words.js';

export interface RunSettings {
  settings: ConvertSettings;
  plan: PlanOptions;
  jobs: number;
  /** Milliseconds for one file; 0 for any time. */
  timeout: number;
  isDryRun: boolean;
  isJson: boolean;
  isQuiet: boolean;
  isVerbose: boolean;
}

/** Everything that a run carries along. */
interface Run extends RunSettings {
  report: Report;
  progress: Progress;
  json: JsonReport | undefined;
  started: number;
}

/** @returns the exit code */
export async function runConvert(run: RunSettings): Promise<number> {
  const missing = await missingPackage(run.settings);
  if (missing) return usageError(missing);
  const started = performance.now();
  const plan = makePlan(run.plan);
  const isNothing = plan.jobs.length + plan.failures.length + plan.elsewhere === 0;
  if (isNothing) return usageError(nothingFound(run, plan), 1);
  if (!run.isDryRun && !run.plan.isFile && plan.jobs.length > 0) {
    const reason = makeFolder(run.plan.output);
    if (reason) return usageError(`the output folder ${run.plan.output}: ${reason}`, 1);
  }
  const state: Run = {
    ...run,
    report: emptyReport(),
    progress: createProgress(plan.jobs.length, run.isQuiet || run.isDryRun),
    json: run.isJson ? createJsonReport() : undefined,
    started,
  };
  for (const problem of plan.notes) note(state, problem);
  for (const problem of plan.failures) failBefore(state, problem);
  const signal = run.isDryRun ? dryRun(state, plan.jobs) : await convertAll(state, plan.jobs);
  state.progress.end();
  await finish(state, plan, signal);
  if (signal) return signal === 'SIGINT' ? 130 : 143;
  return state.report.failures.length > 0 ? 1 : 0;
}

function usageError(message: string, code = 2): number {
  process.stderr.write(`error: ${message}\n`);
  return code;
}

/** Loads sharp, as it must be before workers use it. WebP without it would fail file by file. */
async function missingPackage({ to }: ConvertSettings): Promise<string | undefined> {
  if (to !== 'png' && to !== 'webp' && to !== 'blp') return undefined;
  if ((await findSharp()) || to !== 'webp') return undefined;
  return 'writing WebP needs the package sharp, install it with "npm install sharp"';
}

function nothingFound({ plan, settings }: RunSettings, { ignored }: Plan): string {
  const where = plan.inputs.join(', ');
  if (ignored === 0 && plan.include.length === 0) return `there is nothing in ${where}`;
  const others = plural(ignored, 'other file');
  if (plan.include.length > 0) return `nothing in ${where} matches --include; there are ${others}`;
  const what = settings.to === 'blp' ? 'no pictures' : 'no .blp files';
  const hint =
    settings.to !== 'blp' && ignored > 0 ? ' (to make BLP of pictures, add --to blp)' : '';
  return `there are ${what} in ${where}, but ${others}${hint}`;
}

function makeFolder(path: string): string | undefined {
  try {
    mkdirSync(path, { recursive: true });
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EEXIST' ? 'a file has that name' : describeSystemError(error as Error);
  }
}

function note(run: Run, problem: Problem): void {
  run.report.notes.push(problem);
  if (!run.isQuiet) run.progress.line(`note: ${problem.path}: ${problem.message}`);
}

function failBefore(run: Run, problem: Problem): void {
  const { path, code, message } = problem;
  run.report.failures.push(problem);
  run.progress.line(`failed: ${path}: ${message}`);
  run.json?.add({ input: path, status: 'failed', outputs: [], error: { code, message } });
}

function dryRun(run: Run, jobs: readonly ConvertJob[]): undefined {
  const { settings } = run;
  for (const job of jobs) {
    const outputs = expectedOutputs(job, settings) ?? levelOutputs(job, settings, 1);
    const isThere = outputs.some(exists);
    const remark = !isThere
      ? ''
      : { overwrite: ' (replaces it)', skip: ' (kept)', refuse: ' (refused: it exists)' }[
          settings.existing
        ];
    run.json?.add({ input: job.label, status: 'planned', outputs });
    if (!run.isJson) process.stdout.write(`${job.label} → ${outputs.join(', ')}${remark}\n`);
  }
}

type EndSignal = 'SIGINT' | 'SIGTERM';

/** @returns the signal that ended the run early. */
async function convertAll(run: Run, jobs: ConvertJob[]): Promise<EndSignal | undefined> {
  const stop = new AbortController();
  const abort = new AbortController();
  const left = new Set(jobs);
  let received: EndSignal | undefined;
  // The first signal lets the files that are being written end; the second does not wait for them.
  const onSignal = (signal: EndSignal) => {
    if (received) abort.abort(new Error('ended'));
    else run.progress.line('stopping: waiting for the files that are being written');
    received ??= signal;
    stop.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  try {
    const outcomes = runJobs<ConvertJob, ConvertResult>(jobs, {
      worker: new URL('./worker.js', import.meta.url),
      concurrency: Math.min(run.jobs, Math.max(1, jobs.length)),
      // A report is easier to compare when it does not depend on which thread was faster.
      order: run.isJson ? 'input' : 'completion',
      timeout: run.timeout,
      stop: stop.signal,
      signal: abort.signal,
      workerData: run.settings,
      prepare: (job) => ({ message: job }),
    });
    for await (const { job, result, error } of outcomes) {
      left.delete(job);
      if (error) removeLeftovers(run, [job]);
      await ended(run, job, result ?? failedResult(error));
    }
  } catch (error) {
    if (error instanceof PoolError) {
      failBefore(run, { path: 'blp', code: error.code, message: error.message });
    } else if (!abort.signal.aborted) throw error;
    removeLeftovers(run, left);
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
  return received;
}

function failedResult({ code, message }: PoolError): ConvertResult {
  return { ...emptyResult(), failure: { code, message } };
}

/** Workers that were ended may have been in the middle of a file. */
function removeLeftovers({ settings }: Run, jobs: Iterable<ConvertJob>): void {
  for (const job of jobs) {
    const outputs = expectedOutputs(job, settings) ?? levelOutputs(job, settings, levelSlots);
    for (const path of outputs) removeTemporary(path);
  }
}

async function ended(run: Run, job: ConvertJob, result: ConvertResult): Promise<void> {
  const { progress, report } = run;
  addResult(report, job.label, result);
  progress.add(result.pixels);
  if (result.failure) {
    const { message } = result.failure;
    progress.line(`failed: ${job.label}: ${message}`);
  } else if (run.isVerbose) {
    const verb = result.status === 'skipped' ? 'kept' : 'converted';
    progress.line(`${verb}: ${job.label} → ${result.outputs.join(', ')}`);
  }
  if (run.isVerbose) {
    for (const warning of result.warnings) {
      progress.line(`warning: ${job.label}: ${warning.code}: ${warning.message}`);
    }
  }
  await run.json?.add(toRecord(job.label, result));
}

async function finish(run: Run, plan: Plan, signal: EndSignal | undefined): Promise<void> {
  const { report } = run;
  const spent = (performance.now() - run.started) / 1000;
  await run.json?.end(toSummary(report, spent, signal === undefined, plan.elsewhere));
  if (run.isQuiet || run.isDryRun) return;
  const total = plan.jobs.length + plan.failures.length;
  const lines = summaryLines(report, {
    seconds: spent,
    isEnded: signal !== undefined,
    isVerbose: run.isVerbose,
    total,
  });
  const seen = report.converted + report.skipped + report.failures.length;
  if (seen < total) lines.push(`  not begun: ${total - seen} (--skip-existing goes on from here)`);
  if (plan.elsewhere > 0) lines.push(`  other shards: ${plural(plan.elsewhere, 'file')}`);
  if (run.isVerbose && plan.ignored > 0)
    lines.push(`  other files in the folders: ${plan.ignored}`);
  // Standard output is the report's where there is one.
  (run.isJson ? process.stderr : process.stdout).write(`${lines.join('\n')}\n`);
}
