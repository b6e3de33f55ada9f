// The page's side of the workers: tasks in, answers out, the most wanted first.

import type { Reply, Request, Source, Task, Tasks } from './messages.js';

export interface RunOptions {
  signal?: AbortSignal;
  /** Called with the part that is done, 0 to 1. */
  onProgress?: (part: number) => void;
}

/** What a worker could not do, in words. */
export class TaskError extends Error {
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined) {
    super(message);
    this.code = code;
  }
}

interface Job {
  request: Exclude<Request, { task: 'stop' }>;
  options: RunOptions;
  resolve: (answer: never) => void;
  reject: (error: unknown) => void;
}

/** Runs tasks on a few workers. */
export interface Decoder {
  run<T extends Task>(
    task: T,
    source: Source,
    ask: Tasks[T]['ask'],
    options?: RunOptions,
  ): Promise<Tasks[T]['answer']>;
  /** Puts a texture's waiting task before all others. */
  prefer(sourceId: number): void;
}

let nextId = 1;

export function createDecoder(workers: number): Decoder {
  const queue: Job[] = [];
  const idle = Array.from({ length: workers }, () => new Worker('worker.js', { type: 'module' }));

  function work(): void {
    while (idle.length > 0 && queue.length > 0) {
      start(idle.pop() as Worker, queue.shift() as Job);
    }
  }

  function start(worker: Worker, job: Job): void {
    const { request, options, resolve, reject } = job;
    const { signal, onProgress } = options;
    const stop = (): void => worker.postMessage({ id: request.id, task: 'stop' } satisfies Request);
    const end = (): void => {
      signal?.removeEventListener('abort', stop);
      idle.push(worker);
      work();
    };
    if (signal?.aborted) {
      reject(signal.reason);
      end();
      return;
    }
    signal?.addEventListener('abort', stop);
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      if ('progress' in data) {
        onProgress?.(data.progress);
        return;
      }
      end();
      if ('error' in data) {
        const { name, code, message } = data.error;
        reject(name === 'AbortError' ? signal?.reason : new TaskError(message, code));
      } else {
        resolve(data.answer as never);
      }
    };
    worker.onerror = (event) => {
      end();
      reject(new TaskError(event.message || 'the worker did not start', undefined));
    };
    worker.postMessage(request);
  }

  return {
    run: (task, source, ask, options = {}) =>
      new Promise((resolve, reject) => {
        const request = { id: nextId++, task, source, ask } as Job['request'];
        queue.push({ request, options, resolve, reject });
        work();
      }),
    prefer: (sourceId) => {
      const at = queue.findIndex(({ request }) => request.source.id === sourceId);
      if (at > 0) queue.unshift(...queue.splice(at, 1));
    },
  };
}
