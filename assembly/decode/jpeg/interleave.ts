// Four blocks of samples, one a component, to eight rows of eight RGBA texels.

import {
  highHalves,
  interleaveHigh8,
  interleaveHigh16,
  interleaveHigh32,
  interleaveLow8,
  interleaveLow16,
  interleaveLow32,
  lowHalves,
} from '../../shuffle';

/** Four columns of four texels, to four rows of which each takes 16 bytes at `out`. */
function storeRows(c0: v128, c1: v128, c2: v128, c3: v128, out: usize, stride: usize): void {
  const top01 = interleaveLow32(c0, c1);
  const bottom01 = interleaveHigh32(c0, c1);
  const top23 = interleaveLow32(c2, c3);
  const bottom23 = interleaveHigh32(c2, c3);
  v128.store(out, lowHalves(top01, top23));
  v128.store(out + stride, highHalves(top01, top23));
  v128.store(out + 2 * stride, lowHalves(bottom01, bottom23));
  v128.store(out + 3 * stride, highHalves(bottom01, bottom23));
}

/** Columns `column` to `column` + 3 of the block; `r`, `g`, `b`, `a` hold its samples column by column. */
function storeColumns(r: usize, g: usize, b: usize, a: usize, out: usize, stride: usize): void {
  const r01 = v128.load(r);
  const g01 = v128.load(g);
  const b01 = v128.load(b);
  const a01 = v128.load(a);
  const r23 = v128.load(r, 16);
  const g23 = v128.load(g, 16);
  const b23 = v128.load(b, 16);
  const a23 = v128.load(a, 16);
  const rg0 = interleaveLow8(r01, g01);
  const ba0 = interleaveLow8(b01, a01);
  const rg1 = interleaveHigh8(r01, g01);
  const ba1 = interleaveHigh8(b01, a01);
  const rg2 = interleaveLow8(r23, g23);
  const ba2 = interleaveLow8(b23, a23);
  const rg3 = interleaveHigh8(r23, g23);
  const ba3 = interleaveHigh8(b23, a23);
  storeRows(
    interleaveLow16(rg0, ba0),
    interleaveLow16(rg1, ba1),
    interleaveLow16(rg2, ba2),
    interleaveLow16(rg3, ba3),
    out,
    stride,
  );
  storeRows(
    interleaveHigh16(rg0, ba0),
    interleaveHigh16(rg1, ba1),
    interleaveHigh16(rg2, ba2),
    interleaveHigh16(rg3, ba3),
    out + 4 * stride,
    stride,
  );
}

/** Stores eight rows of 32 bytes at `out`, `stride` bytes apart. */
export function storeTexels(
  r: usize,
  g: usize,
  b: usize,
  a: usize,
  out: usize,
  stride: usize,
): void {
  storeColumns(r, g, b, a, out, stride);
  storeColumns(r + 32, g + 32, b + 32, a + 32, out + 16, stride);
}

/** Stores one block's samples, held column by column, as eight rows of eight bytes. */
export function storeSampleRows(samples: usize, out: usize, stride: usize): void {
  const columns01 = v128.load(samples);
  const columns23 = v128.load(samples, 16);
  const columns45 = v128.load(samples, 32);
  const columns67 = v128.load(samples, 48);
  // Column pairs to pairs of samples in row order, then fours, then whole rows, two a vector.
  const pairs01 = interleaveLow8(columns01, highHalves(columns01, columns01));
  const pairs23 = interleaveLow8(columns23, highHalves(columns23, columns23));
  const pairs45 = interleaveLow8(columns45, highHalves(columns45, columns45));
  const pairs67 = interleaveLow8(columns67, highHalves(columns67, columns67));
  const left03 = interleaveLow16(pairs01, pairs23);
  const left47 = interleaveHigh16(pairs01, pairs23);
  const right03 = interleaveLow16(pairs45, pairs67);
  const right47 = interleaveHigh16(pairs45, pairs67);
  storeTwoRows(interleaveLow32(left03, right03), out, stride);
  storeTwoRows(interleaveHigh32(left03, right03), out + 2 * stride, stride);
  storeTwoRows(interleaveLow32(left47, right47), out + 4 * stride, stride);
  storeTwoRows(interleaveHigh32(left47, right47), out + 6 * stride, stride);
}

function storeTwoRows(rows: v128, out: usize, stride: usize): void {
  store<u64>(out, i64x2.extract_lane(rows, 0));
  store<u64>(out + stride, i64x2.extract_lane(rows, 1));
}
