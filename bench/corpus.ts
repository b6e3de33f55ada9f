// The real files that benchmarks run on, and what is known of them.

import { type Encoding, parse } from 'blp-wasm';
import { sha256 as hashOf } from '../test/reference/compare.js';
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
  /** SHA-256 of each level's texels by an independent decoder. */
  sha256: string[];
}

/** A buffer that holds level 0 of any of the files. */
export function bufferFor(files: CorpusFile[]): Uint8Array {
  return new Uint8Array(Math.max(...files.map(({ width, height }) => width * height * 4)));
}

/**
 * Nothing is timed that is not exact.
 *
 * @throws Error naming a file whose texels are not those of the independent decoder
 */
export function checkExact(files: CorpusFile[], everyLevel: boolean): void {
  const into = bufferFor(files);
  for (const { name, bytes, sha256 } of files) {
    const texture = parse(bytes);
    const count = everyLevel ? sha256.length : 1;
    for (let level = 0; level < count; level++) {
      const { data } = texture.decode({ level, into });
      if (hashOf(data) !== sha256[level]) {
        throw new Error(`${name}: level ${level} is not exact`);
      }
    }
  }
}

/** Reads the corpus; empty where it is absent. */
export function loadCorpus(): CorpusFile[] {
  const { folder } = findRealTextures('corpus');
  return readCorpusManifest(folder).map(({ file, levels }) => {
    const bytes = readBytes(folder, file);
    const [{ width, height }] = levels;
    return {
      name: file,
      bytes,
      encoding: parse(bytes).encoding,
      group: file.split('/')[0],
      width,
      height,
      sha256: levels.map((level) => level.sha256),
    };
  });
}
