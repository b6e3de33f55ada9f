// What an inspection finds out about a file: shared by the checks, validation and repair.

import type { AlphaBits } from '../container/alpha.js';
import type { BlpHeader } from '../container/header.js';
import type { JpegFrame } from '../container/jpeg-frame.js';
import type { LevelFiles } from '../container/slots.js';
import type { AlphaPlane } from '../kernels/kernels.js';
import type { Limits } from '../limits.js';
import type { Finding, FindingCode, Game } from './codes.js';

/** What a JPEG level's stream turned out to be. */
export interface JpegState {
  frame: JpegFrame;
  alphaPlane: AlphaPlane;
}

/** A slot that the game may read. */
export interface LevelState {
  level: number;
  width: number;
  height: number;
  /** As stored; 0 and the file's length in BLP0. */
  offset: number;
  size: number;
  /** Where the file stores the offset; undefined in BLP0. */
  slotAt: number | undefined;
  isEmpty: boolean;
  /** What the texels need of the level, as stored; undefined where nothing usable is left. */
  bytes?: Uint8Array;
  /** What is wrong with it. */
  fault?: { code: FindingCode; message: string };
  /** JPEG content that could be decoded. */
  jpeg?: JpegState;
}

export interface Inspection {
  game: Game;
  /** The file, or a copy whose type or content field was put right because the rest makes sense that way. */
  bytes: Uint8Array;
  header: BlpHeader;
  levelFiles: LevelFiles;
  limits: Readonly<Limits>;
  /** Every level down to 1 × 1. */
  levels: LevelState[];
  /** How many of them the game reads: all, or level 0 alone. */
  needed: number;
  /** The chunk before every JPEG level. */
  chunk: Uint8Array;
  /** Bits of alpha that paletted levels hold. */
  paletteAlphaBits: AlphaBits;
  findings: Finding[];
}

export interface InspectOptions {
  game: Game;
  levelFiles: LevelFiles;
  limits: Readonly<Limits>;
}

/** Adds a finding, unless the code does not apply to the game. */
export type Add = (
  code: FindingCode,
  message: string,
  at?: { level?: number; offset?: number; repairable?: boolean },
) => void;

/** The first slot before this one with the same offset and size. */
export function repeatedSlot(header: BlpHeader, slot: number): number | undefined {
  const { offsets, sizes } = header;
  for (let earlier = 0; earlier < slot; earlier++) {
    if (offsets[earlier] === offsets[slot] && sizes[earlier] === sizes[slot]) return earlier;
  }
  return undefined;
}
