// The inverse DCT: bit for bit the accurate integer transform of libjpeg ("islow").

import {
  highHalves,
  interleaveHigh16,
  interleaveHigh32,
  interleaveLow16,
  interleaveLow32,
  lowHalves,
} from '../../shuffle';
import { DCT_WEIGHTS } from '../../tables';

/*
 * Pass 1 works on columns and keeps 2 fraction bits, pass 2 works on rows and removes those, the 2^13 of the weights and
 * the factor 8 of the transform.
 */
const PASS1_SHIFT = 11;
const PASS2_SHIFT = 18;

/** A rotation: the weights at `weights` times interleaved pairs, added up. */
function rotate(pairs: v128, weights: usize): v128 {
  return i32x4.dot_i16x8_s(pairs, v128.load(weights));
}

/** `value`, in the upper half of each lane, times 2^13, plus the rounding of the shift to come. */
function scale(value: v128, rounding: v128): v128 {
  return i32x4.add(i32x4.shr_s(value, 3), rounding);
}

/** Even plus odd part of four low and four high columns, shifted: one row of a pass. */
function sums(evenLow: v128, oddLow: v128, evenHigh: v128, oddHigh: v128, shift: i32): v128 {
  return i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.add(evenLow, oddLow), shift),
    i32x4.shr_s(i32x4.add(evenHigh, oddHigh), shift),
  );
}

/** Even minus odd part: the row opposite to that of `sums`. */
function differences(evenLow: v128, oddLow: v128, evenHigh: v128, oddHigh: v128, shift: i32): v128 {
  return i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.sub(evenLow, oddLow), shift),
    i32x4.shr_s(i32x4.sub(evenHigh, oddHigh), shift),
  );
}

/** Two columns of samples around 0 to bytes around 128. */
function toSamples(first: v128, second: v128): v128 {
  return v128.xor(i8x16.narrow_i16x8_s(first, second), i8x16.splat(-128));
}

/**
 * Dequantises and transforms one block.
 *
 * @param coefficients 64 i16 in natural order
 * @param quantisation 64 u16 in natural order
 * @param samples takes 64 bytes, column by column
 */
