// README, "Compared with others": decoders from npm on the same real files, level 0: who fails on what, who is exact, and how fast.

import { decode, parse } from 'blp-wasm';
import { sha256 } from '../test/reference/compare.js';
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

/** How a peer's texels compare with the independent decoder's, over all files of a kind. */
function judge(peer: Peer, files: CorpusFile[]) {
  const decoded: CorpusFile[] = [];
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
    decoded.push(file);
    if (sha256(data) === file.sha256[0]) {
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

/**
 * The largest of the files that the peer decodes, at most `perKind` and a third of a second's work, as some take seconds for
 * each. Small files would measure the overhead of calls.
 */
function affordable(peer: Peer, files: CorpusFile[]): CorpusFile[] {
  const largest = [...files]
    .sort((a, b) => b.width * b.height - a.width * a.height)
    .slice(0, perKind);
  const end = performance.now() + 330;
  const count = largest.findIndex(({ bytes }) => {
    peer.decode(bytes);
    return performance.now() > end;
  });
  return count < 0 ? largest : largest.slice(0, count + 1);
}

/** How many times longer a peer takes than this package. */
function measurePair(peer: Peer, files: CorpusFile[], reuse: boolean): number {
  const into = reuse ? bufferFor(files) : undefined;
  const [own, other] = race(
    [
      {
        name: 'blp-wasm',
        run: () => {
          for (const { bytes } of files) parse(bytes).decode({ into });
        },
      },
      {
        name: peer.name,
        run: () => {
          for (const { bytes } of files) peer.decode(bytes);
        },
      },
    ],
    rules,
  );
  return other.median / own.median;
}

/** Files of a kind that are timed, fresh processes for a peer on them, and how each times it. */
const perKind = 12;
const runs = 3;
const rules = { seconds: 0.5, least: 3, turn: longTurn };

if (isMeasuring) {
  const [name, indices, target] = taskGiven();
  const peer = (await loadPeers()).find((candidate) => candidate.name === name);
  if (!peer) throw new Error(`${name} is not installed`);
  const files = (JSON.parse(indices) as number[]).map((index) => corpus[index]);
  giveFigures([{ ratio: measurePair(peer, files, target === 'into') }]);
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
      const row = [kind, peer.name, `${decoded.length}/${files.length}`, exact, largest];
      if (decoded.length === 0) {
        rows.push([...row, '–', '', '–']);
        continue;
      }
      const timed = affordable(peer, decoded).map((file) => corpus.indexOf(file));
      // Into new buffers in processes of their own: what one race gives back makes the next one's allocations faster.
      const [into, fresh] = ['into', 'new'].map((target) => {
        console.log(`${kind}, ${peer.name}, ${target}`);
        const task = [peer.name, JSON.stringify(timed), target];
        return inFreshProcesses<[{ ratio: number }]>(import.meta.url, runs, ...task);
      });
      const intoRange = range(into.map(([{ ratio }]) => ratio));
      const [{ ratio }] = medians(into);
      const [{ ratio: ratioNew }] = medians(fresh);
      rows.push([...row, times(ratio), intoRange, times(ratioNew)]);
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
