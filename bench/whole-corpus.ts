// README, "Speed": every real file decoded, level 0 and all levels, and each peer on the files that it can decode.

import { parse } from 'blp-wasm';
import { bufferFor, type CorpusFile, checkExact, loadCorpus } from './corpus.js';
import { loadPeers, type Peer } from './peer-decoders.js';
import {
  giveFigures,
  inFreshProcesses,
  isMeasuring,
  medians,
  range,
  taskGiven,
  times,
} from './processes.js';
import { writeResults } from './results.js';
import { longTurn, race, table } from './timing.js';

const corpus = loadCorpus();
const texels = (files: CorpusFile[]) =>
  files.reduce((sum, { width, height }) => sum + width * height, 0);
const into = bufferFor(corpus);

function decodeAll(files: CorpusFile[], everyLevel: boolean): void {
  for (const { bytes } of files) {
    const texture = parse(bytes);
    const count = everyLevel ? texture.levels.length : 1;
    for (let level = 0; level < count; level++) texture.decode({ level, into });
  }
}

/** The indices of the files that the peer decodes, of those on which it does not take seconds. */
function decodable({ decode, encodings }: Peer): number[] {
  return corpus.flatMap(({ bytes, encoding, width, height }, index) => {
    if (!encodings.includes(encoding)) return [];
    try {
      const start = performance.now();
      const { length } = decode(bytes);
      const isDecoded = length === width * height * 4 && performance.now() - start < 400;
      return isDecoded ? [index] : [];
    } catch {
      return [];
    }
  });
}

/** One line of the table. */
interface CorpusFigures {
  decoder: string;
  files: number;
  /** Millions of texels in those files. */
  mpix: number;
  /** Milliseconds for all of them. */
  time: number;
  /** How many times longer than this package takes for the same, by medians and by the fastest runs. */
  ratio: number;
  min: number;
}

function measureOurs(everyLevel: boolean): CorpusFigures {
  const [timing] = race([{ name: 'blp-wasm', run: () => decodeAll(corpus, everyLevel) }], rules);
  const all = everyLevel
    ? corpus.reduce((sum, { bytes }) => {
        return sum + parse(bytes).levels.reduce((n, { width, height }) => n + width * height, 0);
      }, 0)
    : texels(corpus);
  return {
    decoder: everyLevel ? 'blp-wasm, all levels' : 'blp-wasm, level 0',
    files: corpus.length,
    mpix: all / 1e6,
    time: timing.median,
    ratio: 1,
    min: 1,
  };
}

function measurePeer(peer: Peer, files: CorpusFile[]): CorpusFigures {
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
    rules,
  );
  return {
    decoder: `${peer.name}, level 0`,
    files: files.length,
    mpix: texels(files) / 1e6,
    time: theirs.median,
    ratio: theirs.median / ours.median,
    min: theirs.min / ours.min,
  };
}

/** Processes that measure, and how each times a decoder. */
const runs = 3;
const rules = { seconds: 1, least: 3, turn: longTurn };

if (isMeasuring) {
  // Which files each peer is measured on: the same in every process.
  const selections = new Map<string, number[]>(JSON.parse(taskGiven()[0]));
  const peers = (await loadPeers()).flatMap((peer) => {
    const files = (selections.get(peer.name) ?? []).map((index) => corpus[index]);
    return files.length === 0 ? [] : [measurePeer(peer, files)];
  });
  giveFigures([measureOurs(false), measureOurs(true), ...peers]);
} else {
  checkExact(corpus, true);
  const selections = (await loadPeers()).map((peer) => [peer.name, decodable(peer)]);
  const measured = inFreshProcesses<CorpusFigures[]>(
    import.meta.url,
    runs,
    JSON.stringify(selections),
  );
  const rows = medians(measured).map(({ decoder, files, mpix, time, ratio, min }, i) => [
    decoder,
    files,
    mpix.toFixed(1),
    ((mpix * 1000) / time).toFixed(0),
    ((files * 1000) / time).toFixed(0),
    ...(decoder.startsWith('blp-wasm')
      ? ['', '', '']
      : [times(ratio), range(measured.map((run) => run[i].ratio)), times(min)]),
  ]);
  const columns = [
    'decoder',
    'files',
    'MPix',
    'MPix/s',
    'files/s',
    'blp-wasm is faster',
    'range',
    'by min',
  ];
  const text = `Each figure is the median of ${runs} fresh processes.\n\n${table(columns, rows)}`;
  console.log(`\n${text}\n`);
  writeResults('corpus', measured, text);
}
