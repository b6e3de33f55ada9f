// The inverse DCT: bit for bit the accurate integer transform of libjpeg ("islow").

import {
  highHalves,
  interleaveHigh16,
  interleaveHigh32,
  interleaveLow16,
  interleaveLow32,
  lowHalves,
} from './shuffle';

/*
 * The algorithm is that of Loeffler, Ligtenberg and Moschytz (1989), constants scaled by 2^13. A rotation
 * of two 16-bit values is one multiply-add of interleaved pairs; each weight below joins the constants of
 * the factored form that meet in it. Pass 1 works on columns and keeps 2 fraction bits, pass 2 works on
 * rows and removes those, the 2^13 and the factor 8 of the transform.
 */
const WEIGHTS: usize = memory.data<i16>(
  [
    10703,
    4433,
    10703,
    4433,
    10703,
    4433,
    10703,
    4433, // x2, x6: 0.541196100 + 0.765366865, 0.541196100
    4433,
    -10704,
    4433,
    -10704,
    4433,
    -10704,
    4433,
    -10704, // 0.541196100, 0.541196100 - 1.847759065
    -6436,
    9633,
    -6436,
    9633,
    -6436,
    9633,
    -6436,
    9633, // x3+x7, x1+x5: 1.175875602 - 1.961570560, 1.175875602
    9633,
    6437,
    9633,
    6437,
    9633,
    6437,
    9633,
    6437, // 1.175875602, 1.175875602 - 0.390180644
    -4927,
    -7373,
    -4927,
    -7373,
    -4927,
    -7373,
    -4927,
    -7373, // x7, x1: 0.298631336 - 0.899976223, -0.899976223
    -7373,
    4926,
    -7373,
    4926,
    -7373,
    4926,
    -7373,
    4926, // -0.899976223, 1.501321110 - 0.899976223
    -4176,
    -20995,
    -4176,
    -20995,
    -4176,
    -20995,
    -4176,
    -20995, // x5, x3: 2.053119869 - 2.562915447, -2.562915447
    -20995,
    4177,
    -20995,
    4177,
    -20995,
    4177,
    -20995,
    4177, // -2.562915447, 3.072711026 - 2.562915447
  ],
  16,
);

const PASS1_SHIFT = 11;
const PASS2_SHIFT = 18;

/** What a pass adds up, before its shift: eight times eight i32. */
const SUMS: usize = memory.data(256, 16);

function multiplyAdd(a: v128, b: v128): v128 {
  return i32x4.dot_i16x8_s(a, b);
}

/**
 * One pass for four columns. `even0` and `even1` are (x0 ± x4) * 2^13 with the rounding added, the others
 * interleaved pairs; row i of the result goes to `sums` + 32 i.
 */
function butterflies(
  even0: v128,
  even1: v128,
  x2x6: v128,
  x7x1: v128,
  x5x3: v128,
  z3z4: v128,
  sums: usize,
): void {
  const t3 = multiplyAdd(x2x6, v128.load(WEIGHTS));
  const t2 = multiplyAdd(x2x6, v128.load(WEIGHTS, 16));
  const z3 = multiplyAdd(z3z4, v128.load(WEIGHTS, 32));
  const z4 = multiplyAdd(z3z4, v128.load(WEIGHTS, 48));
  const odd0 = i32x4.add(multiplyAdd(x7x1, v128.load(WEIGHTS, 64)), z3);
  const odd3 = i32x4.add(multiplyAdd(x7x1, v128.load(WEIGHTS, 80)), z4);
  const odd1 = i32x4.add(multiplyAdd(x5x3, v128.load(WEIGHTS, 96)), z4);
  const odd2 = i32x4.add(multiplyAdd(x5x3, v128.load(WEIGHTS, 112)), z3);
  const t10 = i32x4.add(even0, t3);
  const t13 = i32x4.sub(even0, t3);
  const t11 = i32x4.add(even1, t2);
  const t12 = i32x4.sub(even1, t2);
  v128.store(sums, i32x4.add(t10, odd3));
  v128.store(sums, i32x4.add(t11, odd2), 32);
  v128.store(sums, i32x4.add(t12, odd1), 64);
  v128.store(sums, i32x4.add(t13, odd0), 96);
  v128.store(sums, i32x4.sub(t13, odd0), 128);
  v128.store(sums, i32x4.sub(t12, odd1), 160);
  v128.store(sums, i32x4.sub(t11, odd2), 192);
  v128.store(sums, i32x4.sub(t10, odd3), 224);
}

/** One pass over eight columns of eight i16 each, into SUMS. */
function pass(
  x0: v128,
  x1: v128,
  x2: v128,
  x3: v128,
  x4: v128,
  x5: v128,
  x6: v128,
  x7: v128,
  rounding: v128,
): void {
  const zero = i32x4.splat(0);
  const sum = i16x8.add(x0, x4);
  const difference = i16x8.sub(x0, x4);
  const z3 = i16x8.add(x3, x7);
  const z4 = i16x8.add(x1, x5);
  butterflies(
    i32x4.add(i32x4.shr_s(interleaveLow16(zero, sum), 3), rounding),
    i32x4.add(i32x4.shr_s(interleaveLow16(zero, difference), 3), rounding),
    interleaveLow16(x2, x6),
    interleaveLow16(x7, x1),
    interleaveLow16(x5, x3),
    interleaveLow16(z3, z4),
    SUMS,
  );
  butterflies(
    i32x4.add(i32x4.shr_s(interleaveHigh16(zero, sum), 3), rounding),
    i32x4.add(i32x4.shr_s(interleaveHigh16(zero, difference), 3), rounding),
    interleaveHigh16(x2, x6),
    interleaveHigh16(x7, x1),
    interleaveHigh16(x5, x3),
    interleaveHigh16(z3, z4),
    SUMS + 16,
  );
}

