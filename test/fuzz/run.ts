// The fuzzer as a command: npm run fuzz -- --seconds N --seed S. Writes what fails, minimised, to regressions/.

import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { minimise } from './minimise.js';
import { mutate } from './mutate.js';
import { randomFor } from './random.js';
import { loadSeeds } from './seeds.js';
import { runTargets, timeBound } from './targets.js';

/** How long the worker may be silent before the input at hand counts as a hang, in milliseconds. */
const silence = 30_000;

/** What the worker process is to do. */
interface Job {
  seed: number;
  first: number;
  seconds: number;
}

/** What the worker tells: how far it is, and what failed. */
interface Report {
  number: number;
  failure?: string;
}

const seeds = await loadSeeds();

function input(seed: number, number: number): Uint8Array {
  const random = randomFor(seed, number);
  return mutate(random.pick(seeds), random, seeds);
}

/** The failure's first line, or undefined where all is well. */
async function failureOf(bytes: Uint8Array, number: number): Promise<string | undefined> {
  // Processor time, which does not grow with what else the machine is doing.
  const start = process.cpuUsage();
  try {
    await runTargets(bytes, number);
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
  const { user, system } = process.cpuUsage(start);
  const took = (user + system) / 1000;
  return took > timeBound ? `took ${took.toFixed(0)} ms` : undefined;
}

async function work({ seed, first, seconds }: Job): Promise<void> {
  const end = performance.now() + seconds * 1000;
  for (let number = first; performance.now() < end; number++) {
    const failure = await failureOf(input(seed, number), number);
    if (failure !== undefined || number % 50 === 0) {
      process.send?.({ number, failure } satisfies Report);
    }
  }
}

/** Runs a worker until its time is over or it hangs; tells the number of the next input. */
function supervise(seed: number, first: number, seconds: number, fail: Fail): Promise<number> {
  return new Promise((resolve) => {
    const job: Job = { seed, first, seconds };
    const worker = fork(fileURLToPath(import.meta.url), [JSON.stringify(job)], {
      execArgv: ['--import', 'tsx'],
    });
    let last = first;
    const hung = () => {
      void fail(last, `no progress for ${silence} ms at one of the 50 inputs from this one on`);
      worker.kill('SIGKILL');
    };
    let watchdog = setTimeout(hung, silence);
    worker.on('message', ({ number, failure }: Report) => {
      last = number;
      clearTimeout(watchdog);
      watchdog = setTimeout(hung, silence);
      if (failure !== undefined) void fail(number, failure);
    });
    worker.on('exit', (code, signal) => {
      clearTimeout(watchdog);
      if (code !== 0 && signal !== 'SIGKILL')
        void fail(last, `the worker died with ${code ?? signal}`);
      resolve(last + 51);
    });
  });
}

type Fail = (number: number, failure: string) => Promise<void>;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string' } },
  });
  const seconds = Number(values.seconds);
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  const folder = new URL('regressions/', import.meta.url).pathname;
  const known = new Set<string>();
  let failures = 0;
  const fail: Fail = async (number, failure) => {
    failures++;
    const kind = failure.replace(/\d+/g, '#');
    if (known.has(kind)) return;
    known.add(kind);
    console.log(`input ${number} of seed ${seed}: ${failure}`);
    const bytes = input(seed, number);
    if ((await failureOf(bytes, number)) === undefined) return;
    const small = await minimise(
      bytes,
      async (candidate) => (await failureOf(candidate, number))?.replace(/\d+/g, '#') === kind,
    );
    mkdirSync(folder, { recursive: true });
    const name = `${createHash('sha256').update(small).digest('hex').slice(0, 12)}.blp`;
    writeFileSync(folder + name, small);
    console.log(`  minimised from ${bytes.length} to ${small.length} bytes: regressions/${name}`);
  };
  console.log(`fuzzing for ${seconds} s with seed ${seed}, ${seeds.length} seed files`);
  const end = performance.now() + seconds * 1000;
  let next = 0;
  while (performance.now() < end) {
    next = await supervise(seed, next, (end - performance.now()) / 1000, fail);
  }
  console.log(`${next} inputs, ${failures} failures of ${known.size} kinds`);
  process.exitCode = failures > 0 ? 1 : 0;
}

if (process.send === undefined) {
  await main();
} else {
  const job: Job = JSON.parse(process.argv[2]);
  await work(job);
}
