// Many jobs over a few workers: batches, back-pressure, retries, timeouts; knows nothing of textures.

import * as workerpool from 'workerpool';
import { PoolError } from './errors.js';
import { type Entry, readJobs } from './jobs.js';
import { isNode, nodeModule } from './platform.js';
import type { WorkerEvent } from './serve.js';

/** One job's end: its result, or why there is none. */
export type Outcome<Job, Result> =
  | { job: Job; result: Result; error?: undefined }
  | { job: Job; result?: undefined; error: PoolError };

export interface RunOptions<Job, Result> {
  /** The script of the workers, which calls `serve`. */
  worker: URL | string;
  /** How many workers run at once. */
  concurrency: number;
  /** Results in the order of the jobs, or each as soon as it is there. */
  order: 'input' | 'completion';
  /** What is sent to the worker for a job; the buffers in `transfer` are moved, not copied. */
  prepare(job: Job): { message: unknown; transfer?: ArrayBuffer[] };
  /** Bytes that a job takes on its way to the worker. Default 0. */
  jobBytes?(job: Job): number;
  /** Bytes that a result holds until it is taken. Default 0. */
  resultBytes?(result: Result): number;
  /** Milliseconds that one job may take; 0 or undefined for any time. */
  timeout?: number | undefined;
  /** Ends everything at once; the iteration throws its reason. */
  signal?: AbortSignal | undefined;
  /** Starts nothing more; the iteration ends when the jobs that have begun have ended. */
  stop?: AbortSignal | undefined;
  /** Node only: what the workers find in `workerData`. */
  workerData?: unknown;
}

/** At most so many jobs in one message: the cost of a message, about 50 µs, is then below 2 µs a job. */
const maxBatch = 32;
/** Bytes of one batch's jobs, so that large inputs do not pile up in a worker. */
const maxBatchBytes = 1 << 20;
/** A worker hands back what it has not begun after this time, so that no other waits for it at the end. */
const batchMilliseconds = 100;
/** Batches on their way: each worker has one at hand when it ends another. */
const batchesPerWorker = 2;
/** Results that wait to be taken: their number, and their bytes. */
const maxHeld = 1024;
const maxHeldBytes = 128 << 20;
/** A worker that dies before it begins anything will not do better for another job. */
const maxFailedStarts = 3;

interface Flight<Job> {
  batch: readonly Entry<Job>[];
  /** How many of the batch have ended; the next one is being worked on. */
  done: number;
  begun: boolean;
  timer?: ReturnType<typeof setTimeout>;
  timedOut: boolean;
}

/**
 * Runs every job in one of the workers.
 *
 * A job whose worker dies is tried once more; the other jobs of its batch were not begun and lose nothing. Jobs are
 * taken from their source only as fast as results are taken from here.
 *
 * @throws PoolError `crash` when workers cannot be started at all, the reason of `signal`, or what the source throws.
 */
