// One 4 × 4 block in the layouts that the fit works on: packed bytes, paired 16-bit lanes, centred floats.

/** The block's texels as R, G, B, A bytes, 4 rows of 16 bytes; invisible ones repeat the nearest visible one. */
export const TEXELS: usize = memory.data(64, 16);
/** All ones per texel inside the picture, else 0; i32 per texel. */
export const VISIBLE: usize = memory.data(64, 16);
/** All ones per texel that takes part in the colour fit, else 0; i32 per texel. */
export const FITTED: usize = memory.data(64, 16);
/** (2R, 2G) per texel as i16 pairs. Doubled so that squared distances leave two low bits free for an index. */
export const RED_GREEN: usize = memory.data(64, 16);
/** (2B, 1) per texel as i16 pairs; the 1 counts texels in sums and cancels in differences. */
export const BLUE_ONE: usize = memory.data(64, 16);
/** R, G, B minus the mean of the fitted texels, 0 as f32x4 per texel; 0 for texels that are not fitted. */
export const CENTERED: usize = memory.data(256, 16);

/** Mean colour of the fitted texels (R, G, B, 1). */
let mean: v128 = f32x4.splat(0);
/** Number of fitted texels. */
let fittedCount: i32 = 0;
/** Smallest and largest R, G, B of the fitted texels, as bytes in the low 32 bits; the fourth is meaningless. */
let lowest: u32 = 0;
let highest: u32 = 0;

export function fittedMean(): v128 {
  return mean;
}
export function fittedTexels(): i32 {
  return fittedCount;
}

/** Whether all fitted texels have one colour. */
export function isSingleColor(): bool {
  return ((lowest ^ highest) & 0xffffff) == 0;
}

/** The first fitted colour's bytes R, G, B where {@link isSingleColor}. */
export function singleColor(): u32 {
  return lowest & 0xffffff;
}

/** Copies a block that lies wholly inside the picture. */
export function loadWholeBlock(source: usize, stride: usize): void {
  const ones = i32x4.splat(-1);
  v128.store(TEXELS, v128.load(source));
  v128.store(TEXELS, v128.load(source + stride), 16);
  v128.store(TEXELS, v128.load(source + 2 * stride), 32);
  v128.store(TEXELS, v128.load(source + 3 * stride), 48);
  v128.store(VISIBLE, ones);
  v128.store(VISIBLE, ones, 16);
  v128.store(VISIBLE, ones, 32);
  v128.store(VISIBLE, ones, 48);
}

/** Copies the visible part of a block, `columns` × `rows` texels, and repeats its edge. */
export function loadPartialBlock(source: usize, stride: usize, columns: i32, rows: i32): void {
  for (let y = 0; y < 4; y++) {
    const row = source + <usize>min(y, rows - 1) * stride;
    for (let x = 0; x < 4; x++) {
      const at = <usize>((y << 4) + (x << 2));
      store<u32>(TEXELS + at, load<u32>(row + ((<usize>min(x, columns - 1)) << 2)));
      store<i32>(VISIBLE + at, y < rows && x < columns ? -1 : 0);
    }
  }
}

/**
 * Chooses the texels that the colour fit serves: the visible ones whose alpha is at least `threshold`.
 *
 * @returns their number; 0 leaves the block unprepared.
 */
export function selectFitted(threshold: i32): i32 {
  const limit = i32x4.splat(threshold);
  let sum = i32x4.splat(0);
  for (let row: usize = 0; row < 64; row += 16) {
    const alpha = i32x4.shr_u(v128.load(TEXELS + row), 24);
    const fitted = v128.and(i32x4.ge_s(alpha, limit), v128.load(VISIBLE + row));
    v128.store(FITTED + row, fitted);
    sum = i32x4.sub(sum, fitted);
  }
  fittedCount =
    i32x4.extract_lane(sum, 0) +
    i32x4.extract_lane(sum, 1) +
    i32x4.extract_lane(sum, 2) +
    i32x4.extract_lane(sum, 3);
  return fittedCount;
}

/** Lays the texels out for the fit; {@link selectFitted} has chosen at least one. */
export function prepareFit(): void {
  const lowHalf = i32x4.splat(0xffff);
  const one = i32x4.splat(0x10000);
  let least = i32x4.splat(-1);
  let most = i32x4.splat(0);
  for (let row: usize = 0; row < 64; row += 16) {
    const texels = v128.load(TEXELS + row);
    const left = i16x8.shl(i16x8.extend_low_i8x16_u(texels), 1);
    const right = i16x8.shl(i16x8.extend_high_i8x16_u(texels), 1);
    v128.store(RED_GREEN + row, i32x4.shuffle(left, right, 0, 2, 4, 6));
    const blue = v128.and(i32x4.shuffle(left, right, 1, 3, 5, 7), lowHalf);
    v128.store(BLUE_ONE + row, v128.or(blue, one));
    const fitted = v128.load(FITTED + row);
    least = i8x16.min_u(least, v128.or(texels, v128.not(fitted)));
    most = i8x16.max_u(most, v128.and(texels, fitted));
  }
  least = i8x16.min_u(least, i32x4.shuffle(least, least, 2, 3, 0, 1));
  most = i8x16.max_u(most, i32x4.shuffle(most, most, 2, 3, 0, 1));
  lowest = i32x4.extract_lane(i8x16.min_u(least, i32x4.shuffle(least, least, 1, 0, 3, 2)), 0);
  highest = i32x4.extract_lane(i8x16.max_u(most, i32x4.shuffle(most, most, 1, 0, 3, 2)), 0);
}

/** Subtracts the mean colour; needs {@link prepareFit}. */
export function centerTexels(): void {
  const colorLanes = i32x4(-1, -1, -1, 0);
  let sum = f32x4.splat(0);
  for (let i: usize = 0; i < 16; i++) {
    const bytes = v128.load32_zero(TEXELS + (i << 2));
    const texel = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(bytes));
    const fitted = v128.and(v128.load32_splat(FITTED + (i << 2)), colorLanes);
    const color = v128.and(f32x4.convert_i32x4_s(texel), fitted);
    v128.store(CENTERED + (i << 4), color);
    sum = f32x4.add(sum, color);
  }
  mean = f32x4.mul(sum, f32x4.splat(1 / <f32>fittedCount));
  for (let i: usize = 0; i < 16; i++) {
    const at = CENTERED + (i << 4);
    const fitted = v128.load32_splat(FITTED + (i << 2));
    v128.store(at, v128.and(f32x4.sub(v128.load(at), mean), fitted));
  }
}
