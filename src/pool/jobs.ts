// Jobs out of an array, iterable or async iterable, no more of them than are wanted.

/** A job on its way through the pool. */
export interface Entry<Job> {
  job: Job;
  /** Its place among all jobs. */
  index: number;
  /** How many workers died of it. */
  deaths: number;
}

export interface JobStream<Job> {
  /** Takes jobs until `waiting` holds `count`; later jobs of a slow source are announced by `arrived`. */
  fill(
    waiting: Entry<Job>[],
    count: number,
    arrived: () => void,
    failed: (reason: unknown) => void,
  ): void;
  /** Whether every job was taken. */
  ended(): boolean;
  /** How many jobs are still to come; Infinity where nobody knows. */
  remaining(): number;
  /** Tells the source that no more will be taken. */
  close(): void;
}

export function readJobs<Job>(jobs: Iterable<Job> | AsyncIterable<Job>): JobStream<Job> {
  const length = Array.isArray(jobs) ? jobs.length : Number.POSITIVE_INFINITY;
  let taken = 0;
  let hasEnded = false;

  function put(waiting: Entry<Job>[], next: IteratorResult<Job>): void {
    if (next.done) hasEnded = true;
    else waiting.push({ job: next.value, index: taken++, deaths: 0 });
  }

  const shared = {
    ended: () => hasEnded,
    remaining: () => (hasEnded ? 0 : length - taken),
  };
  if (Symbol.iterator in jobs) {
    const iterator = jobs[Symbol.iterator]();
    return {
      ...shared,
      fill(waiting, count) {
        while (!hasEnded && waiting.length < count) put(waiting, iterator.next());
        // Saves a round that would only find the end.
        if (taken === length) hasEnded = true;
      },
      close() {
        if (!hasEnded) iterator.return?.();
      },
    };
  }
  const iterator = jobs[Symbol.asyncIterator]();
  let isAsked = false;
  return {
    ...shared,
    fill(waiting, count, arrived, failed) {
      if (isAsked || hasEnded || waiting.length >= count) return;
      isAsked = true;
      iterator.next().then((next) => {
        isAsked = false;
        put(waiting, next);
        arrived();
      }, failed);
    },
    close() {
      // Its failure says nothing new: nobody takes from it any more.
      if (!hasEnded) Promise.resolve(iterator.return?.()).catch(() => {});
    },
  };
}
