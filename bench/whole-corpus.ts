// README, "Speed": every real file decoded, level 0 and all levels, and each peer on the files that it can decode.

import { parse } from 'blp-wasm';
import { type CorpusFile, loadCorpus } from './corpus.js';
import { loadPeers, type PeerDecode } from './peer-decoders.js';
import { writeResults } from './results.js';
import { race, table } from './timing.js';

const corpus = loadCorpus();
const texels = (files: CorpusFile[]) =>
  files.reduce((sum, { width, height }) => sum + width * height, 0);
const into = new Uint8Array(Math.max(...corpus.map(({ width, height }) => width * height * 4)));

function decodeAll(files: CorpusFile[], everyLevel: boolean): void {
  for (const { bytes } of files) {
    const texture = parse(bytes);
    const count = everyLevel ? texture.levels.length : 1;
    for (let level = 0; level < count; level++) texture.decode({ level, into });
  }
}

/** Files that the peer decodes, of those on which it does not take seconds. */
function decodable(decode: PeerDecode, files: CorpusFile[]): CorpusFile[] {
  return files.filter(({ bytes }) => {
    try {
      const start = performance.now();
      decode(bytes);
      return performance.now() - start < 400;
    } catch {
      return false;
    }
  });
}

const rows: (string | number)[][] = [];
for (const everyLevel of [false, true]) {
  const [timing] = race([{ name: 'blp-wasm', run: () => decodeAll(corpus, everyLevel) }], 3);
  const all = everyLevel
    ? corpus.reduce((sum, { bytes }) => {
        return sum + parse(bytes).levels.reduce((n, { width, height }) => n + width * height, 0);
      }, 0)
    : texels(corpus);
  rows.push([
    everyLevel ? 'blp-wasm, all levels' : 'blp-wasm, level 0',
    corpus.length,
    (all / 1e6).toFixed(1),
    (all / timing.median / 1000).toFixed(0),
    (corpus.length / (timing.median / 1000)).toFixed(0),
    '1.0×',
  ]);
}
for (const peer of await loadPeers()) {
  const files = decodable(
    peer.decode,
    corpus.filter(({ encoding }) => peer.encodings.includes(encoding)),
  );
  if (files.length === 0) continue;
  const [ours, theirs] = race(
    [
      { name: 'blp-wasm', run: () => decodeAll(files, false) },
      {
        name: peer.name,
        run: () => {
          for (const { bytes } of files) peer.decode(bytes);
        },
      },
    ],
    3,
  );
  rows.push([
    `${peer.name}, level 0`,
    files.length,
    (texels(files) / 1e6).toFixed(1),
    (texels(files) / theirs.median / 1000).toFixed(0),
    (files.length / (theirs.median / 1000)).toFixed(0),
    `${(theirs.median / ours.median).toFixed(1)}×`,
  ]);
}
const text = table(
  ['decoder', 'files', 'MPix', 'MPix/s', 'files/s', 'blp-wasm is faster on these'],
  rows,
);
console.log(`${text}\n`);
writeResults('corpus', rows, text);
