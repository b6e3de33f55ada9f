// README, "Compared with others": decoders from npm on the same real files, level 0: who fails on what, who is exact, and how fast.

import { createHash } from 'node:crypto';
import { decode, parse } from 'blp-wasm';
import { type CorpusFile, checkExact, loadCorpus } from './corpus.js';
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

/** How a peer's texels compare with the independent decoder's, over all files of a kind. */
function judge(peer: Peer, files: CorpusFile[]) {
  let decoded = 0;
  let exact = 0;
  let largest = 0;
  const failures = new Set<string>();
  for (const file of files) {
    let data: Uint8Array | Uint8ClampedArray;
    try {
      data = peer.decode(file.bytes);
    } catch (error) {
      failures.add(error instanceof Error ? error.message.split('\n')[0] : String(error));
      continue;
    }
    if (data.length !== file.width * file.height * 4) {
      failures.add(`${data.length} bytes instead of ${file.width * file.height * 4}`);
      continue;
    }
    decoded++;
    if (createHash('sha256').update(data).digest('hex') === file.sha256[0]) {
      exact++;
      continue;
    }
    const ours = decode(file.bytes).data;
    for (let i = 0; i < data.length; i++) largest = Math.max(largest, Math.abs(data[i] - ours[i]));
  }
  return { decoded, exact, largest, failures };
}

const corpus = loadCorpus();
const kinds = new Map<string, CorpusFile[]>();
for (const file of corpus) {
  const kind = `${file.group.startsWith('blp1') ? 'BLP1' : 'BLP2'} ${file.encoding}${file.group.endsWith('prog') ? ' progressive' : ''}`;
  kinds.set(kind, [...(kinds.get(kind) ?? []), file]);
}
/** How many times longer a peer takes. */
interface PeerFigures {
  /** Than this package into a reused buffer. */
  into: number;
  /** Than this package into a new buffer. */
  fresh: number;
}

/** The largest files that the peer decodes, at most `most` and a third of a second's work: some take seconds for each. */
function affordable(peer: Peer, files: CorpusFile[], most: number): CorpusFile[] {
  const found: CorpusFile[] = [];
  const end = performance.now() + 330;
  for (const file of [...files].sort((a, b) => b.width * b.height - a.width * a.height)) {
    try {
      peer.decode(file.bytes);
      found.push(file);
    } catch {
      continue;
    }
    if (found.length === most || performance.now() > end) break;
  }
  return found;
}

/** Small files measure the overhead of calls: the largest of a kind are timed. */
function measurePair(kind: string, peer: Peer): PeerFigures {
  const files = affordable(peer, kinds.get(kind) ?? [], perKind);
  const into = new Uint8Array(Math.max(...files.map(({ width, height }) => width * height * 4)));
  const run = (decodeOne: (bytes: Uint8Array) => unknown) => () => {
    for (const { bytes } of files) decodeOne(bytes);
  };
  const theirs = { name: peer.name, run: run(peer.decode) };
  // Two races, because buffers that one contender gives back make the other's allocations faster.
  const ratio = (ours: (bytes: Uint8Array) => unknown): number => {
    const [own, other] = race([{ name: 'blp-wasm', run: run(ours) }, theirs], rules);
    return other.median / own.median;
  };
  return {
    into: ratio((bytes) => parse(bytes).decode({ into })),
    fresh: ratio((bytes) => decode(bytes)),
  };
}

/** Files of a kind that are timed, fresh processes for a peer on them, and how each times it. */
const perKind = 12;
const runs = 3;
const rules = { seconds: 0.7, least: 3, turn: longTurn };

if (isMeasuring) {
  const [kind, name] = taskGiven();
  const peer = (await loadPeers()).find((candidate) => candidate.name === name);
  if (!peer) throw new Error(`${name} is not installed`);
  giveFigures([measurePair(kind, peer)]);
} else {
  const peers = await loadPeers();
  const rows: (string | number)[][] = [];
  const notes: string[] = [];
  for (const [kind, files] of [...kinds].sort()) {
    checkExact(files, false);
    const all = `${files.length}/${files.length}`;
    rows.push([kind, 'blp-wasm', all, files.length, 0, '1.0×', '', '1.0×']);
    for (const peer of peers) {
      if (!peer.encodings.includes(files[0].encoding)) continue;
      const { decoded, exact, largest, failures } = judge(peer, files);
      for (const failure of failures) notes.push(`${kind}, ${peer.name}: ${failure}`);
      const row = [kind, peer.name, `${decoded}/${files.length}`, exact, largest];
      if (decoded === 0) {
        rows.push([...row, '–', '', '–']);
        continue;
      }
      const measured = inFreshProcesses<PeerFigures[]>(import.meta.url, runs, kind, peer.name);
      const [{ into, fresh }] = medians(measured);
      const intoRange = range(measured.map(([figures]) => figures.into));
      rows.push([...row, times(into), intoRange, times(fresh)]);
    }
  }
  const columns = ['kind', 'decoder', 'decodes', 'exact', 'largest difference'];
  const text = table([...columns, 'slower than into', 'range', 'than new'], rows);
  const failed = notes.map((note) => `- ${note}`).join('\n');
  console.log(
    `\nLevel 0 of ${corpus.length} real files; times over the ${perKind} largest of a kind, median of ${runs} fresh processes\n`,
  );
  console.log(`${text}\n\nFailures:\n${failed}`);
  writeResults('peers', { rows, notes }, `${text}\n\n${failed}`);
}
