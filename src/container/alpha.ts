// Alpha by encoding: BLP2's alpha types, the depths that go with each encoding, what readers make of others.

import type { BlockFormat } from '../kernels/kernels.js';
import type { Encoding } from './header.js';

/** Bits of alpha a texel. */
export type AlphaBits = 0 | 1 | 4 | 8;

/** BLP2's alpha type, which tells the block formats apart; `bc5` is that of retail liquid normal maps. */
export const alphaTypes: Readonly<Record<BlockFormat, number>> = {
  dxt1: 0,
  dxt3: 1,
  dxt5: 7,
  bc5: 11,
};

/** The depths that go with an encoding. */
export interface AlphaDepths {
  /** Those that are written: the games' own textures use them. */
  written: readonly AlphaBits[];
  /** The default for a picture without transparent texels. */
  opaque: AlphaBits;
  /** The default for any alpha: it keeps most. */
  graded: AlphaBits;
  /** DXT: those in the client's files. Elsewhere depth and alpha type have nothing to do with each other. */
  shipped?: readonly number[];
}

/** The depths of every encoding, which leave BLP2 eleven combinations of encoding and depth to write. */
export const alphaDepths: Readonly<Record<Encoding, AlphaDepths>> = {
  jpeg: { written: [0, 8], opaque: 0, graded: 8 },
  paletted: { written: [0, 1, 4, 8], opaque: 0, graded: 8 },
  dxt1: { written: [0, 1], opaque: 0, graded: 1, shipped: [0, 1] },
  dxt3: { written: [4, 8], opaque: 8, graded: 8, shipped: [4, 8] },
  // 72 is in doodad textures of an early client.
  dxt5: { written: [8], opaque: 8, graded: 8, shipped: [8, 72] },
  bc5: { written: [0], opaque: 0, graded: 0 },
  bgra: { written: [0, 8], opaque: 0, graded: 8 },
};

/** The depth that readers of paletted content go by: any that is unknown counts as none. */
export function effectiveAlphaBits(declared: number): AlphaBits {
  return declared === 1 || declared === 4 || declared === 8 ? declared : 0;
}
