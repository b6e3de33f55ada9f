// DXT1, DXT3 and DXT5 blocks → RGBA rows.
//
// Blocks are taken four at a time. Their eight endpoints fill one vector, so that all colours of four blocks
// come out of one run of arithmetic as four tables of four texels. A row of a block is then one
// byte swizzle of its table, controlled by a vector looked up by the row's index byte.

import {
  interleaveHigh8,
  interleaveHigh16,
  interleaveHigh32,
  interleaveLow8,
  interleaveLow16,
  interleaveLow32,
} from '../shuffle';
import { interpolated, widenNibbles } from './values';

// Compile-time names of the kinds of blocks: one copy of the loop is compiled for each.
class Dxt1 {}
/** DXT1 whose three-colour black is opaque. */
class Dxt1Opaque {}
class Dxt3 {}
class Dxt5 {}

/** For each index byte, the swizzle control that picks four texels out of a table of four. */
const ROW_CONTROLS: usize = memory.data(256 * 16, 64);

/**
 * Masks and factors of the colour arithmetic, loaded before the loops: V8 would build literals anew in every turn.
 *
 * A colour between two endpoints is the dot product of the pair, which lies in one lane of 32 bits with c0 first, and of
 * weights that hold the reciprocal of their sum in 15 bits: 10923 is 32768 / 3 rounded up, whose floor is exact up to
 * 3 · 255.
 */
const FACTORS: usize = memory.data<i16>(
  [
    // Of the channels of 5, 6 and 5 bits: factor, mask, factor, mask.
    33, 33, 33, 33, 33, 33, 33, 33, 63, 63, 63, 63, 63, 63, 63, 63, 65, 65, 65, 65, 65, 65, 65, 65,
    31, 31, 31, 31, 31, 31, 31, 31,
    // (2 c0 + c1) / 3 and (c0 + 2 c1) / 3
    21846, 10923, 21846, 10923, 21846, 10923, 21846, 10923, 10923, 21846, 10923, 21846, 10923,
    21846, 10923, 21846,
    // (c0 + c1) / 2, and what makes (2 c0 + c1) / 3 of it by exclusive or
    16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 5462, 27307, 5462, 27307, 5462, 27307,
    5462, 27307,
    // c0 of a pair; green without what lies below, blue, alpha; alpha beside an endpoint's blue
    -1, 0, -1, 0, -1, 0, -1, 0, -256, 0, -256, 0, -256, 0, -256, 0, 0, 255, 0, 255, 0, 255, 0, 255,
    0, -256, 0, -256, 0, -256, 0, -256, -256, -256, -256, -256, -256, -256, -256, -256,
  ],
  16,
);

/** Fills the table of row controls; called once, before any decoding. */
export function prepareBlocks(): void {
  for (let byte: u32 = 0; byte < 256; byte++) {
    for (let x: u32 = 0; x < 4; x++) {
      const index = (byte >> (2 * x)) & 3;
      // The four bytes of texel `index`.
      store<u32>(ROW_CONTROLS + byte * 16 + x * 4, index * 0x04040404 + 0x03020100);
    }
  }
}

function isDxt1<Kind>(): bool {
  return idof<Kind>() == idof<Dxt1>() || idof<Kind>() == idof<Dxt1Opaque>();
}

/** The weighted sum of four pairs of endpoints as four texels without alpha. */
function between(r: v128, g: v128, b: v128, weights: v128, green: v128, blue: v128): v128 {
  return v128.or(
    v128.or(
      i32x4.shr_u(i32x4.dot_i16x8_s(r, weights), 15),
      v128.and(i32x4.shr_u(i32x4.dot_i16x8_s(g, weights), 7), green),
    ),
    // Twice the sum ends where blue lies.
    v128.and(i32x4.dot_i16x8_s(i16x8.shl(b, 1), weights), blue),
  );
}

/** One row of a block: its four texels out of the block's table. */
function texels(table: v128, indices: u8): v128 {
  return i8x16.swizzle(table, v128.load((<usize>indices) << 4, ROW_CONTROLS));
}

/** Sixteen alpha values of a DXT3 or DXT5 block. */
function blockAlpha<Kind>(block: v128, source: usize): v128 {
  return idof<Kind>() == idof<Dxt5>() ? interpolated(block, source) : widenNibbles(block);
}

/**
 * Rows of blocks → texels. Reads up to three blocks past the last one.
 *
 * @param stride bytes of a row of texels, a multiple of 64 that holds a row's blocks in fours
 */
