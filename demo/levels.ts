// The strip with every mip level, from the full picture to the last.

import { drawToCanvas } from '../src/browser.js';
import type { Image } from '../src/index.js';
import { element } from './dom.js';
import type { LevelSummary } from './messages.js';

export interface LevelStrip {
  show(levels: readonly LevelSummary[]): void;
  /** Fills in the pictures; undefined for levels that could not be decoded. */
  fill(images: readonly (Image | undefined)[]): void;
  select(level: number): void;
  clear(): void;
}

export function createLevelStrip(list: HTMLElement, onSelect: (level: number) => void): LevelStrip {
  let buttons: HTMLButtonElement[] = [];

  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const next = step === undefined ? undefined : buttons[at + step];
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    next.focus();
    next.click();
  });

  function select(level: number): void {
    for (const [index, button] of buttons.entries()) {
      button.setAttribute('aria-pressed', String(index === level));
      button.tabIndex = index === level ? 0 : -1;
    }
    buttons[level]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  return {
    show: (levels) => {
      buttons = levels.map(({ level, width, height }) =>
        element(
          'button',
          {
            type: 'button',
            'aria-pressed': 'false',
            'aria-label': `Level ${level}, ${width} by ${height}`,
            onclick: () => onSelect(level),
          },
          element(
            'span',
            { class: 'frame' },
            element('canvas', { width: 1, height: 1, 'aria-hidden': 'true' }),
          ),
          element('span', { class: 'level' }, String(level)),
          element('span', { class: 'sides' }, `${width}×${height}`),
        ),
      );
      list.replaceChildren(...buttons);
      select(0);
    },
    fill: (images) => {
      for (const [level, image] of images.entries()) {
        const button = buttons[level];
        if (!button) continue;
        button.classList.toggle('damaged', image === undefined);
        if (!image) continue;
        const canvas = button.querySelector('canvas') as HTMLCanvasElement;
        drawToCanvas(canvas, image);
        const scale = scaleOf(image);
        canvas.style.width = `${image.width * scale}px`;
        canvas.style.height = `${image.height * scale}px`;
      }
    },
    select,
    clear: () => {
      buttons = [];
      list.replaceChildren();
    },
  };
}

/** The room for each level, in CSS pixels. */
const room = { width: 128, height: 64 };
/** Small levels are enlarged to about this side, so that they can be seen at all. */
const smallSide = 24;

/** Large levels are made to fit; small ones grow by whole multiples. */
function scaleOf({ width, height }: Image): number {
  const fit = Math.min(1, room.width / width, room.height / height);
  return Math.max(fit, Math.floor(smallSide / Math.max(width, height)));
}