/** Row `row` of SUMS, shifted and narrowed to eight i16. */
function shifted(row: usize, shift: i32): v128 {
  return i16x8.narrow_i32x4_s(
    i32x4.shr_s(v128.load(SUMS + (row << 5)), shift),
    i32x4.shr_s(v128.load(SUMS + (row << 5), 16), shift),
  );
}

/** Columns `column` and `column` + 1 of the result as sixteen samples. */
function sampleColumns(column: usize): v128 {
  return v128.xor(
    i8x16.narrow_i16x8_s(shifted(column, PASS2_SHIFT), shifted(column + 1, PASS2_SHIFT)),
    i8x16.splat(-128),
  );
}

/**
 * Dequantises and transforms one block.
 *
 * @param coefficients 64 i16 in natural order
 * @param quantisation 64 u16 in natural order
 * @param samples takes 64 bytes, column by column
 */
export function inverseTransform(coefficients: usize, quantisation: usize, samples: usize): void {
  pass(
    i16x8.mul(v128.load(coefficients), v128.load(quantisation)),
    i16x8.mul(v128.load(coefficients, 16), v128.load(quantisation, 16)),
    i16x8.mul(v128.load(coefficients, 32), v128.load(quantisation, 32)),
    i16x8.mul(v128.load(coefficients, 48), v128.load(quantisation, 48)),
    i16x8.mul(v128.load(coefficients, 64), v128.load(quantisation, 64)),
    i16x8.mul(v128.load(coefficients, 80), v128.load(quantisation, 80)),
    i16x8.mul(v128.load(coefficients, 96), v128.load(quantisation, 96)),
    i16x8.mul(v128.load(coefficients, 112), v128.load(quantisation, 112)),
    i32x4.splat(1 << (PASS1_SHIFT - 1)),
  );

  // Transposed, the rows are columns to the second pass.
  const rows01Left = interleaveLow16(shifted(0, PASS1_SHIFT), shifted(1, PASS1_SHIFT));
  const rows01Right = interleaveHigh16(shifted(0, PASS1_SHIFT), shifted(1, PASS1_SHIFT));
  const rows23Left = interleaveLow16(shifted(2, PASS1_SHIFT), shifted(3, PASS1_SHIFT));
  const rows23Right = interleaveHigh16(shifted(2, PASS1_SHIFT), shifted(3, PASS1_SHIFT));
  const rows45Left = interleaveLow16(shifted(4, PASS1_SHIFT), shifted(5, PASS1_SHIFT));
  const rows45Right = interleaveHigh16(shifted(4, PASS1_SHIFT), shifted(5, PASS1_SHIFT));
  const rows67Left = interleaveLow16(shifted(6, PASS1_SHIFT), shifted(7, PASS1_SHIFT));
  const rows67Right = interleaveHigh16(shifted(6, PASS1_SHIFT), shifted(7, PASS1_SHIFT));
  const top01 = interleaveLow32(rows01Left, rows23Left);
  const top23 = interleaveHigh32(rows01Left, rows23Left);
  const top45 = interleaveLow32(rows01Right, rows23Right);
  const top67 = interleaveHigh32(rows01Right, rows23Right);
  const bottom01 = interleaveLow32(rows45Left, rows67Left);
  const bottom23 = interleaveHigh32(rows45Left, rows67Left);
  const bottom45 = interleaveLow32(rows45Right, rows67Right);
  const bottom67 = interleaveHigh32(rows45Right, rows67Right);
  pass(
    lowHalves(top01, bottom01),
    highHalves(top01, bottom01),
    lowHalves(top23, bottom23),
    highHalves(top23, bottom23),
    lowHalves(top45, bottom45),
    highHalves(top45, bottom45),
    lowHalves(top67, bottom67),
    highHalves(top67, bottom67),
    i32x4.splat(1 << (PASS2_SHIFT - 1)),
  );

  v128.store(samples, sampleColumns(0));
  v128.store(samples, sampleColumns(2), 16);
  v128.store(samples, sampleColumns(4), 32);
  v128.store(samples, sampleColumns(6), 48);
}

/** A block whose only coefficient is the dequantised `dc`: what both passes would make of it. */
export function fillSamples(dc: i32, samples: usize): void {
  const sample = min(max(((<i32>(<i16>dc) + 4) >> 3) + 128, 0), 255);
  const filled = i8x16.splat(<i8>sample);
  v128.store(samples, filled);
  v128.store(samples, filled, 16);
  v128.store(samples, filled, 32);
  v128.store(samples, filled, 48);
}