function decodeRows<Kind>(
  source: usize,
  target: usize,
  blocksPerRow: i32,
  blockRows: i32,
  stride: usize,
): void {
  const size: usize = isDxt1<Kind>() ? 8 : 16;
  const rowSize = <usize>blocksPerRow * size;
  const times33 = v128.load(FACTORS);
  const sixBits = v128.load(FACTORS, 16);
  const times65 = v128.load(FACTORS, 32);
  const fiveBits = v128.load(FACTORS, 48);
  const twoThirds = v128.load(FACTORS, 64);
  const oneThird = v128.load(FACTORS, 80);
  const halves = v128.load(FACTORS, 96);
  const halvesToThirds = v128.load(FACTORS, 112);
  const first = v128.load(FACTORS, 128);
  const green = v128.load(FACTORS, 144);
  const blue = v128.load(FACTORS, 160);
  const alpha = v128.load(FACTORS, 176);
  const endAlpha = v128.load(FACTORS, 192);
  for (let row = 0; row < blockRows; row++) {
    let block = source + <usize>row * rowSize;
    const end = block + rowSize;
    let row0 = target + <usize>row * stride * 4;
    let row1 = row0 + stride;
    let row2 = row1 + stride;
    let row3 = row2 + stride;
    for (; block < end; block += size * 4) {
      // The endpoints c0, c1 of four blocks, as 565 words.
      const endpoints = isDxt1<Kind>()
        ? i32x4.shuffle(v128.load(block), v128.load(block, 16), 0, 2, 4, 6)
        : i64x2.shuffle(
            i32x4.shuffle(v128.load(block), v128.load(block, 16), 2, 6, 3, 7),
            i32x4.shuffle(v128.load(block, 32), v128.load(block, 48), 2, 6, 3, 7),
            0,
            2,
          );
      // Five and six bits to eight, the upper bits repeated below: floor(x · 33 / 4) and floor(x · 65 / 16).
      const r = i16x8.shr_u(i16x8.mul(i16x8.shr_u(endpoints, 11), times33), 2);
      const g = i16x8.shr_u(i16x8.mul(v128.and(i16x8.shr_u(endpoints, 5), sixBits), times65), 4);
      const b = i16x8.shr_u(i16x8.mul(v128.and(endpoints, fiveBits), times33), 2);
      let weights2 = twoThirds;
      let weights3 = oneThird;
      let alpha3 = alpha;
      if (isDxt1<Kind>()) {
        // The three-colour mode, where c0 <= c1, has the midpoint and black.
        const isFour = i32x4.gt_s(v128.and(endpoints, first), i32x4.shr_u(endpoints, 16));
        weights2 = v128.xor(halves, v128.and(isFour, halvesToThirds));
        weights3 = v128.and(isFour, oneThird);
        if (idof<Kind>() == idof<Dxt1>()) alpha3 = v128.and(isFour, alpha);
      }
      let color2 = between(r, g, b, weights2, green, blue);
      let color3 = between(r, g, b, weights3, green, blue);
      const rgEnds = v128.or(r, i16x8.shl(g, 8));
      let baEnds = b;
      if (isDxt1<Kind>()) {
        color2 = v128.or(color2, alpha);
        color3 = v128.or(color3, alpha3);
        baEnds = v128.or(b, endAlpha);
      }
      const ends01 = interleaveLow16(rgEnds, baEnds);
      const ends23 = interleaveHigh16(rgEnds, baEnds);
      const between01 = interleaveLow32(color2, color3);
      const between23 = interleaveHigh32(color2, color3);
      if (isDxt1<Kind>()) {
        // Row by row: the stores of a cache line together are 2 to 8 % faster where the lines are not in the cache.
        // A function for a row takes 2 to 5 % longer.
        const table0 = i64x2.shuffle(ends01, between01, 0, 2);
        const table1 = i64x2.shuffle(ends01, between01, 1, 3);
        const table2 = i64x2.shuffle(ends23, between23, 0, 2);
        const table3 = i64x2.shuffle(ends23, between23, 1, 3);
        v128.store(row0, texels(table0, load<u8>(block, 4)));
        v128.store(row0, texels(table1, load<u8>(block, 12)), 16);
        v128.store(row0, texels(table2, load<u8>(block, 20)), 32);
        v128.store(row0, texels(table3, load<u8>(block, 28)), 48);
        v128.store(row1, texels(table0, load<u8>(block, 5)));
        v128.store(row1, texels(table1, load<u8>(block, 13)), 16);
        v128.store(row1, texels(table2, load<u8>(block, 21)), 32);
        v128.store(row1, texels(table3, load<u8>(block, 29)), 48);
        v128.store(row2, texels(table0, load<u8>(block, 6)));
        v128.store(row2, texels(table1, load<u8>(block, 14)), 16);
        v128.store(row2, texels(table2, load<u8>(block, 22)), 32);
        v128.store(row2, texels(table3, load<u8>(block, 30)), 48);
        v128.store(row3, texels(table0, load<u8>(block, 7)));
        v128.store(row3, texels(table1, load<u8>(block, 15)), 16);
        v128.store(row3, texels(table2, load<u8>(block, 23)), 32);
        v128.store(row3, texels(table3, load<u8>(block, 31)), 48);
      } else {
        const zero = i64x2.splat(0);
        let table: v128;
        let values: v128;
        let pairs: v128;
        table = i64x2.shuffle(ends01, between01, 0, 2);
        values = blockAlpha<Kind>(v128.load(block), block);
        pairs = interleaveLow8(zero, values);
        v128.store(row0, v128.or(texels(table, load<u8>(block, 12)), interleaveLow16(zero, pairs)));
        v128.store(
          row1,
          v128.or(texels(table, load<u8>(block, 13)), interleaveHigh16(zero, pairs)),
        );
        pairs = interleaveHigh8(zero, values);
        v128.store(row2, v128.or(texels(table, load<u8>(block, 14)), interleaveLow16(zero, pairs)));
        v128.store(
          row3,
          v128.or(texels(table, load<u8>(block, 15)), interleaveHigh16(zero, pairs)),
        );
        table = i64x2.shuffle(ends01, between01, 1, 3);
        values = blockAlpha<Kind>(v128.load(block, 16), block + 16);
        pairs = interleaveLow8(zero, values);
        v128.store(
          row0,
          v128.or(texels(table, load<u8>(block, 28)), interleaveLow16(zero, pairs)),
          16,
        );
        v128.store(
          row1,
          v128.or(texels(table, load<u8>(block, 29)), interleaveHigh16(zero, pairs)),
          16,
        );
        pairs = interleaveHigh8(zero, values);
        v128.store(
          row2,
          v128.or(texels(table, load<u8>(block, 30)), interleaveLow16(zero, pairs)),
          16,
        );
        v128.store(
          row3,
          v128.or(texels(table, load<u8>(block, 31)), interleaveHigh16(zero, pairs)),
          16,
        );
        table = i64x2.shuffle(ends23, between23, 0, 2);
        values = blockAlpha<Kind>(v128.load(block, 32), block + 32);
        pairs = interleaveLow8(zero, values);
        v128.store(
          row0,
          v128.or(texels(table, load<u8>(block, 44)), interleaveLow16(zero, pairs)),
          32,
        );
        v128.store(
          row1,
          v128.or(texels(table, load<u8>(block, 45)), interleaveHigh16(zero, pairs)),
          32,
        );
        pairs = interleaveHigh8(zero, values);
        v128.store(
          row2,
          v128.or(texels(table, load<u8>(block, 46)), interleaveLow16(zero, pairs)),
          32,
        );
        v128.store(
          row3,
          v128.or(texels(table, load<u8>(block, 47)), interleaveHigh16(zero, pairs)),
          32,
        );
        table = i64x2.shuffle(ends23, between23, 1, 3);
        values = blockAlpha<Kind>(v128.load(block, 48), block + 48);
        pairs = interleaveLow8(zero, values);
        v128.store(
          row0,
          v128.or(texels(table, load<u8>(block, 60)), interleaveLow16(zero, pairs)),
          48,
        );
        v128.store(
          row1,
          v128.or(texels(table, load<u8>(block, 61)), interleaveHigh16(zero, pairs)),
          48,
        );
        pairs = interleaveHigh8(zero, values);
        v128.store(
          row2,
          v128.or(texels(table, load<u8>(block, 62)), interleaveLow16(zero, pairs)),
          48,
        );
        v128.store(
          row3,
          v128.or(texels(table, load<u8>(block, 63)), interleaveHigh16(zero, pairs)),
          48,
        );
      }
      row0 += 64;
      row1 += 64;
      row2 += 64;
      row3 += 64;
    }
  }
}

/** `opaque`: index 3 of the three-colour mode is opaque black instead of transparent black. */
export function decodeDxt1(
  source: usize,
  target: usize,
  blocksPerRow: i32,
  blockRows: i32,
  stride: usize,
  opaque: bool,
): void {
  if (opaque) decodeRows<Dxt1Opaque>(source, target, blocksPerRow, blockRows, stride);
  else decodeRows<Dxt1>(source, target, blocksPerRow, blockRows, stride);
}

export function decodeDxt3(
  source: usize,
  target: usize,
  blocksPerRow: i32,
  blockRows: i32,
  stride: usize,
): void {
  decodeRows<Dxt3>(source, target, blocksPerRow, blockRows, stride);
}

export function decodeDxt5(
  source: usize,
  target: usize,
  blocksPerRow: i32,
  blockRows: i32,
  stride: usize,
): void {
  decodeRows<Dxt5>(source, target, blocksPerRow, blockRows, stride);
}
