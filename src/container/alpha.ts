// Bits of alpha: what readers make of the depth that a header declares.

/** Bits of alpha a texel. */
export type AlphaBits = 0 | 1 | 4 | 8;

/** The depth that readers of paletted content go by: any that is unknown counts as none. */
export function effectiveAlphaBits(declared: number): AlphaBits {
  return declared === 1 || declared === 4 || declared === 8 ? declared : 0;
}
