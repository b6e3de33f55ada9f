// RGBA pixels → quantised DCT coefficients, eight rows at a time, in the integer arithmetic of libjpeg's "islow".
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
import { DCT_WEIGHTS } from '../../tables';
import {
  BLOCK_BYTES,
  BLOCK_MASK,
  COMPONENTS,
  HALVES,
  PLANES,
  RECIPROCALS,
  ROW_MASKS,
} from './layout';

// Bits that the first pass keeps below the point.
const PASS1_BITS: i32 = 2;

/** Both halves of a · ca + b · cb (`pair` repeats ca, cb), rounded and shifted down. */
function rotate(a: v128, b: v128, pair: v128, rounding: v128, shift: i32): v128 {
  return i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.add(i32x4.dot_i16x8_s(interleaveLow16(a, b), pair), rounding), shift),
    i32x4.shr_s(i32x4.add(i32x4.dot_i16x8_s(interleaveHigh16(a, b), pair), rounding), shift),
  );
}

/** The same with a second rotation added before rounding. */
function rotate2(
  a: v128,
  b: v128,
  pair: v128,
  c: v128,
  d: v128,
  pair2: v128,
  rounding: v128,
  shift: i32,
): v128 {
  const lower = i32x4.add(
    i32x4.dot_i16x8_s(interleaveLow16(a, b), pair),
    i32x4.dot_i16x8_s(interleaveLow16(c, d), pair2),
  );
  const upper = i32x4.add(
    i32x4.dot_i16x8_s(interleaveHigh16(a, b), pair),
    i32x4.dot_i16x8_s(interleaveHigh16(c, d), pair2),
  );
  return i16x8.narrow_i32x4_s(
    i32x4.shr_s(i32x4.add(lower, rounding), shift),
    i32x4.shr_s(i32x4.add(upper, rounding), shift),
  );
}

/**
 * One pass over eight vectors at `at`, in place: eight 8-point transforms, one a lane.
 *
 * @param first the pass over the rows, which keeps PASS1_BITS below the point; the second takes them off.
 */
function pass(at: usize, first: bool): void {
  const d0 = v128.load(at);
  const d1 = v128.load(at, 16);
  const d2 = v128.load(at, 32);
  const d3 = v128.load(at, 48);
  const d4 = v128.load(at, 64);
  const d5 = v128.load(at, 80);
  const d6 = v128.load(at, 96);
  const d7 = v128.load(at, 112);
  const shift: i32 = first ? 13 - PASS1_BITS : 13 + PASS1_BITS;
  const rounding = i32x4.splat(1 << (shift - 1));

  const sum07 = i16x8.add(d0, d7);
  const sum16 = i16x8.add(d1, d6);
  const sum25 = i16x8.add(d2, d5);
  const sum34 = i16x8.add(d3, d4);
  const outer = i16x8.add(sum07, sum34);
  const inner = i16x8.add(sum16, sum25);
  const outerDifference = i16x8.sub(sum07, sum34);
  const innerDifference = i16x8.sub(sum16, sum25);
  const dc = i16x8.add(outer, inner);
  const half = i16x8.sub(outer, inner);
  if (first) {
    v128.store(at, i16x8.shl(dc, PASS1_BITS));
    v128.store(at, i16x8.shl(half, PASS1_BITS), 64);
  } else {
    const rounding2 = i16x8.splat(2);
    v128.store(at, i16x8.shr_s(i16x8.add(dc, rounding2), PASS1_BITS));
    v128.store(at, i16x8.shr_s(i16x8.add(half, rounding2), PASS1_BITS), 64);
  }
  const even2 = v128.load(DCT_WEIGHTS);
  const even6 = v128.load(DCT_WEIGHTS, 16);
  v128.store(at, rotate(outerDifference, innerDifference, even2, rounding, shift), 32);
  v128.store(at, rotate(outerDifference, innerDifference, even6, rounding, shift), 96);

  const t4 = i16x8.sub(d3, d4);
  const t5 = i16x8.sub(d2, d5);
  const t6 = i16x8.sub(d1, d6);
  const t7 = i16x8.sub(d0, d7);
  const z3 = i16x8.add(t4, t6);
  const z4 = i16x8.add(t5, t7);
  const z3Pair = v128.load(DCT_WEIGHTS, 32);
  const z4Pair = v128.load(DCT_WEIGHTS, 48);
  const odd7 = v128.load(DCT_WEIGHTS, 64);
  const odd5 = v128.load(DCT_WEIGHTS, 96);
  const odd3 = v128.load(DCT_WEIGHTS, 112);
  const odd1 = v128.load(DCT_WEIGHTS, 80);
  v128.store(at, rotate2(t4, t7, odd7, z3, z4, z3Pair, rounding, shift), 112);
  v128.store(at, rotate2(t5, t6, odd5, z3, z4, z4Pair, rounding, shift), 80);
  v128.store(at, rotate2(t5, t6, odd3, z3, z4, z3Pair, rounding, shift), 48);
  v128.store(at, rotate2(t4, t7, odd1, z3, z4, z4Pair, rounding, shift), 16);
}

