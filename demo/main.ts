// The viewer: opens textures, shows the chosen one, and ties the parts of the page together.

import type { Channels } from '../src/browser.js';
import { createDecoder, TaskError } from './decoder.js';
import {
  chainTable,
  factsLine,
  headerTable,
  sentence,
  spokenFacts,
  timingChart,
  warningsList,
} from './details.js';
import { byId, element, grouped } from './dom.js';
import { type Found, readDropped, readPicked, saveFile } from './files.js';
import { createGallery, type Item } from './gallery.js';
import { listenToKeys } from './keys.js';
import { createLevelStrip } from './levels.js';
import { type Background, createStage, type Texel } from './stage.js';

/** Sides of thumbnails, twice what is shown: for screens with two pixels a CSS pixel. */
const thumbnailSide = 112;
const levelSide = 128;

const cores = navigator.hardwareConcurrency || 2;
const thumbnails = createDecoder(Math.min(4, Math.max(1, cores - 1)));
/** A worker of its own: the chosen texture waits for no thumbnail. */
const viewer = createDecoder(1);

const items: Item[] = [];
let current: Item | undefined;
let currentLevel = 0;
/** Ends the work for what was chosen before. */
let work = new AbortController();

const gallery = createGallery(byId('gallery'), {
  onSelect: (item) => void choose(item),
  onVisible: (item) => thumbnails.prefer(item.source.id),
});
const strip = createLevelStrip(byId('levels'), (level) => void showLevel(level));
const stage = createStage(byId<HTMLCanvasElement>('stage'), {
  onZoom: (zoom) => {
    const percent = zoom * 100;
    byId('zoom').textContent = `${percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`;
  },
  onTexel: showTexel,
});

let nextId = 1;

function add(found: readonly Found[]): void {
  if (found.length === 0) {
    say('No BLP textures there.');
    return;
  }
  const added = found.map(({ name, path, file, levelFiles }): Item => {
    const source = { id: nextId++, file, levelFiles, salvage: false };
    return { name, path, source };
  });
  items.push(...added);
  gallery.add(added);
  document.body.classList.remove('empty');
  showCount();
  for (const item of added) void open(item);
  void choose(added[0]);
  byId('gallery').focus({ preventScroll: true });
}

async function open(item: Item): Promise<void> {
  try {
    const answer = await thumbnails.run('open', item.source, { side: thumbnailSide });
    item.summary = answer.summary;
    item.source.salvage = answer.summary.salvaged;
    gallery.update(item, answer.thumbnail);
  } catch (error) {
    item.error = toFailure(error);
    gallery.update(item);
  }
  if (!items.includes(item)) return;
  showCount();
  if (item === current) void choose(item);
}

function toFailure(error: unknown): { code: string | undefined; message: string } {
  if (error instanceof TaskError) return { code: error.code, message: error.message };
  return { code: undefined, message: String(error) };
}

async function choose(item: Item): Promise<void> {
  const again = item === current;
  current = item;
  currentLevel = 0;
  work.abort();
  work = new AbortController();
  gallery.select(item);
  thumbnails.prefer(item.source.id);
  byId('name').textContent = item.name;
  byId('chart').replaceChildren();
  byId('measure').hidden = false;
  document.body.classList.toggle('pending', !item.summary);
  if (!again) {
    byId('facts').textContent = '';
    stage.clear();
    strip.clear();
  }
  showRefusal(item);
  if (!item.summary) {
    if (item.error) say(spokenFacts(item));
    return;
  }
  byId('facts').textContent = factsLine(item.summary);
  byId('stage').setAttribute('aria-label', spokenFacts(item));
  say(spokenFacts(item));
  strip.show(item.summary.levels);
  showDetails(item);
  await showLevel(0);
  const { signal } = work;
  try {
    strip.fill((await viewer.run('chain', item.source, { side: levelSide }, { signal })).images);
  } catch (error) {
    if (!signal.aborted) showRefusal({ ...item, error: toFailure(error) });
  }
}

function showRefusal({ error }: Item): void {
  const place = byId('refusal');
  place.hidden = error === undefined;
  if (!error) return;
  place.replaceChildren(
    element('strong', {}, 'This file cannot be read.'),
    element('span', {}, sentence(error.message)),
    ...(error.code ? [element('code', {}, error.code)] : []),
  );
}

function showDetails({ summary }: Item): void {
  if (!summary) return;
  byId('warnings').replaceChildren(warningsList(summary));
  byId('chain').replaceChildren(
    chainTable(summary, currentLevel, (level) => void showLevel(level)),
  );
  byId('header').replaceChildren(headerTable(summary));
}

async function showLevel(level: number): Promise<void> {
  const item = current;
  if (!item?.summary || level < 0 || level >= item.summary.levels.length) return;
  currentLevel = level;
  strip.select(level);
  const { signal } = work;
  const bar = byId<HTMLProgressElement>('progress');
  // Short waits show nothing: a bar that flashes is worse than none.
  const timer = setTimeout(() => {
    bar.hidden = false;
  }, 150);
  try {
    const options = {
      signal,
      onProgress: (part: number) => {
        bar.value = part;
      },
    };
    const { image, warnings } = await viewer.run('level', item.source, { level }, options);
    if (current !== item || currentLevel !== level) return;
    item.summary.warnings = warnings;
    showDetails(item);
    await stage.show(image, item.summary.header.width, item.summary.header.height);
  } catch (error) {
    if (!signal.aborted) showRefusal({ ...item, error: toFailure(error) });
  } finally {
    clearTimeout(timer);
    bar.hidden = true;
    bar.value = 0;
  }
}

