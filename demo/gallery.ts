// The list of textures with their thumbnails: a list box that is walked with the arrow keys.

import { drawToCanvas } from '../src/browser.js';
import type { Image } from '../src/index.js';
import { element } from './dom.js';
import type { Source, Summary } from './messages.js';

/** One texture of the list. */
export interface Item {
  name: string;
  path: string;
  source: Source;
  summary?: Summary;
  /** Why it was refused. */
  error?: { code: string | undefined; message: string };
}

export interface Gallery {
  add(items: readonly Item[]): void;
  clear(): void;
  /** Shows what is known of a texture by now. */
  update(item: Item, thumbnail?: Image): void;
  select(item: Item): void;
  /** The texture this many places further, of those that the filter shows. */
  neighbour(item: Item | undefined, step: number): Item | undefined;
  filter(words: string): void;
}

export interface GalleryEvents {
  onSelect: (item: Item) => void;
  /** A texture has come into sight: its thumbnail is wanted first. */
  onVisible: (item: Item) => void;
}

export function createGallery(list: HTMLElement, events: GalleryEvents): Gallery {
  const options = new Map<Item, HTMLElement>();
  const items = new WeakMap<Element, Item>();
  let selected: Item | undefined;

  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const item = items.get(target);
      if (isIntersecting && item && !item.summary && !item.error) events.onVisible(item);
    }
  });

  function itemOf(event: Event): Item | undefined {
    const option = (event.target as Element).closest('[role=option]');
    return option ? items.get(option) : undefined;
  }

  function shown(): Item[] {
    return [...options].filter(([, option]) => !option.hidden).map(([item]) => item);
  }

  function neighbour(item: Item | undefined, step: number): Item | undefined {
    const all = shown();
    const at = item ? all.indexOf(item) : -1;
    return all[Math.min(all.length - 1, Math.max(0, at + step))];
  }

  function select(item: Item): void {
    if (selected) options.get(selected)?.setAttribute('aria-selected', 'false');
    selected = item;
    const option = options.get(item);
    option?.setAttribute('aria-selected', 'true');
    option?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    if (option) list.setAttribute('aria-activedescendant', option.id);
  }

  list.addEventListener('click', (event) => {
    const item = itemOf(event);
    if (item) events.onSelect(item);
  });
  list.addEventListener('keydown', (event) => {
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowRight: 1,
      ArrowUp: -1,
      ArrowLeft: -1,
      PageDown: 8,
      PageUp: -8,
      Home: Number.NEGATIVE_INFINITY,
      End: Number.POSITIVE_INFINITY,
    };
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const next = neighbour(selected, step);
    if (next) events.onSelect(next);
  });

  return {
    add: (added) => {
      for (const item of added) {
        const option = element(
          'div',
          { role: 'option', id: `texture-${item.source.id}`, 'aria-selected': 'false' },
          element('canvas', { width: 1, height: 1, 'aria-hidden': 'true' }),
          element(
            'span',
            { class: 'text' },
            element('span', { class: 'name', title: item.path }, item.name),
            element('span', { class: 'facts' }, 'waiting'),
          ),
        );
        options.set(item, option);
        items.set(option, item);
        list.append(option);
        observer.observe(option);
      }
    },
    clear: () => {
      observer.disconnect();
      options.clear();
      selected = undefined;
      list.replaceChildren();
      list.removeAttribute('aria-activedescendant');
    },
    update: (item, thumbnail) => {
      const option = options.get(item);
      if (!option) return;
      const facts = option.querySelector('.facts') as HTMLElement;
      facts.textContent = describe(item);
      option.classList.toggle('refused', item.error !== undefined);
      option.classList.toggle('odd', (item.summary?.warnings.length ?? 0) > 0);
      if (thumbnail) {
        drawToCanvas(option.querySelector('canvas') as HTMLCanvasElement, thumbnail);
        option.classList.add('ready');
        option.classList.toggle('small', Math.max(thumbnail.width, thumbnail.height) < 48);
      }
    },
    select,
    neighbour,
    filter: (words) => {
      const wanted = words.toLowerCase().split(/\s+/);
      for (const [item, option] of options) {
        const text = `${item.path} ${item.summary?.header.encoding ?? ''}`.toLowerCase();
        option.hidden = !wanted.every((word) => text.includes(word));
      }
    },
  };
}

function describe({ summary, error }: Item): string {
  if (error) return 'cannot be read';
  if (!summary) return 'waiting';
  const { width, height } = summary.header;
  const odd = summary.warnings.length > 0 ? ` · ${summary.warnings.length} ⚠` : '';
  return `${encodingName(summary)} · ${width} × ${height}${odd}`;
}

/** The encoding as people write it. */
export function encodingName({ header }: Summary): string {
  const { encoding } = header;
  return encoding === 'paletted' ? 'Palette' : encoding.toUpperCase();
}
