// What is known of a texture, in words and tables: warnings, chain, header, and how fast it decodes.

import { byteSize, count, element, grouped } from './dom.js';
import { encodingName, type Item } from './gallery.js';
import type { Summary, Tasks, Timing } from './messages.js';

/** One line below the name. */
export function factsLine(summary: Summary): string {
  const { header, levels, size } = summary;
  const { alphaBits } = header;
  const usual = [1, 4, 8].includes(alphaBits)
    ? `${alphaBits}-bit alpha`
    : `alpha bits ${alphaBits}`;
  const alpha = alphaBits === 0 ? 'no alpha' : usual;
  const facts = [
    `BLP${header.version}`,
    encodingName(summary),
    `${header.width} × ${header.height}`,
  ];
  return [...facts, alpha, count(levels.length, 'level'), byteSize(size)].join(' · ');
}

/** What a screen reader is told when a texture is chosen. */
export function spokenFacts(item: Item): string {
  const { summary, error, name } = item;
  if (error) return `${name} cannot be read: ${error.message}`;
  if (!summary) return `${name} is being read`;
  const { header, levels, warnings } = summary;
  const odd = warnings.length > 0 ? `, ${count(warnings.length, 'warning')}` : '';
  return `${name}, ${encodingName(summary)}, ${header.width} by ${header.height}, ${count(levels.length, 'level')}${odd}`;
}

/** The warnings, or that there are none. */
export function warningsList({ warnings, salvaged }: Summary): HTMLElement {
  const rows = warnings.map(({ code, message }) =>
    element('li', {}, element('span', {}, sentence(message)), element('code', {}, code)),
  );
  if (salvaged) {
    const words = 'The file is damaged or cut short. It was read as far as it goes.';
    rows.unshift(element('li', { class: 'salvaged' }, element('span', {}, words)));
  }
  if (rows.length === 0) return element('p', { class: 'fine' }, 'Nothing odd about this file.');
  return element('ul', { class: 'warnings' }, ...rows);
}

/** Every level that can be used; `onSelect` when one is chosen. */
export function chainTable(
  { levels, fullChain }: Summary,
  current: number,
  onSelect: (level: number) => void,
): HTMLElement {
  const row = ({ level, width, height, offset, size }: Summary['levels'][number]): HTMLElement =>
    element(
      'tr',
      { 'aria-current': level === current ? 'true' : 'false', onclick: () => onSelect(level) },
      element('th', { scope: 'row' }, String(level)),
      element('td', {}, `${width} × ${height}`),
      element('td', {}, grouped(offset)),
      element('td', {}, grouped(size)),
    );
  const missing = fullChain - levels.length;
  const note =
    missing > 0
      ? `${count(missing, 'level')} of a full chain of ${fullChain} ${missing === 1 ? 'is' : 'are'} not there.`
      : 'The chain is complete.';
  return element(
    'div',
    {},
    element(
      'table',
      { class: 'chain' },
      element('caption', { class: 'unseen' }, 'Mip levels'),
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          ...['Level', 'Sides', 'Offset', 'Bytes'].map((name) =>
            element('th', { scope: 'col' }, name),
          ),
        ),
      ),
      element('tbody', {}, ...levels.map(row)),
    ),
    element('p', { class: 'note' }, note),
  );
}

/** The header as stored. */
export function headerTable({ header }: Summary): HTMLElement {
  const contents = header.content === 0 ? 'JPEG' : header.version === 2 ? 'not JPEG' : 'paletted';
  const encodings: Record<number, string> = { 1: 'paletted', 2: 'DXT', 3: 'BGRA', 4: 'BGRA' };
  const fields: [string, string | undefined][] = [
    ['Magic', `BLP${header.version}`],
    [header.version === 2 ? 'Type' : 'Content', `${header.content} (${contents})`],
    ['Encoding', withWord(header.encodingByte, encodings)],
    ['Alpha bits', String(header.alphaBits)],
    ['Alpha type', withWord(header.alphaType, { 0: 'DXT1', 1: 'DXT3', 7: 'DXT5', 11: 'BC5' })],
    ['Has mips', String(header.hasMips)],
    ['Extra', header.extra === undefined ? undefined : String(header.extra)],
    ['Width', String(header.width)],
    ['Height', String(header.height)],
    [
      'JPEG header',
      header.jpegHeaderSize === undefined ? undefined : `${grouped(header.jpegHeaderSize)} bytes`,
    ],
  ];
  const rows = fields.flatMap(([name, value]) =>
    value === undefined
      ? []
      : [element('tr', {}, element('th', { scope: 'row' }, name), element('td', {}, value))],
  );
  return element(
    'table',
    { class: 'header' },
    element('caption', { class: 'unseen' }, 'Header fields'),
    element('tbody', {}, ...rows),
  );
}

/** Both kernels as bars: the shorter, the faster. */
export function timingChart({ texels, wasm, javascript }: Tasks['timing']['answer']): HTMLElement {
  const longest = Math.max(wasm?.median ?? 0, javascript.median);
  const bar = (name: string, { median }: Timing): HTMLElement =>
    element(
      'div',
      { class: 'bar' },
      element('span', { class: 'who' }, name),
      element(
        'span',
        { class: 'track' },
        element('i', { style: `width: ${(100 * median) / longest}%` }),
      ),
      element('span', { class: 'time' }, `${milliseconds(median)}`),
    );
  const rate = (timing: Timing): string => `${Math.round(texels / timing.median / 1000)}`;
  const words = wasm
    ? `WebAssembly is ${(javascript.median / wasm.median).toFixed(1)} times as fast: ${rate(wasm)} against ${rate(javascript)} million texels a second. Medians of ${wasm.runs} and ${javascript.runs} decodes of level 0, in turns.`
    : 'WebAssembly is not to be had here; JavaScript decodes alone.';
  return element(
    'div',
    { class: 'chart' },
    ...(wasm ? [bar('WebAssembly', wasm)] : []),
    bar('JavaScript', javascript),
    element('p', { class: 'note' }, words),
  );
}

function milliseconds(value: number): string {
  return `${value < 1 ? value.toFixed(3) : value < 100 ? value.toFixed(2) : Math.round(value)} ms`;
}

function withWord(value: number | undefined, words: Record<number, string>): string | undefined {
  if (value === undefined) return undefined;
  const word = words[value];
  return word ? `${value} (${word})` : String(value);
}

/** A message as a sentence. */
export function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
