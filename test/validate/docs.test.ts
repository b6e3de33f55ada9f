// The table of codes in docs/validation.md says what the code says. UPDATE_DOCS=1 writes it anew.

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { type CodeEntry, codes, type Game } from '../../src/validate/codes.js';

const page = fileURLToPath(new URL('../../docs/validation.md', import.meta.url));
const markers = ['<!-- codes -->\n', '<!-- /codes -->'] as const;
const letters = { error: 'E', warning: 'W', note: 'N' } as const;

function table(): string {
  const rows = Object.entries<CodeEntry>(codes).map(([code, entry]) => {
    const letter = (game: Game): string => {
      const severity = entry.severity[game];
      return severity ? letters[severity] : '–';
    };
    const games = `${letter('wow')} | ${letter('warcraft3')}`;
    return `| \`${code}\` | ${games} | ${entry.repair} | ${entry.explanation} | ${entry.source} |`;
  });
  return [
    '| code | WoW | WC3 | repaired | what it means | source |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

/** Rows of cells without the padding that the formatter puts in. */
function cells(text: string): string[][] {
  const rows = text.trim().split('\n');
  return rows.map((row) => row.split('|').map((cell) => cell.trim().replace(/^-+$/, '-')));
}

it('explains every code', () => {
  const text = readFileSync(page, 'utf8');
  const start = text.indexOf(markers[0]) + markers[0].length;
  const end = text.indexOf(markers[1]);
  expect(start).toBeGreaterThan(markers[0].length);
  expect(end).toBeGreaterThanOrEqual(start);
  if (process.env.UPDATE_DOCS)
    writeFileSync(page, text.slice(0, start) + table() + text.slice(end));
  else expect(cells(text.slice(start, end))).toEqual(cells(table()));
});

it('says nothing twice and leaves nothing out', () => {
  for (const [code, entry] of Object.entries<CodeEntry>(codes)) {
    expect(code).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(Object.keys(entry.severity).length, code).toBeGreaterThan(0);
    expect(entry.explanation.length, code).toBeGreaterThan(20);
    expect(entry.source.length, code).toBeGreaterThan(3);
  }
  const explanations = Object.values<CodeEntry>(codes).map(({ explanation }) => explanation);
  expect(new Set(explanations).size).toBe(explanations.length);
});
