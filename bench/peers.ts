// README, "Compared with others": decoders from npm on the same real files, level 0: who fails on what, who is exact, and how fast.

import { createHash } from 'node:crypto';
import { BlpError, decode, parse } from 'blp-wasm';
import { type CorpusFile, loadCorpus } from './corpus.js';
import { loadPeers, type Peer } from './peer-decoders.js';
import { writeResults } from './results.js';
import { race, table } from './timing.js';

const perKind = Number(process.argv[2] ?? 12);

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
    if (createHash('sha256').update(data).digest('hex') === file.sha256) {
      exact++;
      continue;
    }
    const ours = decode(file.bytes).data;
    for (let i = 0; i < data.length; i++) largest = Math.max(largest, Math.abs(data[i] - ours[i]));
  }
  return { decoded, exact, largest, failures };
}

/** As many of the files as the peer decodes in a third of a second, at least one: some take seconds for each. */
function affordable(peer: Peer, files: CorpusFile[]): CorpusFile[] {
  const end = performance.now() + 330;
  const count = files.findIndex(({ bytes }) => {
    peer.decode(bytes);
    return performance.now() > end;
  });
  return count < 0 ? files : files.slice(0, count + 1);
}

const corpus = loadCorpus();
const kinds = new Map<string, CorpusFile[]>();
for (const file of corpus) {
  const kind = `${file.group.startsWith('blp1') ? 'BLP1' : 'BLP2'} ${file.encoding}${file.group.endsWith('prog') ? ' progressive' : ''}`;
  kinds.set(kind, [...(kinds.get(kind) ?? []), file]);
}
const peers = await loadPeers();
const rows: (string | number)[][] = [];
const notes: string[] = [];
for (const [kind, files] of [...kinds].sort()) {
  const wrong = files.filter(
    ({ bytes, sha256 }) => createHash('sha256').update(decode(bytes).data).digest('hex') !== sha256,
  );
  if (wrong.length > 0) throw new BlpError('damaged', `${wrong[0].name} is not exact`);
  rows.push([kind, 'blp-wasm', `${files.length}/${files.length}`, files.length, 0, '1.0×', '1.0×']);
  for (const peer of peers) {
    if (!peer.encodings.includes(files[0].encoding)) continue;
    const { decoded, exact, largest, failures } = judge(peer, files);
    for (const failure of failures) notes.push(`${kind}, ${peer.name}: ${failure}`);
    const row = [kind, peer.name, `${decoded.length}/${files.length}`, exact, largest];
    if (decoded.length === 0) {
      rows.push([...row, '–', '–']);
      continue;
    }
    // The largest files: small ones measure call overhead.
    decoded.sort((a, b) => b.width * b.height - a.width * a.height);
    const timed = affordable(peer, decoded.slice(0, perKind));
    const size = Math.max(...timed.map(({ width, height }) => width * height * 4));
    const into = new Uint8Array(size);
    const [ours, fresh, theirs] = race(
      [
        {
          name: 'into a reused buffer',
          run: () => {
            for (const { bytes } of timed) parse(bytes).decode({ into });
          },
        },
        {
          name: 'into a new buffer',
          run: () => {
            for (const { bytes } of timed) decode(bytes);
          },
        },
        {
          name: peer.name,
          run: () => {
            for (const { bytes } of timed) peer.decode(bytes);
          },
        },
      ],
      3,
    );
    const ratio = (a: number, b: number) => `${(a / b).toFixed(1)}×`;
    rows.push([...row, ratio(theirs.median, ours.median), ratio(theirs.median, fresh.median)]);
  }
}
const text = table(
  ['kind', 'decoder', 'decodes', 'exact', 'largest difference', 'slower than into', 'than new'],
  rows,
);
console.log(
  `Level 0 of ${corpus.length} real files; times over the ${perKind} largest of a kind, median\n`,
);
console.log(text);
console.log(`\nFailures:\n${notes.map((note) => `- ${note}`).join('\n')}`);
writeResults('peers', { rows, notes }, `${text}\n\n${notes.map((note) => `- ${note}`).join('\n')}`);
