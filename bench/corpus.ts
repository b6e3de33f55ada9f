// The real files that benchmarks run on, and what is known of them.

import { type Encoding, parse } from 'blp-wasm';
import { findRealTextures, readBytes, readCorpusManifest } from '../test/reference/files.js';

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
  const { folder } = findRealTextures('corpus');
  return readCorpusManifest(folder).map(({ file, levels }) => {
    const bytes = readBytes(folder, file);
    const [{ width, height, sha256 }] = levels;
    return {
      name: file,
      bytes,
      encoding: parse(bytes).encoding,
      group: file.split('/')[0],
      width,
      height,
      sha256,
      levels: levels.length,
    };
  });
}