export function inverseTransform(coefficients: usize, quantisation: usize, samples: usize): void {
  const zero = i32x4.splat(0);
  const rounding1 = i32x4.splat(1 << (PASS1_SHIFT - 1));
  const rounding2 = i32x4.splat(1 << (PASS2_SHIFT - 1));
  const x0 = i16x8.mul(v128.load(coefficients), v128.load(quantisation));
  const x1 = i16x8.mul(v128.load(coefficients, 16), v128.load(quantisation, 16));
  const x2 = i16x8.mul(v128.load(coefficients, 32), v128.load(quantisation, 32));
  const x3 = i16x8.mul(v128.load(coefficients, 48), v128.load(quantisation, 48));
  const x4 = i16x8.mul(v128.load(coefficients, 64), v128.load(quantisation, 64));
  const x5 = i16x8.mul(v128.load(coefficients, 80), v128.load(quantisation, 80));
  const x6 = i16x8.mul(v128.load(coefficients, 96), v128.load(quantisation, 96));
  const x7 = i16x8.mul(v128.load(coefficients, 112), v128.load(quantisation, 112));

  const sum1 = i16x8.add(x0, x4);
  const difference1 = i16x8.sub(x0, x4);
  const sum371 = i16x8.add(x3, x7);
  const sum151 = i16x8.add(x1, x5);
  const even0L1 = scale(interleaveLow16(zero, sum1), rounding1);
  const even1L1 = scale(interleaveLow16(zero, difference1), rounding1);
  const pair26L1 = interleaveLow16(x2, x6);
  const t2L1 = rotate(pair26L1, DCT_WEIGHTS + 16);
  const t3L1 = rotate(pair26L1, DCT_WEIGHTS);
  const t10L1 = i32x4.add(even0L1, t3L1);
  const t11L1 = i32x4.add(even1L1, t2L1);
  const t12L1 = i32x4.sub(even1L1, t2L1);
  const t13L1 = i32x4.sub(even0L1, t3L1);
  const pairZL1 = interleaveLow16(sum371, sum151);
  const z3L1 = rotate(pairZL1, DCT_WEIGHTS + 32);
  const z4L1 = rotate(pairZL1, DCT_WEIGHTS + 48);
  const pair71L1 = interleaveLow16(x7, x1);
  const pair53L1 = interleaveLow16(x5, x3);
  const odd0L1 = i32x4.add(rotate(pair71L1, DCT_WEIGHTS + 64), z3L1);
  const odd1L1 = i32x4.add(rotate(pair53L1, DCT_WEIGHTS + 96), z4L1);
  const odd2L1 = i32x4.add(rotate(pair53L1, DCT_WEIGHTS + 112), z3L1);
  const odd3L1 = i32x4.add(rotate(pair71L1, DCT_WEIGHTS + 80), z4L1);
  const even0H1 = scale(interleaveHigh16(zero, sum1), rounding1);
  const even1H1 = scale(interleaveHigh16(zero, difference1), rounding1);
  const pair26H1 = interleaveHigh16(x2, x6);
  const t2H1 = rotate(pair26H1, DCT_WEIGHTS + 16);
  const t3H1 = rotate(pair26H1, DCT_WEIGHTS);
  const t10H1 = i32x4.add(even0H1, t3H1);
  const t11H1 = i32x4.add(even1H1, t2H1);
  const t12H1 = i32x4.sub(even1H1, t2H1);
  const t13H1 = i32x4.sub(even0H1, t3H1);
  const pairZH1 = interleaveHigh16(sum371, sum151);
  const z3H1 = rotate(pairZH1, DCT_WEIGHTS + 32);
  const z4H1 = rotate(pairZH1, DCT_WEIGHTS + 48);
  const pair71H1 = interleaveHigh16(x7, x1);
  const pair53H1 = interleaveHigh16(x5, x3);
  const odd0H1 = i32x4.add(rotate(pair71H1, DCT_WEIGHTS + 64), z3H1);
  const odd1H1 = i32x4.add(rotate(pair53H1, DCT_WEIGHTS + 96), z4H1);
  const odd2H1 = i32x4.add(rotate(pair53H1, DCT_WEIGHTS + 112), z3H1);
  const odd3H1 = i32x4.add(rotate(pair71H1, DCT_WEIGHTS + 80), z4H1);
  const y0 = sums(t10L1, odd3L1, t10H1, odd3H1, PASS1_SHIFT);
  const y7 = differences(t10L1, odd3L1, t10H1, odd3H1, PASS1_SHIFT);
  const y1 = sums(t11L1, odd2L1, t11H1, odd2H1, PASS1_SHIFT);
  const y6 = differences(t11L1, odd2L1, t11H1, odd2H1, PASS1_SHIFT);
  const y2 = sums(t12L1, odd1L1, t12H1, odd1H1, PASS1_SHIFT);
  const y5 = differences(t12L1, odd1L1, t12H1, odd1H1, PASS1_SHIFT);
  const y3 = sums(t13L1, odd0L1, t13H1, odd0H1, PASS1_SHIFT);
  const y4 = differences(t13L1, odd0L1, t13H1, odd0H1, PASS1_SHIFT);

  // Transposed, the rows are columns to the second pass.
  const rows01Left = interleaveLow16(y0, y1);
  const rows01Right = interleaveHigh16(y0, y1);
  const rows23Left = interleaveLow16(y2, y3);
  const rows23Right = interleaveHigh16(y2, y3);
  const rows45Left = interleaveLow16(y4, y5);
  const rows45Right = interleaveHigh16(y4, y5);
  const rows67Left = interleaveLow16(y6, y7);
  const rows67Right = interleaveHigh16(y6, y7);
  const top01 = interleaveLow32(rows01Left, rows23Left);
  const top23 = interleaveHigh32(rows01Left, rows23Left);
  const top45 = interleaveLow32(rows01Right, rows23Right);
  const top67 = interleaveHigh32(rows01Right, rows23Right);
  const bottom01 = interleaveLow32(rows45Left, rows67Left);
  const bottom23 = interleaveHigh32(rows45Left, rows67Left);
  const bottom45 = interleaveLow32(rows45Right, rows67Right);
  const bottom67 = interleaveHigh32(rows45Right, rows67Right);
  const w0 = lowHalves(top01, bottom01);
  const w1 = highHalves(top01, bottom01);
  const w2 = lowHalves(top23, bottom23);
  const w3 = highHalves(top23, bottom23);
  const w4 = lowHalves(top45, bottom45);
  const w5 = highHalves(top45, bottom45);
  const w6 = lowHalves(top67, bottom67);
  const w7 = highHalves(top67, bottom67);

  const sum2 = i16x8.add(w0, w4);
  const difference2 = i16x8.sub(w0, w4);
  const sum372 = i16x8.add(w3, w7);
  const sum152 = i16x8.add(w1, w5);
  const even0L2 = scale(interleaveLow16(zero, sum2), rounding2);
  const even1L2 = scale(interleaveLow16(zero, difference2), rounding2);
  const pair26L2 = interleaveLow16(w2, w6);
  const t2L2 = rotate(pair26L2, DCT_WEIGHTS + 16);
  const t3L2 = rotate(pair26L2, DCT_WEIGHTS);
  const t10L2 = i32x4.add(even0L2, t3L2);
  const t11L2 = i32x4.add(even1L2, t2L2);
  const t12L2 = i32x4.sub(even1L2, t2L2);
  const t13L2 = i32x4.sub(even0L2, t3L2);
  const pairZL2 = interleaveLow16(sum372, sum152);
  const z3L2 = rotate(pairZL2, DCT_WEIGHTS + 32);
  const z4L2 = rotate(pairZL2, DCT_WEIGHTS + 48);
  const pair71L2 = interleaveLow16(w7, w1);
  const pair53L2 = interleaveLow16(w5, w3);
  const odd0L2 = i32x4.add(rotate(pair71L2, DCT_WEIGHTS + 64), z3L2);
  const odd1L2 = i32x4.add(rotate(pair53L2, DCT_WEIGHTS + 96), z4L2);
  const odd2L2 = i32x4.add(rotate(pair53L2, DCT_WEIGHTS + 112), z3L2);
  const odd3L2 = i32x4.add(rotate(pair71L2, DCT_WEIGHTS + 80), z4L2);
  const even0H2 = scale(interleaveHigh16(zero, sum2), rounding2);
  const even1H2 = scale(interleaveHigh16(zero, difference2), rounding2);
  const pair26H2 = interleaveHigh16(w2, w6);
  const t2H2 = rotate(pair26H2, DCT_WEIGHTS + 16);
  const t3H2 = rotate(pair26H2, DCT_WEIGHTS);
  const t10H2 = i32x4.add(even0H2, t3H2);
  const t11H2 = i32x4.add(even1H2, t2H2);
  const t12H2 = i32x4.sub(even1H2, t2H2);
  const t13H2 = i32x4.sub(even0H2, t3H2);
  const pairZH2 = interleaveHigh16(sum372, sum152);
  const z3H2 = rotate(pairZH2, DCT_WEIGHTS + 32);
  const z4H2 = rotate(pairZH2, DCT_WEIGHTS + 48);
  const pair71H2 = interleaveHigh16(w7, w1);
  const pair53H2 = interleaveHigh16(w5, w3);
  const odd0H2 = i32x4.add(rotate(pair71H2, DCT_WEIGHTS + 64), z3H2);
  const odd1H2 = i32x4.add(rotate(pair53H2, DCT_WEIGHTS + 96), z4H2);
  const odd2H2 = i32x4.add(rotate(pair53H2, DCT_WEIGHTS + 112), z3H2);
  const odd3H2 = i32x4.add(rotate(pair71H2, DCT_WEIGHTS + 80), z4H2);
  const v0 = sums(t10L2, odd3L2, t10H2, odd3H2, PASS2_SHIFT);
  const v7 = differences(t10L2, odd3L2, t10H2, odd3H2, PASS2_SHIFT);
  const v1 = sums(t11L2, odd2L2, t11H2, odd2H2, PASS2_SHIFT);
  const v6 = differences(t11L2, odd2L2, t11H2, odd2H2, PASS2_SHIFT);
  const v2 = sums(t12L2, odd1L2, t12H2, odd1H2, PASS2_SHIFT);
  const v5 = differences(t12L2, odd1L2, t12H2, odd1H2, PASS2_SHIFT);
  const v3 = sums(t13L2, odd0L2, t13H2, odd0H2, PASS2_SHIFT);
  const v4 = differences(t13L2, odd0L2, t13H2, odd0H2, PASS2_SHIFT);

  v128.store(samples, toSamples(v0, v1));
  v128.store(samples, toSamples(v2, v3), 16);
  v128.store(samples, toSamples(v4, v5), 32);
  v128.store(samples, toSamples(v6, v7), 48);
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
