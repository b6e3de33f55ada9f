// DXT1, DXT3 and DXT5 blocks → RGBA rows.
//
// Blocks are taken four at a time. Their eight endpoints fill one vector, so that all colours of four blocks
// come out of one run of 16-bit arithmetic as four tables of four texels. A row of a block is then one
// byte swizzle of its table, controlled by a vector looked up by the row's index byte.

import { interleaveHigh8, interleaveHigh16, interleaveLow8, interleaveLow16 } from '../shuffle';
import { interpolated, widenNibbles } from './values';

// Compile-time names of the kinds of blocks: one copy of the loop is compiled for each.
class Dxt1 {}
/** DXT1 whose three-colour black is opaque. */
class Dxt1Opaque {}
class Dxt3 {}
class Dxt5 {}

/** For each index byte, the swizzle control that picks four texels out of a table of four. */
const ROW_CONTROLS: usize = memory.data(256 * 16, 64);

/** Masks and factors of the colour arithmetic, loaded before the loops: V8 would build literals anew in every turn. */
const FACTORS: usize = memory.data<i16>(
  [
    0xf8, 0xf8, 0xf8, 0xf8, 0xf8, 0xf8, 0xf8, 0xf8, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc, 0xfc,
    3, 3, 3, 3, 3, 3, 3, 3, 7, 7, 7, 7, 7, 7, 7, 7, 85, 85, 85, 85, 85, 85, 85, 85, 70, 70, 70, 70,
    70, 70, 70, 70, -1, 0, -1, 0, -1, 0, -1, 0, -256, -256, -256, -256, -256, -256, -256, -256,
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

function swapPairs(v: v128): v128 {
  return i16x8.shuffle(v, v, 1, 0, 3, 2, 5, 4, 7, 6);
}

/** floor(x / 3) of every lane, exact up to 765. */
function third(x: v128, k85: v128, k70: v128): v128 {
  return i16x8.shr_u(i16x8.add(i16x8.add(i16x8.mul(x, k85), k70), i16x8.shr_u(x, 2)), 8);
}

function isDxt1<Kind>(): bool {
  return idof<Kind>() == idof<Dxt1>() || idof<Kind>() == idof<Dxt1Opaque>();
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
  const kF8 = v128.load(FACTORS);
  const kFC = v128.load(FACTORS, 16);
  const k3 = v128.load(FACTORS, 32);
  const k7 = v128.load(FACTORS, 48);
  const k85 = v128.load(FACTORS, 64);
  const k70 = v128.load(FACTORS, 80);
  const even = v128.load(FACTORS, 96);
  const alpha = v128.load(FACTORS, 112);
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
      const r = v128.or(v128.and(i16x8.shr_u(endpoints, 8), kF8), i16x8.shr_u(endpoints, 13));
      const g = v128.or(
        v128.and(i16x8.shr_u(endpoints, 3), kFC),
        v128.and(i16x8.shr_u(endpoints, 9), k3),
      );
      const b = v128.or(
        v128.and(i16x8.shl(endpoints, 3), kF8),
        v128.and(i16x8.shr_u(endpoints, 2), k7),
      );
      const rSum = i16x8.add(r, swapPairs(r));
      const gSum = i16x8.add(g, swapPairs(g));
      const bSum = i16x8.add(b, swapPairs(b));
      // Twice the own endpoint plus the other: a pair of lanes holds both colours between.
      let rgBetween = v128.or(
        third(i16x8.add(rSum, r), k85, k70),
        i16x8.shl(third(i16x8.add(gSum, g), k85, k70), 8),
      );
      let baBetween = third(i16x8.add(bSum, b), k85, k70);
      const rgEnds = v128.or(r, i16x8.shl(g, 8));
      let baEnds = b;
      if (isDxt1<Kind>()) {
        baBetween = v128.or(baBetween, alpha);
        baEnds = v128.or(baEnds, alpha);
        // The three-colour mode, where c0 <= c1: the midpoint in even lanes, black in odd ones.
        const isFour = i32x4.shr_s(i32x4.shl(i16x8.gt_u(endpoints, swapPairs(endpoints)), 16), 16);
        const rgMid = v128.and(
          v128.or(i16x8.shr_u(rSum, 1), i16x8.shl(i16x8.shr_u(gSum, 1), 8)),
          even,
        );
        const baMid =
          idof<Kind>() == idof<Dxt1>()
            ? v128.and(v128.or(i16x8.shr_u(bSum, 1), alpha), even)
            : v128.or(v128.and(i16x8.shr_u(bSum, 1), even), alpha);
        rgBetween = v128.bitselect(rgBetween, rgMid, isFour);
        baBetween = v128.bitselect(baBetween, baMid, isFour);
      }
      const ends01 = interleaveLow16(rgEnds, baEnds);
      const ends23 = interleaveHigh16(rgEnds, baEnds);
      const between01 = interleaveLow16(rgBetween, baBetween);
      const between23 = interleaveHigh16(rgBetween, baBetween);
      let table: v128;
      if (isDxt1<Kind>()) {
        table = i64x2.shuffle(ends01, between01, 0, 2);
        v128.store(row0, texels(table, load<u8>(block, 4)));
        v128.store(row1, texels(table, load<u8>(block, 5)));
        v128.store(row2, texels(table, load<u8>(block, 6)));
        v128.store(row3, texels(table, load<u8>(block, 7)));
        table = i64x2.shuffle(ends01, between01, 1, 3);
        v128.store(row0, texels(table, load<u8>(block, 12)), 16);
        v128.store(row1, texels(table, load<u8>(block, 13)), 16);
        v128.store(row2, texels(table, load<u8>(block, 14)), 16);
        v128.store(row3, texels(table, load<u8>(block, 15)), 16);
        table = i64x2.shuffle(ends23, between23, 0, 2);
        v128.store(row0, texels(table, load<u8>(block, 20)), 32);
        v128.store(row1, texels(table, load<u8>(block, 21)), 32);
        v128.store(row2, texels(table, load<u8>(block, 22)), 32);
        v128.store(row3, texels(table, load<u8>(block, 23)), 32);
        table = i64x2.shuffle(ends23, between23, 1, 3);
        v128.store(row0, texels(table, load<u8>(block, 28)), 48);
        v128.store(row1, texels(table, load<u8>(block, 29)), 48);
        v128.store(row2, texels(table, load<u8>(block, 30)), 48);
        v128.store(row3, texels(table, load<u8>(block, 31)), 48);
      } else {
        const zero = i64x2.splat(0);
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
