// Writes a benchmark's table to bench/results/, as data and as Markdown, with the machine named.

import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** What it was measured on: a figure without its machine says nothing. */
export function machine(): string {
  const { model } = cpus()[0];
  return `${model.trim()}, ${cpus().length} cores, Node ${process.versions.node}, V8 ${process.versions.v8}`;
}

/** Writes `bench/results/NAME.json` and `NAME.md`. */
export function writeResults(name: string, data: unknown, markdown: string): void {
  const folder = new URL('results/', import.meta.url).pathname;
  mkdirSync(folder, { recursive: true });
  const measured = { machine: machine(), date: new Date().toISOString().slice(0, 10) };
  writeFileSync(`${folder}${name}.json`, `${JSON.stringify({ ...measured, data }, null, 1)}\n`);
  writeFileSync(`${folder}${name}.md`, `${measured.machine}, ${measured.date}\n\n${markdown}\n`);
}
