// The whole corpus through the batch path: files/s and MPix/s by jobs, and where the time goes.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { decodeMany as DecodeMany } from '../src/pool/index.js';
import { realTexturesFolder } from '../test/reference/files.js';
import { loadCorpus } from './corpus.js';
import { writeResults } from './results.js';
import { table } from './timing.js';

const rounds = Number(process.argv[2] ?? 3);
const root = fileURLToPath(new URL('../', import.meta.url));
const command = join(root, 'dist/cli/index.js');
if (!existsSync(command)) throw new Error('the package is not built: run "npm run build" first');

const corpus = loadCorpus();
if (corpus.length === 0) process.exit();
const folder = join(realTexturesFolder, 'corpus');
const paths = corpus.map(({ name }) => join(folder, name));

interface Measured {
  seconds: number;
  pixels: number;
  /** Milliseconds by step, of all workers together. */
  steps?: Record<'read' | 'decode' | 'encode' | 'write', number>;
}

interface Contender {
  name: string;
  jobs: number;
  run(jobs: number): Promise<Measured>;
  best?: Measured;
}

const url = pathToFileURL(join(root, 'dist/esm/pool/index.js')).href;
const { decodeMany } = (await import(url)) as { decodeMany: typeof DecodeMany };

/** The texels of every file, handed to this thread and dropped. */
async function decodeAll(jobs: number): Promise<Measured> {
  const start = performance.now();
  let pixels = 0;
  for await (const { source, image, error } of decodeMany(paths, {
    concurrency: jobs,
    order: 'completion',
  })) {
    if (error) throw new Error(`${source}: ${error.message}`);
    pixels += image.width * image.height;
  }
  return { seconds: (performance.now() - start) / 1000, pixels };
}

/** The command as people run it, with its start. */
function convertTo(format: string): Contender['run'] {
  return async (jobs) => {
    const out = mkdtempSync(join(tmpdir(), 'blp-bench-'));
    try {
      const args = ['convert', folder, '-o', out, '--to', format, '--jobs', `${jobs}`, '--json'];
      const start = performance.now();
      const report = execFileSync(process.execPath, [command, ...args, '--quiet'], {
        maxBuffer: 1 << 28,
        encoding: 'utf8',
      });
      const seconds = (performance.now() - start) / 1000;
      const { summary } = JSON.parse(report);
      return { seconds, pixels: summary.pixels, steps: summary.workerMilliseconds };
    } finally {
      rmSync(out, { recursive: true, force: true });
    }
  };
}

const contenders: Contender[] = [1, 2].flatMap((jobs) => [
  { name: 'decode only', jobs, run: decodeAll },
  { name: 'to PNG', jobs, run: convertTo('png') },
  { name: 'to DDS', jobs, run: convertTo('dds') },
  { name: 'to raw', jobs, run: convertTo('raw') },
]);
for (let round = 0; round < rounds; round++) {
  for (const contender of contenders) {
    const measured = await contender.run(contender.jobs);
    if (measured.seconds < (contender.best?.seconds ?? Number.POSITIVE_INFINITY)) {
      contender.best = measured;
    }
  }
}

const rows = contenders.map(({ name, jobs, best }) => {
  const { seconds, pixels, steps } = best!;
  const all = steps ? steps.read + steps.decode + steps.encode + steps.write : 0;
  const share = (time: number | undefined) =>
    time === undefined ? '' : `${Math.round((100 * time) / all)} %`;
  return [
    name,
    jobs,
    seconds.toFixed(2),
    Math.round(corpus.length / seconds),
    (pixels / 1e6 / seconds).toFixed(1),
    ...[steps?.read, steps?.decode, steps?.encode, steps?.write].map(share),
  ];
});
const columns = ['', 'jobs', 's', 'files/s', 'MPix/s', 'read', 'decode', 'encode', 'write'];
const text = table(columns, rows);
console.log(text);
writeResults(
  'batch',
  contenders.map(({ name, jobs, best }) => ({ name, jobs, files: corpus.length, ...best })),
  `${corpus.length} files, best of ${rounds} rounds, the start of Node and of the workers included.\n\n${text}`,
);