async function download(): Promise<void> {
  const item = current;
  if (!item?.summary) return;
  const level = currentLevel;
  const stem = item.name.replace(/\.blp$/i, '');
  try {
    const { bytes } = await viewer.run('png', item.source, { level });
    saveFile(level === 0 ? `${stem}.png` : `${stem}-level${level}.png`, bytes, 'image/png');
    say(`Saved ${stem} as PNG.`);
  } catch (error) {
    showRefusal({ ...item, error: toFailure(error) });
  }
}

async function measure(): Promise<void> {
  const item = current;
  if (!item?.summary) return;
  const chart = byId('chart');
  chart.replaceChildren(element('p', { class: 'note' }, 'Measuring …'));
  byId('measure').hidden = true;
  try {
    const answer = await viewer.run('timing', item.source, {});
    if (current === item) chart.replaceChildren(timingChart(answer));
  } catch (error) {
    const words = sentence(toFailure(error).message);
    if (current === item) chart.replaceChildren(element('p', { class: 'note' }, words));
  }
  if (current === item) say(chart.querySelector('.note')?.textContent ?? '');
}

function showTexel(texel: Texel | undefined): void {
  const place = byId('texel');
  place.classList.toggle('shown', texel !== undefined);
  if (!texel) return;
  const hex = texel.rgba.map((value) => value.toString(16).padStart(2, '0')).join('');
  const [red, green, blue, alpha] = texel.rgba;
  place.replaceChildren(
    element('i', { style: `--color: rgb(${red} ${green} ${blue})` }),
    element('b', {}, `${texel.x}, ${texel.y}`),
    element('span', {}, `R ${red}  G ${green}  B ${blue}  A ${alpha}`),
    element('code', {}, `#${hex}`),
  );
}

function showCount(): void {
  const refused = items.filter(({ error }) => error).length;
  const done = items.filter(({ error, summary }) => error || summary).length;
  const parts = [
    done < items.length ? `${grouped(done)} of ${grouped(items.length)}` : grouped(items.length),
  ];
  if (refused > 0) parts.push(`${refused} refused`);
  byId('count').textContent = parts.join(', ');
}

function clear(): void {
  work.abort();
  items.length = 0;
  current = undefined;
  gallery.clear();
  strip.clear();
  stage.clear();
  byId<HTMLInputElement>('filter').value = '';
  document.body.classList.add('empty');
  say('The list is empty.');
}

/** Tells those who do not see the page. */
function say(words: string): void {
  byId('status').textContent = words;
}

async function openSamples(): Promise<void> {
  const names: string[] = await (await fetch('samples/list.json')).json();
  const files = names.map(async (name): Promise<Found> => {
    const response = await fetch(`samples/${name}`);
    return { name, path: name, file: await response.blob() };
  });
  add(await Promise.all(files));
}

function step(places: number): void {
  const next = gallery.neighbour(current, places);
  if (next && next !== current) void choose(next);
}

/** Chooses one of a group of radio buttons. */
function pick(group: 'channels' | 'background', value: string): void {
  const input = document.querySelector<HTMLInputElement>(`[name=${group}][value=${value}]`);
  if (!input) return;
  input.checked = true;
  if (group === 'channels') void stage.setChannels(value as Channels);
  else stage.setBackground(value as Background);
}

for (const group of ['channels', 'background'] as const) {
  byId(group).addEventListener('change', (event) =>
    pick(group, (event.target as HTMLInputElement).value),
  );
}

const pickFiles = byId<HTMLInputElement>('pick-files');
const pickFolder = byId<HTMLInputElement>('pick-folder');
for (const input of [pickFiles, pickFolder]) {
  input.addEventListener('change', () => {
    if (input.files) add(readPicked(input.files));
    input.value = '';
  });
}
const clicks: Record<string, () => void> = {
  'open-files': () => pickFiles.click(),
  'welcome-files': () => pickFiles.click(),
  'open-folder': () => pickFolder.click(),
  samples: () => void openSamples(),
  clear,
  download: () => void download(),
  measure: () => void measure(),
  help: () => byId<HTMLDialogElement>('keys').showModal(),
  fit: () => stage.fit(),
  zoom: () => stage.zoomTo(1),
  'zoom-in': () => stage.zoomBy(2),
  'zoom-out': () => stage.zoomBy(0.5),
};
for (const [id, action] of Object.entries(clicks)) byId(id).addEventListener('click', action);
byId('filter').addEventListener('input', (event) =>
  gallery.filter((event.target as HTMLInputElement).value),
);

listenToKeys({
  texture: step,
  level: (places) => void showLevel(currentLevel + places),
  channels: (channels) => pick('channels', channels),
  background: () => {
    const all: Background[] = ['checkerboard', 'dark', 'light'];
    const now = document.querySelector<HTMLInputElement>('[name=background]:checked')?.value;
    pick('background', all[(all.indexOf(now as Background) + 1) % all.length]);
  },
  zoom: (factor) => stage.zoomBy(factor),
  fit: clicks.fit,
  actualSize: clicks.zoom,
  pan: (x, y) => stage.panBy(x, y),
  open: clicks['open-files'],
  download: clicks.download,
  help: clicks.help,
});

let dragDepth = 0;
addEventListener('dragenter', (event) => {
  event.preventDefault();
  dragDepth++;
  document.body.classList.add('dropping');
});
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('dragleave', () => {
  if (--dragDepth === 0) document.body.classList.remove('dropping');
});
addEventListener('drop', async (event) => {
  event.preventDefault();
  dragDepth = 0;
  document.body.classList.remove('dropping');
  if (event.dataTransfer) add(await readDropped(event.dataTransfer));
});

// Kept for the next visit without a network; where that is not allowed, the page works all the same.
navigator.serviceWorker?.register('offline.js').catch(() => undefined);
