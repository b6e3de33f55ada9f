// The worker's side of the pool: takes batches of messages, answers each as soon as it is done.

import * as workerpool from 'workerpool';
import { nodeModule } from './platform.js';

/** What a worker tells while it works on a batch. */
export type WorkerEvent<Result> = { kind: 'begin' } | { kind: 'end'; result: Result };

/** The answer to one message. */
export interface Answer<Result> {
  result: Result;
  /** Buffers of the result that are moved to the other side instead of being copied. */
  transfer?: ArrayBuffer[];
}

/** Moved bytes after which the rest of a batch is handed back: the other side takes results at its own pace. */
const maxAnswerBytes = 8 << 20;

/**
 * Makes this worker answer what `runJobs` sends it.
 *
 * @param work must not throw: a failure that belongs to a message is a result.
 */
export function serve<Message, Result>(
  work: (message: Message) => Answer<Result> | Promise<Answer<Result>>,
): void {
  /** Works on the messages one after another until the time is over; the others were not begun. */
  async function batch(messages: readonly Message[], milliseconds: number): Promise<void> {
    emit({ kind: 'begin' });
    const end = performance.now() + milliseconds;
    let bytes = 0;
    for (const message of messages) {
      const { result, transfer = [] } = await work(message);
      emit({ kind: 'end', result }, transfer);
      for (const buffer of transfer) bytes += buffer.byteLength;
      if (performance.now() > end || bytes > maxAnswerBytes) return;
    }
  }

  function emit(event: WorkerEvent<Result>, transfer: ArrayBuffer[] = []): void {
    workerpool.workerEmit(new workerpool.Transfer(event, transfer));
  }

  workerpool.worker({ batch });
  forwardPort();
}

/** Bun gives messages to the thread's port alone, while the pool, finding a global scope, listens there. */
function forwardPort(): void {
  if (!('Bun' in globalThis)) return;
  nodeModule('node:worker_threads').parentPort?.on('message', (data) => {
    dispatchEvent(new MessageEvent('message', { data }));
  });
}