export async function* runJobs<Job, Result>(
  jobs: Iterable<Job> | AsyncIterable<Job>,
  options: RunOptions<Job, Result>,
): AsyncGenerator<Outcome<Job, Result>, void, undefined> {
  const { concurrency, signal, stop, timeout } = options;
  const inOrder = options.order === 'input';
  signal?.throwIfAborted();
  const pool = workerpool.pool(scriptPath(options.worker), {
    maxWorkers: concurrency,
    workerType: isNode ? 'thread' : 'web',
    workerThreadOpts: {
      workerData: options.workerData,
      // Texels and files lie outside the heap; of other objects a few MB are in use. By default each thread lets up to
      // 48 MB of short-lived ones pile up, and a runaway job takes gigabytes before its worker ends.
      resourceLimits: { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 },
    },
  });
  const source = readJobs(jobs);
  /** Read or handed back, in order, not yet sent. */
  const waiting: Entry<Job>[] = [];
  const flights = new Set<Flight<Job>>();
  /** Ended and not yet taken, by index. */
  const held = new Map<number, Outcome<Job, Result>>();
  let heldBytes = 0;
  /** The index that is given out next when in order. */
  let nextIndex = 0;
  let sent = 0;
  let failedStarts = 0;
  let closed = false;
  let fatal: { reason: unknown } | undefined;
  let wake = () => {};

  function fail(reason: unknown): void {
    fatal ??= { reason };
    wake();
  }

  function hold(entry: Entry<Job>, outcome: Outcome<Job, Result>): void {
    held.set(entry.index, outcome);
    heldBytes += bytesOf(outcome);
    wake();
  }

  function bytesOf(outcome: Outcome<Job, Result>): number {
    return outcome.error ? 0 : (options.resultBytes?.(outcome.result) ?? 0);
  }

  function take(): Outcome<Job, Result> | undefined {
    const index = inOrder ? nextIndex : held.keys().next().value;
    const outcome = index === undefined ? undefined : held.get(index);
    if (index === undefined || outcome === undefined) return undefined;
    held.delete(index);
    heldBytes -= bytesOf(outcome);
    nextIndex++;
    return outcome;
  }

  function handBack(entries: readonly Entry<Job>[]): void {
    waiting.push(...entries);
    waiting.sort((a, b) => a.index - b.index);
  }

  function hasRoom(): boolean {
    if (flights.size >= concurrency * batchesPerWorker) return false;
    if (held.size < maxHeld && heldBytes < maxHeldBytes) return true;
    // Results wait for an earlier job that has not been begun: it must be, whatever is held.
    return flights.size === 0 && inOrder && !held.has(nextIndex);
  }

  function nextBatch(): Entry<Job>[] {
    const remaining = source.remaining() + waiting.length;
    // Small at first and at the end, so that all workers have something to do.
    const size = Math.max(
      1,
      Math.min(
        maxBatch,
        Math.ceil((sent + 1) / concurrency),
        Math.ceil(remaining / (concurrency * batchesPerWorker)),
      ),
    );
    source.fill(waiting, size, () => wake(), fail);
    // What killed a worker goes alone, and so do partial batches while others are at work.
    const isWhole = waiting.length >= size || source.ended();
    if (waiting.length === 0 || (!isWhole && flights.size >= concurrency)) return [];
    const batch: Entry<Job>[] = [];
    let bytes = 0;
    while (batch.length < size && waiting.length > 0) {
      const entry = waiting[0];
      const jobBytes = attempt(entry, () => options.jobBytes?.(entry.job) ?? 0);
      bytes += jobBytes ?? 0;
      if (batch.length > 0 && (bytes > maxBatchBytes || entry.deaths > 0)) break;
      waiting.shift();
      if (jobBytes !== undefined) batch.push(entry);
      if (entry.deaths > 0) break;
    }
    return batch;
  }

  /** A job that cannot be sent ends with the reason, and stops no other. */
  function attempt<Value>(entry: Entry<Job>, work: () => Value): Value | undefined {
    try {
      return work();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const message = `it cannot be handed to a worker: ${reason}`;
      hold(entry, { job: entry.job, error: new PoolError('read', message) });
      return undefined;
    }
  }

  function send(entries: readonly Entry<Job>[]): void {
    const sendable = entries.flatMap((entry) => {
      const prepared = attempt(entry, () => options.prepare(entry.job));
      return prepared ? [{ entry, prepared }] : [];
    });
    if (sendable.length === 0) return;
    sent++;
    const batch = sendable.map(({ entry }) => entry);
    const prepared = sendable.map((item) => item.prepared);
    const flight: Flight<Job> = { batch, done: 0, begun: false, timedOut: false };
    flights.add(flight);
    const running = pool.exec(
      'batch',
      [prepared.map(({ message }) => message), batchMilliseconds],
      {
        transfer: prepared.flatMap(({ transfer = [] }) => transfer),
        on: (event: WorkerEvent<Result>) => {
          // A worker that is being ended may still report: its job was given up, and the next one is not to blame.
          if (closed || flight.timedOut || !flights.has(flight)) return;
          if (event.kind === 'begin') {
            flight.begun = true;
            failedStarts = 0;
          } else {
            const entry = batch[flight.done++];
            hold(entry, { job: entry.job, result: event.result });
          }
          watch(flight, () => running.cancel());
        },
      },
    );
    running.then(
      () => end(flight, undefined),
      (error: unknown) => end(flight, error ?? new Error('the worker ended')),
    );
  }

  /** Starts the clock of the job that the worker turns to now. */
  function watch(flight: Flight<Job>, cancel: () => void): void {
    clearTimeout(flight.timer);
    if (!timeout || flight.done >= flight.batch.length) return;
    const giveUp = () => {
      flight.timedOut = true;
      cancel();
    };
    flight.timer = setTimeout(() => {
      // Where this thread was busy, the worker's report may wait already: it comes before the second timer.
      flight.timer = setTimeout(giveUp, 0);
    }, timeout);
  }

  function end(flight: Flight<Job>, error: unknown): void {
    clearTimeout(flight.timer);
    flights.delete(flight);
    if (closed) return;
    const suspect = flight.batch[flight.done];
    // What was given up stays given up, even if the worker came to the end of its batch meanwhile.
    if ((error === undefined && !flight.timedOut) || suspect === undefined) {
      handBack(flight.batch.slice(flight.done));
    } else if (!flight.begun) {
      handBack(flight.batch);
      if (++failedStarts >= maxFailedStarts) {
        fail(new PoolError('crash', `the workers do not start: ${deathOf(error)}`));
      }
    } else {
      handBack(flight.batch.slice(flight.done + 1));
      endSuspect(suspect, flight, error);
    }
    wake();
  }

  function endSuspect(entry: Entry<Job>, flight: Flight<Job>, error: unknown): void {
    const { job } = entry;
    if (flight.timedOut) {
      const message = `it took longer than ${timeout! / 1000} s and was given up`;
      hold(entry, { job, error: new PoolError('timeout', message) });
    } else if (entry.deaths > 0) {
      const message = `its worker died twice: ${deathOf(error)}`;
      hold(entry, { job, error: new PoolError('crash', message) });
    } else {
      handBack([{ ...entry, deaths: 1 }]);
    }
  }

  const abort = () => {
    fail(signal!.reason);
    close();
  };
  function close(): void {
    if (closed) return;
    closed = true;
    for (const flight of flights) clearTimeout(flight.timer);
    // It rejects for jobs that it ends; nobody waits for them any more.
    Promise.resolve(pool.terminate(true)).catch(() => {});
  }
  const wakeUp = () => wake();
  signal?.addEventListener('abort', abort, { once: true });
  stop?.addEventListener('abort', wakeUp, { once: true });
  try {
    for (;;) {
      if (fatal) throw fatal.reason;
      while (!stop?.aborted && hasRoom()) {
        const batch = nextBatch();
        if (batch.length === 0) break;
        send(batch);
      }
      const outcome = take();
      if (outcome) {
        yield outcome;
        continue;
      }
      const isEmpty = source.ended() && waiting.length === 0;
      if (flights.size === 0 && (stop?.aborted || isEmpty)) {
        // Stopped in order: later jobs may have ended while an earlier one was never begun.
        yield* [...held].sort(([a], [b]) => a - b).map(([, outcome]) => outcome);
        return;
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    signal?.removeEventListener('abort', abort);
    stop?.removeEventListener('abort', wakeUp);
    source.close();
    close();
  }
}

/** Node's threads want a path, browsers a URL. */
function scriptPath(script: URL | string): string {
  const url = String(script);
  return isNode && url.startsWith('file:') ? nodeModule('node:url').fileURLToPath(url) : url;
}

/** Why a worker ended, in a few words. */
function deathOf(error: unknown): string {
  const { cause, message } = error as Error;
  if ((cause as NodeJS.ErrnoException | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return 'it ran out of memory';
  }
  // The pool's message goes on for lines about the script and its arguments.
  const exitCode = /exitCode: `(\S+)`/.exec(message)?.[1];
  if (exitCode !== undefined) return `it ended with exit code ${exitCode}`;
  return cause instanceof Error ? cause.message : message.split('\n')[0];
}
