// Plots of benchmark results as SVG, readable on light and dark pages.

import type { PeerRow } from './readme.js';

const width = 760;
const rowHeight = 20;
/** Where names end and the scale begins and ends. */
const names = 200;
const start = names + 12;
const end = width - 90;

/** A picture of a place on the scale from 1 to `largest`, by powers of ten. */
function scale(largest: number): { x(value: number): number; ticks: number[] } {
  const powers = Math.max(1, Math.ceil(Math.log10(largest)));
  return {
    x: (value) => start + ((end - start) * Math.log10(Math.max(1, value))) / powers,
    ticks: Array.from({ length: powers + 1 }, (_, power) => 10 ** power),
  };
}

/** How many times longer each decoder takes than this package, which is the line at 1. */
export function plotPeers(rows: readonly PeerRow[], machine: string): string {
  const others = rows.filter(({ decoder }) => decoder !== 'blp-wasm');
  const kinds = [...new Set(others.map(({ kind }) => kind))];
  const { x, ticks } = scale(Math.max(...others.map(({ ratio }) => ratio ?? 1)));
  const parts: string[] = [];
  let y = 64;
  for (const kind of kinds) {
    y += 10;
    parts.push(text(names, y, kind, 'kind end'));
    for (const row of others.filter((entry) => entry.kind === kind)) {
      y += rowHeight;
      parts.push(text(names, y, row.decoder, 'end'), mark(row, y, x));
    }
    y += rowHeight;
  }
  const grid = ticks.flatMap((tick) => [
    `<line class="grid" x1="${round(x(tick))}" x2="${round(x(tick))}" y1="58" y2="${y - 12}"/>`,
    text(x(tick), 50, tick === 1 ? '1× = blp-wasm' : `${tick.toLocaleString('en')}×`, 'middle'),
  ]);
  const height = y + 42;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">
<title>Time to decode level 0 of real files, in multiples of blp-wasm's time</title>
<style>
text { font: 12px system-ui, sans-serif; fill: #333; }
.title { font-size: 15px; font-weight: 600; }
.kind { font-weight: 600; }
.note { fill: #666; font-size: 11px; }
.end { text-anchor: end; }
.middle { text-anchor: middle; }
.grid { stroke: #8884; }
.stem { stroke: #2f6fb2; stroke-width: 2; }
.exact { fill: #2f6fb2; stroke: #2f6fb2; stroke-width: 2; }
.inexact { fill: none; stroke: #2f6fb2; stroke-width: 2; }
@media (prefers-color-scheme: dark) {
text { fill: #ddd; }
.note { fill: #aaa; }
.stem, .exact, .inexact { stroke: #7db4ec; }
.exact { fill: #7db4ec; }
}
</style>
${text(12, 22, "Time to decode level 0 of real files, in multiples of blp-wasm's time (logarithmic)", 'title')}
${grid.join('\n')}
${parts.join('\n')}
<circle class="exact" cx="18" cy="${y + 6}" r="4"/>
${text(30, y + 10, 'every file exact', 'note')}
<circle class="inexact" cx="138" cy="${y + 6}" r="4"/>
${text(150, y + 10, 'texels differ, or files fail', 'note')}
${text(12, y + 30, machine, 'note')}
</svg>
`;
}

function mark({ ratio, exact, files }: PeerRow, y: number, x: (value: number) => number): string {
  if (ratio === undefined) return text(start, y, 'decodes none of them', 'note');
  const at = round(x(ratio));
  const kind = exact === files ? 'exact' : 'inexact';
  // The stem ends at the ring, not in it.
  const stemEnd = Math.max(start, at - 5);
  return [
    `<line class="stem" x1="${start}" x2="${stemEnd}" y1="${y - 4}" y2="${y - 4}"/>`,
    `<circle class="${kind}" cx="${at}" cy="${y - 4}" r="4"/>`,
    text(at + 10, y, `${ratio.toLocaleString('en')}×`, ''),
  ].join('');
}

function text(x: number, y: number, words: string, kinds: string): string {
  const escaped = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const style = kinds === '' ? '' : ` class="${kinds}"`;
  return `<text${style} x="${round(x)}" y="${y}">${escaped}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
