// README, "Speed": what starting costs, in fresh processes: import, compilation, first decode of each kind.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writeResults } from './results.js';
import { median, table } from './timing.js';

const root = fileURLToPath(new URL('../', import.meta.url));
const runs = Number(process.argv[2] ?? 15);
const files = ['blp2-dxt5-alpha8.blp', 'blp1-jpeg-alpha8.blp', 'blp1-paletted-alpha8.blp'];

/** Run in a process of its own; prints milliseconds as JSON. */
const script = `
import { readFileSync } from 'node:fs';
const files = ${JSON.stringify(files)}.map((name) => readFileSync(${JSON.stringify(`${root}fixtures/`)} + name));
const times = [];
let last = performance.now();
const lap = () => { const now = performance.now(); times.push(now - last); last = performance.now(); };
const entry = process.argv[1];
const { decode, kernelsInUse } = await import(entry);
lap();
kernelsInUse();
lap();
for (const file of files) { decode(new Uint8Array(file)); lap(); }
console.log(JSON.stringify(times));
`;

const rows = ['index.js', 'core.js'].map((entry) => {
  const path = `${root}dist/esm/${entry}`;
  readFileSync(path);
  const samples = Array.from({ length: runs }, () => {
    const args = ['--input-type=module', '-e', script, path];
    return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as number[];
  });
  const laps = samples[0].map((_, i) => median(samples.map((times) => times[i])));
  return [`dist/esm/${entry}`, ...laps.map((milliseconds) => milliseconds.toFixed(2))];
});
const text = table(
  ['entry', 'import, ms', 'compile', 'first DXT5 64²', 'first JPEG 64²', 'first paletted 32²'],
  rows,
);
console.log(`Median of ${runs} fresh processes\n\n${text}\n`);
writeResults('startup', rows, text);
