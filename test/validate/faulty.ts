// What is known about a faulty file: its one fault, and what repair can do about it.

import type { LevelFiles } from '../../src/container/slots.js';
import type { FindingCode, Game, Severity } from '../../src/validate/codes.js';

export interface FaultyFile {
  name: string;
  game: Game;
  code: FindingCode;
  severity: Severity;
  /** The file before it was broken; absent where there is none with the same texels. */
  good?: Uint8Array;
  bytes: Uint8Array;
  /** BLP0: before and after. */
  goodLevels?: LevelFiles;
  levelFiles?: LevelFiles;
  /** Levels whose data the fault destroys, and which repair can only make anew. */
  lost?: readonly number[];
  mendable: boolean;
  maxPixels?: number;
}

type Extra = Partial<Pick<FaultyFile, 'good' | 'lost' | 'mendable' | 'maxPixels'>>;

/** Fills a list; files can be mended unless they say otherwise. */
export function adder(list: FaultyFile[]) {
  return (
    game: Game,
    code: FindingCode,
    severity: Severity,
    name: string,
    bytes: Uint8Array,
    extra: Extra = {},
  ): void => {
    list.push({ name, game, code, severity, bytes, mendable: true, ...extra });
  };
}
