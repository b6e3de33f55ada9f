// Static tables of the JPEG encoder, and how one coded block lies in memory.

import { NATURAL_OFFSET } from '../../tables';

/** 64 coefficients of 16 bits in natural (row by row) order, then the mask of those that are not 0, padded to 16 bytes. */
export const BLOCK_BYTES: usize = 144;
/** Where in a block the 64-bit mask lies: bit k stands for the k-th coefficient in zigzag order. */
export const BLOCK_MASK: usize = 128;

/** Four planes: blue, green, red, alpha. */
export const COMPONENTS: usize = 4;

/** Per coefficient, natural order: 1 / (8 × step) as f32, a little too large so that exact multiples stay exact. */
export const RECIPROCALS: usize = memory.data(256, 16);
/** Per coefficient, natural order: half of 8 × step as i16, for rounding to nearest. */
export const HALVES: usize = memory.data(128, 16);

/**
 * Codes of two table sets (0: blue, green and red; 1: alpha), `code << 8 | length` as u32:
 * 16 DC entries by size, then 256 AC entries by run << 4 | size.
 */
export const CODES: usize = memory.data(2176, 16);
/** How often each symbol occurs, u32, in the order of CODES. */
export const COUNTS: usize = memory.data(2176, 16);
/** Bytes of one of the two table sets: (16 + 256) × 4. */
export const SET_BYTES: usize = 1088;
/** Where the AC entries of a table set begin. */
export const AC_ENTRIES: usize = 64;

/** DC coefficient of the previous block of each component, i32. */
export const PREDICTIONS: usize = memory.data(16, 16);
/** Bits not yet written (u64), then how many there are (u64). */
export const BIT_STATE: usize = memory.data(16, 16);

/** For each of the 8 rows and each 8-bit mask of one row, the same coefficients as a mask in zigzag order, u64. */
export const ROW_MASKS: usize = memory.data(16384, 16);

/** Scratch for one block of pixels taken apart: per component 8 columns of 8 samples, i16. */
export const PLANES: usize = memory.data(512, 16);

/** Address of the reciprocals, for the host to fill. */
export function jpegReciprocals(): usize {
  return RECIPROCALS;
}

/** Address of the halves, for the host to fill. */
export function jpegHalves(): usize {
  return HALVES;
}

/** Address of the codes, for the host to fill. */
export function jpegCodes(): usize {
  return CODES;
}

/** Address of the symbol counts, for the host to read. */
export function jpegCounts(): usize {
  return COUNTS;
}

/** Fills ROW_MASKS and clears the counts: once per texture. */
export function jpegBegin(): void {
  memory.fill(COUNTS, 0, 2176);
  // The last row of the last entry is set as soon as the table was filled before.
  if (load<u64>(ROW_MASKS + 16376) != 0) return;
  for (let k: usize = 0; k < 64; k++) {
    const natural = <usize>load<u8>(k, NATURAL_OFFSET) >> 1;
    const row = natural >> 3;
    const bit: usize = 1 << (natural & 7);
    for (let mask: usize = 0; mask < 256; mask++) {
      if ((mask & bit) == 0) continue;
      const entry = ROW_MASKS + (((row << 8) + mask) << 3);
      store<u64>(entry, load<u64>(entry) | ((<u64>1) << (<u64>k)));
    }
  }
}

/** Forgets predictions and pending bits: before each level of each pass. */
export function jpegReset(): void {
  memory.fill(PREDICTIONS, 0, 16);
  memory.fill(BIT_STATE, 0, 16);
}
