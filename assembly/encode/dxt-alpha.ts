// The alpha half of DXT3 and DXT5 blocks.
import { interpolate } from '../interpolate';
import { TEXELS, VISIBLE } from './dxt-block';
import { BEST, FAST } from './dxt-preset';

/** The block's alpha as 16 bytes. */
let alphas: v128 = i32x4.splat(0);
/** All ones per visible texel, bytes. */
let visible: v128 = i32x4.splat(0);

/** Index of the nearest entry per texel, bytes, left by {@link assignAlpha}. */
let assigned: v128 = i32x4.splat(0);

function loadAlpha(): void {
  alphas = i8x16.narrow_i16x8_u(
    i16x8.narrow_i32x4_s(
      i32x4.shr_u(v128.load(TEXELS), 24),
      i32x4.shr_u(v128.load(TEXELS, 16), 24),
    ),
    i16x8.narrow_i32x4_s(
      i32x4.shr_u(v128.load(TEXELS, 32), 24),
      i32x4.shr_u(v128.load(TEXELS, 48), 24),
    ),
  );
  visible = i8x16.narrow_i16x8_s(
    i16x8.narrow_i32x4_s(v128.load(VISIBLE), v128.load(VISIBLE, 16)),
    i16x8.narrow_i32x4_s(v128.load(VISIBLE, 32), v128.load(VISIBLE, 48)),
  );
}

/** Writes 16 alphas of 4 bits, each the nearest multiple of 17. */
export function writeAlpha4(target: usize): void {
  for (let i: usize = 0; i < 8; i++) {
    const low = (<i32>load<u8>(TEXELS + (i << 3), 3) + 8) / 17;
    const high = (<i32>load<u8>(TEXELS + (i << 3), 7) + 8) / 17;
    store<u8>(target + i, low | (high << 4));
  }
}

/**
 * Gives every texel the nearest alpha (lowest index where equal).
 *
 * @returns the sum of squared differences over the visible texels.
 */
function assignAlpha(a0: i32, a1: i32): i32 {
  const palette = interpolate(i32x4.splat(a0 | (a1 << 16)), a0 > a1);
  const one = i8x16.splat(1);
  let index = i32x4.splat(0);
  let nearest = i32x4.splat(-1);
  let indices = index;
  for (let i = 0; i < 8; i++) {
    const entry = i8x16.swizzle(palette, index);
    const distance = i8x16.sub(i8x16.max_u(alphas, entry), i8x16.min_u(alphas, entry));
    const better = i8x16.lt_u(distance, nearest);
    nearest = i8x16.min_u(nearest, distance);
    indices = v128.bitselect(index, indices, better);
    index = i8x16.add(index, one);
  }
  assigned = indices;
  const counted = v128.and(nearest, visible);
  const squares = i32x4.add(
    i32x4.extadd_pairwise_i16x8_u(i16x8.extmul_low_i8x16_u(counted, counted)),
    i32x4.extadd_pairwise_i16x8_u(i16x8.extmul_high_i8x16_u(counted, counted)),
  );
  const halves = i32x4.add(squares, i32x4.shuffle(squares, squares, 2, 3, 0, 1));
  return i32x4.extract_lane(halves, 0) + i32x4.extract_lane(halves, 1);
}

let bestError: i32 = 0;
let best0: i32 = 0;
let best1: i32 = 0;
let bestAssigned: v128 = i32x4.splat(0);

function tryAlpha(a0: i32, a1: i32): void {
  const error = assignAlpha(a0, a1);
  if (error >= bestError) return;
  bestError = error;
  best0 = a0;
  best1 = a1;
  bestAssigned = assigned;
}

/** Tries ends `low` < `high` in the order that means eight values or six. */
function tryEnds(low: i32, high: i32, eight: bool): void {
  if (low < 0 || high > 255 || high < low || (eight && high == low)) return;
  if (eight) tryAlpha(high, low);
  else tryAlpha(low, high);
}

/** Moves both ends by up to `reach`, then goes on from the best, until nothing improves. */
function searchAround(low: i32, high: i32, eight: bool, reach: i32): void {
  let from = low;
  let to = high;
  for (let round = 0; round < 8 && bestError > 0; round++) {
    const before = bestError;
    for (let i = -reach; i <= reach; i++) {
      for (let j = -reach; j <= reach; j++) tryEnds(from + i, to + j, eight);
    }
    if (bestError == before || best0 > best1 != eight) return;
    from = min(best0, best1);
    to = max(best0, best1);
  }
}

/** Moves either end inwards by up to a third of the range, in at most eight steps: a few texels may lie far out. */
function searchInsets(low: i32, high: i32, eight: bool): void {
  const step = max(1, (high - low) / 24);
  for (let i = 0; i <= 8 && bestError > 0; i++) {
    for (let j = 0; j <= 8; j++) tryEnds(low + i * step, high - j * step, eight);
  }
}

/** Smallest byte of 16. */
function leastByte(bytes: v128): i32 {
  let least = i8x16.min_u(bytes, i32x4.shuffle(bytes, bytes, 2, 3, 0, 1));
  least = i8x16.min_u(least, i32x4.shuffle(least, least, 1, 0, 3, 2));
  least = i8x16.min_u(least, i16x8.shuffle(least, least, 1, 0, 3, 2, 5, 4, 7, 6));
  const pair = i32x4.extract_lane(least, 0);
  return min(pair & 255, (pair >> 8) & 255);
}

/** Writes two alphas and 16 indices of 3 bits. */
export function writeAlpha8(target: usize, preset: i32): void {
  loadAlpha();
  const low = leastByte(alphas);
  const high = 255 - leastByte(v128.not(alphas));
  bestError = i32.MAX_VALUE;
  if (low == high) {
    tryAlpha(low, low);
  } else {
    tryAlpha(high, low);
    // Six values serve alphas that also touch 0 or 255: the ends of the rest.
    const zero = i8x16.splat(0);
    const full = i8x16.splat(-1);
    const extreme = v128.or(i8x16.eq(alphas, zero), i8x16.eq(alphas, full));
    const innerLow = leastByte(v128.or(alphas, extreme));
    const innerHigh = 255 - leastByte(v128.or(v128.not(alphas), extreme));
    const six = innerLow <= innerHigh;
    tryAlpha(six ? innerLow : low, six ? innerHigh : low);
    if (preset != FAST) {
      searchAround(low, high, true, 1);
      if (six) searchAround(innerLow, innerHigh, false, 1);
    }
    if (preset == BEST) {
      searchInsets(low, high, true);
      if (six) searchInsets(innerLow, innerHigh, false);
      searchAround(min(best0, best1), max(best0, best1), best0 > best1, 2);
    }
  }
  let bits: u64 = 0;
  // The index of texel i lies at bit 3i.
  const low8 = i64x2.extract_lane(bestAssigned, 0);
  const high8 = i64x2.extract_lane(bestAssigned, 1);
  for (let i: u64 = 0; i < 8; i++) {
    bits |= ((low8 >> (i << 3)) & 7) << (3 * i);
    bits |= ((high8 >> (i << 3)) & 7) << (3 * i + 24);
  }
  store<u64>(target, <u64>best0 | ((<u64>best1) << 8) | (bits << 16));
}