/** Transposes 8 × 8 values of 16 bits in place. */
function transpose(at: usize): void {
  const r0 = v128.load(at);
  const r1 = v128.load(at, 16);
  const r2 = v128.load(at, 32);
  const r3 = v128.load(at, 48);
  const r4 = v128.load(at, 64);
  const r5 = v128.load(at, 80);
  const r6 = v128.load(at, 96);
  const r7 = v128.load(at, 112);
  const a0 = interleaveLow16(r0, r1);
  const a1 = interleaveHigh16(r0, r1);
  const a2 = interleaveLow16(r2, r3);
  const a3 = interleaveHigh16(r2, r3);
  const a4 = interleaveLow16(r4, r5);
  const a5 = interleaveHigh16(r4, r5);
  const a6 = interleaveLow16(r6, r7);
  const a7 = interleaveHigh16(r6, r7);
  const b0 = interleaveLow32(a0, a2);
  const b1 = interleaveHigh32(a0, a2);
  const b2 = interleaveLow32(a1, a3);
  const b3 = interleaveHigh32(a1, a3);
  const b4 = interleaveLow32(a4, a6);
  const b5 = interleaveHigh32(a4, a6);
  const b6 = interleaveLow32(a5, a7);
  const b7 = interleaveHigh32(a5, a7);
  v128.store(at, lowHalves(b0, b4));
  v128.store(at, highHalves(b0, b4), 16);
  v128.store(at, lowHalves(b1, b5), 32);
  v128.store(at, highHalves(b1, b5), 48);
  v128.store(at, lowHalves(b2, b6), 64);
  v128.store(at, highHalves(b2, b6), 80);
  v128.store(at, lowHalves(b3, b7), 96);
  v128.store(at, highHalves(b3, b7), 112);
}

/** One column of eight samples of two components (8 bytes each), centred on 0, to their places in PLANES. */
function storeColumn(pair: v128, first: usize, second: usize): void {
  const centre = i16x8.splat(128);
  v128.store(first, i16x8.sub(i16x8.extend_low_i8x16_u(pair), centre));
  v128.store(second, i16x8.sub(i16x8.extend_high_i8x16_u(pair), centre));
}

/** Four pixels of eight rows → four columns of each of the four planes. */
function splitHalf(source: usize, stride: usize, planes: usize): void {
  const r0 = v128.load(source);
  const r1 = v128.load(source + stride);
  const r2 = v128.load(source + 2 * stride);
  const r3 = v128.load(source + 3 * stride);
  const r4 = v128.load(source + 4 * stride);
  const r5 = v128.load(source + 5 * stride);
  const r6 = v128.load(source + 6 * stride);
  const r7 = v128.load(source + 7 * stride);
  // R0 R1 G0 G1 B0 B1 A0 A1 of two pixels, where the number is the row.
  const a0 = interleaveLow8(r0, r1);
  const a1 = interleaveHigh8(r0, r1);
  const a2 = interleaveLow8(r2, r3);
  const a3 = interleaveHigh8(r2, r3);
  const a4 = interleaveLow8(r4, r5);
  const a5 = interleaveHigh8(r4, r5);
  const a6 = interleaveLow8(r6, r7);
  const a7 = interleaveHigh8(r6, r7);
  splitPixel(interleaveLow16(a0, a2), interleaveLow16(a4, a6), planes);
  splitPixel(interleaveHigh16(a0, a2), interleaveHigh16(a4, a6), planes + 16);
  splitPixel(interleaveLow16(a1, a3), interleaveLow16(a5, a7), planes + 32);
  splitPixel(interleaveHigh16(a1, a3), interleaveHigh16(a5, a7), planes + 48);
}

