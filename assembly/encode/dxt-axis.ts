// The line through a block's colours: its principal axis, and where each texel falls on it.
import { BLUE_ONE, CENTERED, FITTED, RED_GREEN } from './dxt-block';

/** Position of each texel along the last axis, i32 per texel. */
export const POSITIONS: usize = memory.data(64, 16);

/** Matrix product of row `row` with the symmetric matrix of rows `m0`, `m1`, `m2`. */
function timesMatrix(row: v128, m0: v128, m1: v128, m2: v128): v128 {
  return f32x4.add(
    f32x4.add(
      f32x4.mul(i32x4.shuffle(row, row, 0, 0, 0, 0), m0),
      f32x4.mul(i32x4.shuffle(row, row, 1, 1, 1, 1), m1),
    ),
    f32x4.mul(i32x4.shuffle(row, row, 2, 2, 2, 2), m2),
  );
}

/**
 * The direction of largest variance of the centred texels, as (x, y, z, 0); its length is arbitrary.
 * The texels must not all be equal.
 */
export function principalAxis(): v128 {
  let m0 = f32x4.splat(0);
  let m1 = m0;
  let m2 = m0;
  for (let i: usize = 0; i < 256; i += 16) {
    const texel = v128.load(i, CENTERED);
    m0 = f32x4.add(m0, f32x4.mul(i32x4.shuffle(texel, texel, 0, 0, 0, 0), texel));
    m1 = f32x4.add(m1, f32x4.mul(i32x4.shuffle(texel, texel, 1, 1, 1, 1), texel));
    m2 = f32x4.add(m2, f32x4.mul(i32x4.shuffle(texel, texel, 2, 2, 2, 2), texel));
  }
  // With trace 1 the largest eigenvalue is at least 1/3: its 16th power stays far above underflow.
  const scale = f32x4.splat(
    1 / (f32x4.extract_lane(m0, 0) + f32x4.extract_lane(m1, 1) + f32x4.extract_lane(m2, 2)),
  );
  m0 = f32x4.mul(m0, scale);
  m1 = f32x4.mul(m1, scale);
  m2 = f32x4.mul(m2, scale);
  // Four squarings are sixteen steps of power iteration on all three unit vectors at once.
  for (let i = 0; i < 4; i++) {
    const r0 = timesMatrix(m0, m0, m1, m2);
    const r1 = timesMatrix(m1, m0, m1, m2);
    m2 = timesMatrix(m2, m0, m1, m2);
    m0 = r0;
    m1 = r1;
  }
  const d0 = f32x4.extract_lane(m0, 0);
  const d1 = f32x4.extract_lane(m1, 1);
  const d2 = f32x4.extract_lane(m2, 2);
  if (d0 >= d1 && d0 >= d2) return m0;
  return d1 >= d2 ? m1 : m2;
}

/** Puts every texel on `axis`, scaled to 14 bits a component, into {@link POSITIONS}. */
export function project(axis: v128): v128 {
  const size = f32x4.abs(axis);
  const largest = max(
    max(f32x4.extract_lane(size, 0), f32x4.extract_lane(size, 1)),
    f32x4.extract_lane(size, 2),
  );
  const scaled = f32x4.mul(axis, f32x4.splat(8191 / largest));
  const lanes = i32x4.trunc_sat_f32x4_s(f32x4.nearest(scaled));
  const pairs = i16x8.narrow_i32x4_s(lanes, lanes);
  const redGreen = i32x4.shuffle(pairs, pairs, 0, 0, 0, 0);
  const blue = i32x4.shuffle(pairs, pairs, 1, 1, 1, 1);
  for (let row: usize = 0; row < 64; row += 16) {
    v128.store(
      POSITIONS + row,
      i32x4.add(
        i32x4.dot_i16x8_s(v128.load(row, RED_GREEN), redGreen),
        i32x4.dot_i16x8_s(v128.load(row, BLUE_ONE), blue),
      ),
    );
  }
  return f32x4.convert_i32x4_s(lanes);
}

/** Smallest of four signed lanes. */
function leastLane(lanes: v128): i32 {
  const two = i32x4.min_s(lanes, i32x4.shuffle(lanes, lanes, 2, 3, 0, 1));
  return i32x4.extract_lane(i32x4.min_s(two, i32x4.shuffle(two, two, 1, 0, 3, 2)), 0);
}

/** The fitted texels' smallest position. */
export function leastPosition(): i32 {
  let least = i32x4.splat(i32.MAX_VALUE);
  for (let row: usize = 0; row < 64; row += 16) {
    const fitted = v128.load(row, FITTED);
    const positions = v128.bitselect(v128.load(row, POSITIONS), i32x4.splat(i32.MAX_VALUE), fitted);
    least = i32x4.min_s(least, positions);
  }
  return leastLane(least);
}

/** The fitted texels' largest position. */
export function greatestPosition(): i32 {
  let least = i32x4.splat(i32.MAX_VALUE);
  for (let row: usize = 0; row < 64; row += 16) {
    const fitted = v128.load(row, FITTED);
    const positions = v128.bitselect(
      i32x4.neg(v128.load(row, POSITIONS)),
      i32x4.splat(i32.MAX_VALUE),
      fitted,
    );
    least = i32x4.min_s(least, positions);
  }
  return -leastLane(least);
}
