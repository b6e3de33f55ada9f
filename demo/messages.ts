// What the page and its workers say to each other.

import type { BlpHeader, BlpWarning, Image, KernelsInUse } from '../src/index.js';

/** A texture's files; blobs are handed over without copying their contents. */
export interface Source {
  id: number;
  file: Blob;
  /** The files `.b00` to `.b15` beside a BLP0 texture. */
  levelFiles?: (Blob | undefined)[];
  /** Read what is damaged or cut short as far as it goes. */
  salvage: boolean;
}

export interface LevelSummary {
  level: number;
  width: number;
  height: number;
  offset: number;
  size: number;
}

/** All that the page shows of a texture beside its texels. */
export interface Summary {
  header: BlpHeader;
  /** Bytes of all its files. */
  size: number;
  levels: LevelSummary[];
  /** How many levels a chain down to 1 × 1 has. */
  fullChain: number;
  warnings: BlpWarning[];
  /** The file is damaged or cut short, and was read as far as it goes. */
  salvaged: boolean;
  kernels: KernelsInUse;
}

/** Milliseconds of one decode of level 0. */
export interface Timing {
  best: number;
  median: number;
  runs: number;
}

/** Each task: what it is asked with, and what it answers. */
export interface Tasks {
  open: { ask: { side: number }; answer: { summary: Summary; thumbnail: Image } };
  level: { ask: { level: number }; answer: { image: Image; warnings: BlpWarning[] } };
  /** Every level, none larger than `side`. */
  chain: { ask: { side: number }; answer: { images: (Image | undefined)[] } };
  png: { ask: { level: number }; answer: { bytes: Uint8Array } };
  timing: { ask: object; answer: { texels: number; wasm?: Timing; javascript: Timing } };
}

export type Task = keyof Tasks;

export type Request =
  | { [T in Task]: { id: number; task: T; source: Source; ask: Tasks[T]['ask'] } }[Task]
  | { id: number; task: 'stop' };

export type Reply =
  | { id: number; progress: number }
  | { id: number; answer: unknown }
  | { id: number; error: { name: string; code?: string; message: string } };
