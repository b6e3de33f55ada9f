// The real files that benchmarks run on, and what is known of them.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Encoding, parse } from 'blp-wasm';

/** One real file, read into memory. */
export interface CorpusFile {
  name: string;
  bytes: Uint8Array;
  encoding: Encoding;
  /** Folder of the corpus: version, content and alpha bits. */
  group: string;
  width: number;
  height: number;
  /** SHA-256 of level 0's texels by an independent decoder. */
  sha256: string;
  /** Number of levels. */
  levels: number;
}

/** Reads the corpus; empty where it is absent. */
export function loadCorpus(): CorpusFile[] {
  const shared = process.env.BLP_TEXTURES ?? new URL('../../shared', import.meta.url).pathname;
  const folder = join(shared, 'corpus');
  if (!existsSync(folder)) {
    console.log(`no ${folder}: set BLP_TEXTURES to the folder that holds corpus/`);
    return [];
  }
  const lines = readFileSync(join(folder, 'manifest.jsonl'), 'utf8').trim().split('\n');
  return lines.map((line) => {
    const entry = JSON.parse(line) as { file: string; levels: [number, number, string][] };
    const bytes = new Uint8Array(readFileSync(join(folder, entry.file)));
    const [width, height, sha256] = entry.levels[0];
    return {
      name: entry.file,
      bytes,
      encoding: parse(bytes).encoding,
      group: entry.file.split('/')[0],
      width,
      height,
      sha256,
      levels: entry.levels.length,
    };
  });
}
