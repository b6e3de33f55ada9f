// Fills README.md's tables from bench/results/ and draws its plots, so that no figure is ever typed by hand.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { plotPeers } from './plot.js';
import { table } from './timing.js';

const root = fileURLToPath(new URL('../', import.meta.url));

/** A page of results: what it was measured on, and its text. */
interface Results {
  machine: string;
  text: string;
}

/** Results of that name, or undefined where they were not measured yet. */
function readResults(name: string): Results | undefined {
  const path = `${root}bench/results/${name}.md`;
  if (!existsSync(path)) return undefined;
  const [machine, ...lines] = readFileSync(path, 'utf8').trim().split('\n');
  return { machine, text: lines.join('\n').trim() };
}

/** One decoder on the files of one kind. */
export interface PeerRow {
  kind: string;
  decoder: string;
  /** Files of the kind, and how many of them come out exact. */
  files: number;
  exact: number;
  /** How many times longer than `decode` of this package into a reused buffer; undefined where it decodes nothing. */
  ratio: number | undefined;
  /** The same into a new buffer, as the other decoders always do. */
  ratioNew: number | undefined;
}

/** The table of peers; its columns are found by their names. */
export function peerRows(text: string): PeerRow[] {
  const lines = text.split('\n').filter((line) => line.startsWith('|'));
  const [columns, , ...rows] = lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const column = (name: string): number => {
    const index = columns.indexOf(name);
    if (index < 0) throw new Error(`bench/results/peers.md has no column "${name}"`);
    return index;
  };
  const at = ['kind', 'decoder', 'decodes', 'exact', 'slower than into', 'than new'].map(column);
  return rows.map((row) => {
    const [kind, decoder, decodes, exact, ...ratios] = at.map((index) => row[index]);
    const [ratio, ratioNew] = ratios.map((cell) => {
      const value = Number.parseFloat(cell);
      return Number.isNaN(value) ? undefined : value;
    });
    return {
      kind,
      decoder,
      files: Number(decodes.split('/')[1]),
      exact: Number(exact),
      ratio,
      ratioNew,
    };
  });
}

/** Kinds down, decoders across. */
function peerTable(text: string): string {
  const rows = peerRows(text);
  const kinds = [...new Set(rows.map(({ kind }) => kind))];
  const decoders = [...new Set(rows.map(({ decoder }) => decoder))];
  const cell = (kind: string, decoder: string): string => {
    const row = rows.find((entry) => entry.kind === kind && entry.decoder === decoder);
    if (!row) return '–';
    const share = `${row.exact}/${row.files}`;
    if (row.ratio === undefined) return 'fails';
    return decoder === decoders[0] ? share : `${share}, ${row.ratio}× (${row.ratioNew}×)`;
  };
  return table(
    ['level 0 of', ...decoders],
    kinds.map((kind) => [kind, ...decoders.map((decoder) => cell(kind, decoder))]),
  );
}

/** The plots of docs/images/ that the results at hand allow, by name. */
export function plots(): Record<string, { description: string; svg: string }> {
  const peers = readResults('peers');
  if (!peers) return {};
  const description =
    'How many times longer other decoders take than decode into a reused buffer, by kind of texture';
  return { peers: { description, svg: plotPeers(peerRows(peers.text), peers.machine) } };
}

/** The page with everything between `<!-- table:NAME -->` or `<!-- image:NAME -->` and its end made anew. */
export function fill(page: string): string {
  const drawn = plots();
  return page
    .replaceAll(/(<!-- table:(\w+) -->\n)[\s\S]*?(<!-- \/table -->)/g, (all, start, name, end) => {
      const results = readResults(name);
      if (!results) return all;
      const text = name === 'peers' ? peerTable(results.text) : results.text;
      return `${start}${text}\n\n<sub>${results.machine}</sub>\n${end}`;
    })
    .replaceAll(/(<!-- image:(\w+) -->\n)[\s\S]*?(<!-- \/image -->)/g, (all, start, name, end) => {
      const plot = drawn[name];
      return plot ? `${start}![${plot.description}](docs/images/${name}.svg)\n${end}` : all;
    });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(`${root}docs/images`, { recursive: true });
  for (const [name, { svg }] of Object.entries(plots())) {
    writeFileSync(`${root}docs/images/${name}.svg`, svg);
  }
  const page = `${root}README.md`;
  writeFileSync(page, fill(readFileSync(page, 'utf8')));
}