/** Rows 0-3 and rows 4-7 of one pixel column, R R R R G G G G B B B B A A A A each. */
function splitPixel(upper: v128, lower: v128, planes: usize): void {
  // Planes are stored blue, green, red, alpha.
  storeColumn(interleaveLow32(upper, lower), planes + 256, planes + 128);
  storeColumn(interleaveHigh32(upper, lower), planes, planes + 384);
}

/**
 * Quantises the 64 coefficients at `at` into `block`: nearest multiple, halves away from zero, as libjpeg does, and
 * notes which are not 0.
 */
function quantise(at: usize, block: usize): void {
  let mask: u64 = 0;
  for (let row: usize = 0; row < 8; row += 2) {
    const first = quantiseRow(at + (row << 4), row);
    const second = quantiseRow(at + (row << 4) + 16, row + 1);
    v128.store(block + (row << 4), first);
    v128.store(block + (row << 4), second, 16);
    const zero = i16x8.splat(0);
    const bits = <usize>(
      i8x16.bitmask(i8x16.narrow_i16x8_s(i16x8.ne(first, zero), i16x8.ne(second, zero)))
    );
    const table = ROW_MASKS + (row << 11);
    mask |= load<u64>(table + ((bits & 255) << 3)) | load<u64>(table + ((bits >> 8) << 3), 2048);
  }
  store<u64>(block, mask, BLOCK_MASK);
}

function quantiseRow(at: usize, row: usize): v128 {
  const value = v128.load(at);
  const sign = i16x8.shr_s(value, 15);
  const half = i16x8.sub(v128.xor(v128.load(HALVES + (row << 4)), sign), sign);
  const rounded = i16x8.add(value, half);
  // |rounded| < 2^14 and the reciprocal errs upwards by less than 2^-22: truncation gives the exact quotient.
  const reciprocals = RECIPROCALS + (row << 5);
  const lower = f32x4.mul(
    f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(rounded)),
    v128.load(reciprocals),
  );
  const upper = f32x4.mul(
    f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(rounded)),
    v128.load(reciprocals, 16),
  );
  return i16x8.narrow_i32x4_s(i32x4.trunc_sat_f32x4_s(lower), i32x4.trunc_sat_f32x4_s(upper));
}

/**
 * Transforms one row of blocks.
 *
 * @param source eight rows of RGBA pixels, `stride` bytes apart, `blocks` × 8 pixels wide
 * @param opaque alpha is 255 whatever the pixels hold
 * @param target takes blocks × 4 coded blocks (blue, green, red, alpha)
 */
export function jpegTransform(
  source: usize,
  stride: usize,
  blocks: usize,
  opaque: bool,
  target: usize,
): void {
  for (let index: usize = 0; index < blocks; index++) {
    splitHalf(source, stride, PLANES);
    splitHalf(source + 16, stride, PLANES + 64);
    if (opaque) {
      const full = i16x8.splat(127);
      for (let column: usize = 0; column < 128; column += 16) {
        v128.store(PLANES + 384 + column, full);
      }
    }
    for (let component: usize = 0; component < COMPONENTS; component++) {
      const plane = PLANES + (component << 7);
      // Columns hold the rows' samples lane by lane: the first pass transforms the rows.
      pass(plane, true);
      transpose(plane);
      pass(plane, false);
      quantise(plane, target);
      target += BLOCK_BYTES;
    }
    source += 32;
  }
}

/**
 * Repeats the last pixel of each row up to the block edge, and the last row down to it.
 *
 * @param rows rows present, 1 to 8
 * @param width pixels present in each row
 * @param padded pixels of a whole row, a multiple of 8; rows lie padded × 4 bytes apart
 */
export function jpegPad(source: usize, rows: usize, width: usize, padded: usize): void {
  const stride = padded << 2;
  for (let row: usize = 0; row < rows; row++) {
    const line = source + row * stride;
    const last = load<u32>(line + ((width - 1) << 2));
    for (let x = width; x < padded; x++) store<u32>(line + (x << 2), last);
  }
  for (let row = rows; row < 8; row++) {
    memory.copy(source + row * stride, source + (rows - 1) * stride, stride);
  }
}
