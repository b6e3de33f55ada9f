// Endpoints on the 565 grid: the palette they give, every texel's nearest entry, the best endpoints for given indices.
import { BLUE_ONE, FITTED, fittedTexels, RED_GREEN } from './dxt-block';

/** Highest grid step per channel. */
const STEPS: usize = memory.data<i32>([31, 63, 31, 0], 16);

/** Per texel, 4 × squared distance + index of the nearest palette entry; i32, left by {@link assignIndices}. */
export const ASSIGNED: usize = memory.data(64, 16);

/** The refined pair, left by {@link refineEndpoints}. */
let refinedStart: v128 = i32x4.splat(0);
let refinedEnd: v128 = i32x4.splat(0);

export function refinedStartPoint(): v128 {
  return refinedStart;
}
export function refinedEndPoint(): v128 {
  return refinedEnd;
}

/** Grid steps → 8-bit channels by bit replication: ⌊33v/4⌋ for 5 bits, ⌊65v/16⌋ for 6. */
export function expand(steps: v128): v128 {
  return i32x4.shr_u(i32x4.mul(steps, i32x4(132, 65, 132, 0)), 4);
}

/** 8-bit channels as f32x4 → nearest grid steps, clamped to the grid. */
export function toGrid(color: v128): v128 {
  const scale = f32x4(31.0 / 255.0, 63.0 / 255.0, 31.0 / 255.0, 0);
  const steps = i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(color, scale)));
  return clampToGrid(steps);
}

export function clampToGrid(steps: v128): v128 {
  return i32x4.min_s(i32x4.max_s(steps, i32x4.splat(0)), v128.load(STEPS));
}

/** The colour one third of the way from `a` to `b`, as decoders compute it: ⌊(2a + b) / 3⌋, exact up to 765. */
function third(a: v128, b: v128): v128 {
  const sum = i32x4.add(i32x4.add(a, a), b);
  return i32x4.shr_u(i32x4.mul(sum, i32x4.splat(43691)), 17);
}

/** A colour (r, g, b, 0) in the layout of the texels: (2r, 2g, 2b, 1) as i16, twice. */
function paletteLanes(color: v128): v128 {
  const lanes = i16x8.shl(i16x8.narrow_i32x4_s(color, color), 1);
  return v128.or(lanes, i16x8(0, 0, 0, 1, 0, 0, 0, 1));
}

/**
 * Gives every texel the nearest entry of the palette between two endpoints (lowest index where equal).
 * With `three` the palette has three entries: index 3, which decoders make black, is never chosen.
 *
 * @returns the sum of squared differences over the fitted texels.
 */
export function assignIndices(start: v128, end: v128, three: bool): i32 {
  const c0 = expand(start);
  const c1 = expand(end);
  let c2: v128;
  let c3: v128;
  if (three) {
    c2 = i32x4.shr_u(i32x4.add(c0, c1), 1);
    c3 = c2;
  } else {
    c2 = third(c0, c1);
    c3 = third(c1, c0);
  }
  const p0 = paletteLanes(c0);
  const p1 = paletteLanes(c1);
  const p2 = paletteLanes(c2);
  const p3 = paletteLanes(c3);
  const rg0 = i32x4.shuffle(p0, p0, 0, 0, 0, 0);
  const rg1 = i32x4.shuffle(p1, p1, 0, 0, 0, 0);
  const rg2 = i32x4.shuffle(p2, p2, 0, 0, 0, 0);
  const rg3 = i32x4.shuffle(p3, p3, 0, 0, 0, 0);
  const b0 = i32x4.shuffle(p0, p0, 1, 1, 1, 1);
  const b1 = i32x4.shuffle(p1, p1, 1, 1, 1, 1);
  const b2 = i32x4.shuffle(p2, p2, 1, 1, 1, 1);
  const b3 = i32x4.shuffle(p3, p3, 1, 1, 1, 1);
  const one = i32x4.splat(1);
  const two = i32x4.splat(2);
  const distanceBits = i32x4.splat(~3);
  let total = i32x4.splat(0);
  for (let row: usize = 0; row < 64; row += 16) {
    const rg = v128.load(row, RED_GREEN);
    const b = v128.load(row, BLUE_ONE);
    const d0 = squaredDistance(i16x8.sub(rg, rg0), i16x8.sub(b, b0));
    const d1 = v128.or(squaredDistance(i16x8.sub(rg, rg1), i16x8.sub(b, b1)), one);
    const d2 = v128.or(squaredDistance(i16x8.sub(rg, rg2), i16x8.sub(b, b2)), two);
    const d3 = v128.or(squaredDistance(i16x8.sub(rg, rg3), i16x8.sub(b, b3)), v128.or(one, two));
    const nearest = i32x4.min_s(i32x4.min_s(d0, d1), i32x4.min_s(d2, d3));
    v128.store(row, nearest, ASSIGNED);
    const counted = v128.and(v128.load(row, FITTED), distanceBits);
    total = i32x4.add(total, v128.and(nearest, counted));
  }
  total = i32x4.add(total, i32x4.shuffle(total, total, 2, 3, 0, 1));
  return (i32x4.extract_lane(total, 0) + i32x4.extract_lane(total, 1)) >> 2;
}

