// Jobs over workers: order, batches, back-pressure, dying and hanging workers.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Outcome, type RunOptions, runJobs } from '../../src/pool/run.js';
import type { Task } from './unruly-worker.js';

const build_ = fileURLToPath(new URL('../../build/', import.meta.url));
let folder = '';

beforeAll(async () => {
  folder = mkdtempSync(join(build_, 'pool-'));
  await build({
    entryPoints: [fileURLToPath(new URL('unruly-worker.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile: join(folder, 'worker.cjs'),
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function options(changes: Partial<RunOptions<Task, number>> = {}): RunOptions<Task, number> {
  return {
    worker: pathToFileURL(join(folder, 'worker.cjs')),
    concurrency: 2,
    order: 'input',
    prepare: (job) => ({ message: job }),
    ...changes,
  };
}

async function collect(
  jobs: Iterable<Task> | AsyncIterable<Task>,
  changes: Partial<RunOptions<Task, number>> = {},
): Promise<Outcome<Task, number>[]> {
  const outcomes: Outcome<Task, number>[] = [];
  for await (const outcome of runJobs(jobs, options(changes))) outcomes.push(outcome);
  return outcomes;
}

const answers = (count: number): Task[] =>
  Array.from({ length: count }, (_, value) => ({ do: 'answer', value }));

describe('runJobs', () => {
  it('answers every job in order', async () => {
    const outcomes = await collect(answers(1000));
    expect(outcomes.map(({ result }) => result)).toEqual(
      answers(1000).map(({ value }) => value * 2),
    );
    expect(outcomes.every(({ job }, index) => job.value === index)).toBe(true);
  });

  it('answers every job once in the order of completion', async () => {
    const jobs = answers(300);
    jobs[0] = { do: 'wait', value: 300 };
    const outcomes = await collect(jobs, { order: 'completion' });
    const values = outcomes.map(({ job }) => job.value);
    expect(values[0]).not.toBe(300);
    expect(values.sort((a, b) => a - b)).toEqual(
      [...jobs.map(({ value }) => value)].sort((a, b) => a - b),
    );
  });

  it('takes jobs from generators, async ones too, and none for nothing', async () => {
    async function* slowly() {
      for (const job of answers(20)) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        yield job;
      }
    }
    expect(await collect(slowly())).toHaveLength(20);
    expect(await collect(new Set(answers(50)))).toHaveLength(50);
    expect(await collect([])).toEqual([]);
  });

  it('throws what its source throws', async () => {
    async function* broken(): AsyncGenerator<Task> {
      yield { do: 'answer', value: 1 };
      throw new Error('no more');
    }
    await expect(collect(broken())).rejects.toThrow('no more');
    function* brokenToo(): Generator<Task> {
      yield { do: 'answer', value: 1 };
      throw new Error('no more either');
    }
    await expect(collect(brokenToo())).rejects.toThrow('no more either');
  });

  it.each(['prepare', 'jobBytes'] as const)('reports a job whose %s throws', async (step) => {
    const check = (job: Task) => {
      if (job.value % 3 === 0) throw new Error('unusable');
    };
    const prepare = (job: Task) => {
      check(job);
      return { message: job };
    };
    const jobBytes = (job: Task) => {
      check(job);
      return 1;
    };
    const outcomes = await collect(answers(20), step === 'prepare' ? { prepare } : { jobBytes });
    expect(outcomes.map(({ job }) => job.value)).toEqual(answers(20).map(({ value }) => value));
    for (const { job, result, error } of outcomes) {
      if (job.value % 3 !== 0) expect(result).toBe(job.value * 2);
      else
        expect(error).toMatchObject({ code: 'read', message: expect.stringContaining('unusable') });
    }
  });

  it('runs only a little ahead of whoever takes the results', async () => {
    let taken = 0;
    function* endless(): Generator<Task> {
      for (;;) yield { do: 'answer', value: taken++ };
    }
    const iterator = runJobs(endless(), options({ resultBytes: () => 1 << 20 }));
    for (let count = 0; count < 10; count++) await iterator.next();
    await new Promise((resolve) => setTimeout(resolve, 300));
    // 128 MB of results are held at most, and four batches of 32 are on their way.
    expect(taken).toBeLessThan(10 + 128 + 4 * 32 + 32);
    await iterator.return();
  });

  it('does not stand still when results are larger than what may be held', async () => {
    const outcomes = await collect(answers(100), { resultBytes: () => 1 << 30 });
    expect(outcomes.map(({ job }) => job.value)).toEqual(answers(100).map(({ value }) => value));
  });
});

describe('workers that die', () => {
  it('are replaced; their job is tried once more and reported, no other is lost', async () => {
    const jobs = answers(200);
    jobs[3] = { do: 'exit', value: 3 };
    jobs[150] = { do: 'exit', value: 150 };
    const outcomes = await collect(jobs);
    expect(outcomes).toHaveLength(200);
    for (const [index, { job, result, error }] of outcomes.entries()) {
      if (job.do === 'answer') expect(result).toBe(index * 2);
      else
        expect(error).toMatchObject({ code: 'crash', message: expect.stringContaining('twice') });
    }
    expect(outcomes[3]!.error!.message).toContain('exit code 7');
  });

  it('of a full heap say so', async () => {
    const jobs: Task[] = [{ do: 'exhaust', value: 1 }, ...answers(5)];
    const outcomes = await collect(jobs);
    expect(outcomes[0]!.error).toMatchObject({ code: 'crash' });
    expect(outcomes[0]!.error!.message).toContain('out of memory');
    expect(outcomes.slice(1).every(({ result }) => result !== undefined)).toBe(true);
  }, 120_000);

  it('before they begin end the run', async () => {
    const script = join(folder, 'broken.cjs');
    writeFileSync(script, 'throw new Error("cannot start");');
    const worker = pathToFileURL(script);
    await expect(collect(answers(1000), { worker })).rejects.toMatchObject({
      code: 'crash',
      message: expect.stringContaining('cannot start'),
    });
  });
});

describe('jobs that hang', () => {
  it('are given up after the timeout, the others are not', async () => {
    const jobs = answers(60);
    jobs[10] = { do: 'hang', value: 10 };
    const outcomes = await collect(jobs, { timeout: 2000 });
    expect(outcomes[10]!.error).toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('2 s'),
    });
    expect(outcomes.filter(({ error }) => error)).toHaveLength(1);
    expect(outcomes[59]!.result).toBe(118);
  });
});

describe('the timeout', () => {
  it('names the job that was too slow, though it ends before its worker does', async () => {
    const jobs = answers(60);
    // Its end is reported half a second after it was given up; a worker has a second to end by itself.
    jobs[20] = { do: 'spin', value: 2500 };
    const outcomes = await collect(jobs, { timeout: 2000, concurrency: 1 });
    const failed = outcomes.filter(({ error }) => error);
    expect(failed.map(({ job, error }) => [job.value, error!.code])).toEqual([[2500, 'timeout']]);
    expect(outcomes).toHaveLength(60);
  });

  it('blames no job for the time in which nobody listens', async () => {
    const jobs: Task[] = Array.from({ length: 40 }, () => ({ do: 'wait', value: 5 }));
    const codes = new Set<string | undefined>();
    let taken = 0;
    for await (const { error } of runJobs(jobs, options({ timeout: 1500, concurrency: 1 }))) {
      codes.add(error?.code);
      if (taken++ === 2) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500);
    }
    expect([...codes]).toEqual([undefined]);
  });
});

describe('ending early', () => {
  it('by a signal throws its reason', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    setTimeout(() => controller.abort(reason), 200);
    const jobs: Task[] = [{ do: 'hang', value: 0 }, ...answers(10)];
    await expect(collect(jobs, { signal: controller.signal })).rejects.toBe(reason);
    await expect(collect(jobs, { signal: controller.signal })).rejects.toBe(reason);
  });

  it('by stop lets what has begun end', async () => {
    const controller = new AbortController();
    const jobs: Task[] = Array.from({ length: 500 }, () => ({ do: 'wait', value: 5 }));
    const outcomes: Outcome<Task, number>[] = [];
    for await (const outcome of runJobs(jobs, options({ stop: controller.signal }))) {
      outcomes.push(outcome);
      if (outcomes.length === 10) controller.abort();
    }
    expect(outcomes.length).toBeGreaterThanOrEqual(10);
    expect(outcomes.length).toBeLessThan(400);
    expect(outcomes.every(({ result }) => result === 10)).toBe(true);
  });

  it('by stop keeps the order of what has ended when an earlier job was never done', async () => {
    const controller = new AbortController();
    const jobs: Task[] = [
      { do: 'exit', value: 0 },
      { do: 'wait', value: 300 },
      { do: 'answer', value: 2 },
    ];
    const outcomes = await collect(jobs, {
      concurrency: 3,
      stop: controller.signal,
      prepare: (job) => {
        // The first dies, and would be tried once more.
        if (job === jobs[2]) controller.abort();
        return { message: job };
      },
    });
    expect(outcomes.map(({ job, result }) => [job.do, result])).toEqual([
      ['wait', 600],
      ['answer', 4],
    ]);
  });
});
