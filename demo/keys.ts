// Keys of the whole page, except while something is typed.

import type { Channels } from '../src/browser.js';

export interface KeyActions {
  texture: (places: number) => void;
  level: (places: number) => void;
  channels: (channels: Channels) => void;
  background: () => void;
  zoom: (factor: number) => void;
  fit: () => void;
  actualSize: () => void;
  pan: (x: number, y: number) => void;
  open: () => void;
  download: () => void;
  help: () => void;
}

const channelKeys: Channels[] = ['rgba', 'rgb', 'red', 'green', 'blue', 'alpha'];
/** Pixels that the picture moves a key press. */
const panStep = 48;

export function listenToKeys(actions: KeyActions): void {
  const byKey: Record<string, () => void> = {
    ArrowDown: () => actions.texture(1),
    ArrowUp: () => actions.texture(-1),
    '[': () => actions.level(-1),
    ']': () => actions.level(1),
    b: actions.background,
    '+': () => actions.zoom(2),
    '=': () => actions.zoom(2),
    '-': () => actions.zoom(0.5),
    0: actions.fit,
    9: actions.actualSize,
    o: actions.open,
    d: actions.download,
    '?': actions.help,
  };
  for (const [index, channels] of channelKeys.entries()) {
    byKey[index + 1] = () => actions.channels(channels);
  }
  const onStage: Record<string, () => void> = {
    ArrowLeft: () => actions.pan(panStep, 0),
    ArrowRight: () => actions.pan(-panStep, 0),
    ArrowUp: () => actions.pan(0, panStep),
    ArrowDown: () => actions.pan(0, -panStep),
  };
  addEventListener('keydown', (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) {
      return;
    }
    if (target.matches('input[type=search]')) return;
    // Arrow keys choose among radio buttons.
    if (target.matches('input') && event.key.startsWith('Arrow')) return;
    const action = (target.id === 'stage' && onStage[event.key]) || byKey[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