function squaredDistance(redGreen: v128, blue: v128): v128 {
  return i32x4.add(i32x4.dot_i16x8_s(redGreen, redGreen), i32x4.dot_i16x8_s(blue, blue));
}

/** Sum of (2R, 2G, 2B, 1) over the fitted texels with one index. */
function sumOfIndex(index: i32): v128 {
  const wanted = i32x4.splat(index);
  const indexBits = i32x4.splat(3);
  let rg = i32x4.splat(0);
  let b = rg;
  for (let row: usize = 0; row < 64; row += 16) {
    const indices = v128.and(v128.load(row, ASSIGNED), indexBits);
    const chosen = v128.and(i32x4.eq(indices, wanted), v128.load(row, FITTED));
    rg = i16x8.add(rg, v128.and(v128.load(row, RED_GREEN), chosen));
    b = i16x8.add(b, v128.and(v128.load(row, BLUE_ONE), chosen));
  }
  const halves = i16x8.add(i32x4.shuffle(rg, b, 0, 4, 1, 5), i32x4.shuffle(rg, b, 2, 6, 3, 7));
  return i32x4.extend_low_i16x8_s(i16x8.add(halves, i32x4.shuffle(halves, halves, 2, 3, 0, 1)));
}

/** What `count` texels of doubled sum `sum` cost at value `value`, less a constant: value · (count · value − sum). */
function cost(value: v128, count: v128, sum: v128): v128 {
  return i32x4.mul(value, i32x4.sub(i32x4.mul(count, value), sum));
}

/**
 * The endpoints that serve the indices of the last {@link assignIndices} best. For given indices the
 * channels are independent, so each takes the least-squares pair and searches the grid `radius` steps
 * around it in the decoder's own arithmetic.
 *
 * @returns false where all texels share one index, which determines no pair.
 */
export function refineEndpoints(three: bool, radius: i32): bool {
  const s0 = sumOfIndex(0);
  const s1 = sumOfIndex(1);
  const s2 = sumOfIndex(2);
  const s3 = three ? i32x4.splat(0) : sumOfIndex(3);
  const n0 = i32x4.extract_lane(s0, 3);
  const n1 = i32x4.extract_lane(s1, 3);
  const n2 = i32x4.extract_lane(s2, 3);
  const n3 = i32x4.extract_lane(s3, 3);
  const count = fittedTexels();
  if (n0 == count || n1 == count || n2 == count || n3 == count) return false;

  // Regression of the colours on the texels' place along the line, counted in palette steps from the end point.
  const steps: f32 = three ? 2 : 3;
  const sum = i32x4.add(i32x4.add(s0, s1), i32x4.add(s2, s3));
  let moment: v128;
  let placeSum: i32;
  let placeSquares: i32;
  if (three) {
    moment = i32x4.add(i32x4.add(s0, s0), s2);
    placeSum = 2 * n0 + n2;
    placeSquares = 4 * n0 + n2;
  } else {
    moment = i32x4.add(i32x4.mul(s0, i32x4.splat(3)), i32x4.add(i32x4.add(s2, s2), s3));
    placeSum = 3 * n0 + 2 * n2 + n3;
    placeSquares = 9 * n0 + 4 * n2 + n3;
  }
  const slope = f32x4.mul(
    f32x4.convert_i32x4_s(
      i32x4.sub(i32x4.mul(moment, i32x4.splat(count)), i32x4.mul(sum, i32x4.splat(placeSum))),
    ),
    f32x4.splat(<f32>0.5 / <f32>(count * placeSquares - placeSum * placeSum)),
  );
  const average = f32x4.mul(f32x4.convert_i32x4_s(sum), f32x4.splat(<f32>0.5 / <f32>count));
  const last = f32x4.sub(average, f32x4.mul(slope, f32x4.splat(<f32>placeSum / <f32>count)));
  const start = toGrid(f32x4.add(last, f32x4.mul(slope, f32x4.splat(steps))));
  const end = toGrid(last);

  const v0 = i32x4.splat(n0);
  const v1 = i32x4.splat(n1);
  const v2 = i32x4.splat(n2);
  const v3 = i32x4.splat(n3);
  let least = i32x4.splat(i32.MAX_VALUE);
  let bestStart = start;
  let bestEnd = end;
  for (let i = -radius; i <= radius; i++) {
    const a = clampToGrid(i32x4.add(start, i32x4.splat(i)));
    const c0 = expand(a);
    const cost0 = cost(c0, v0, s0);
    for (let j = -radius; j <= radius; j++) {
      const b = clampToGrid(i32x4.add(end, i32x4.splat(j)));
      const c1 = expand(b);
      let total = i32x4.add(cost0, cost(c1, v1, s1));
      if (three) {
        total = i32x4.add(total, cost(i32x4.shr_u(i32x4.add(c0, c1), 1), v2, s2));
      } else {
        total = i32x4.add(total, cost(third(c0, c1), v2, s2));
        total = i32x4.add(total, cost(third(c1, c0), v3, s3));
      }
      const better = i32x4.lt_s(total, least);
      least = i32x4.min_s(least, total);
      bestStart = v128.bitselect(a, bestStart, better);
      bestEnd = v128.bitselect(b, bestEnd, better);
    }
  }
  refinedStart = bestStart;
  refinedEnd = bestEnd;
  return true;
}
