// Cluster fit: of all ways to cut the texels, sorted along a line, into palette entries, the one with least error.

import { POSITIONS } from './dxt-axis';
import { CENTERED, FITTED, fittedMean, fittedTexels } from './dxt-block';

// With P[k] the sum of the first k sorted, centred colours and entries at equal steps along the line, the
// least-squares error of a cut (a, b, c) falls short of the texels' variance by |P[a] + P[b] + P[c]|² · K,
// where K depends on a, b, c and the number of texels alone. K is tabulated in the order of the search.
// Gains are never negative, so that their bits compare as integers do, which is faster.

/** Sums of the first 0…16 sorted centred colours: per channel, contiguous f32, padded for reads of four. */
const SUM_X: usize = memory.data(80, 16);
const SUM_Y: usize = memory.data(80, 16);
const SUM_Z: usize = memory.data(80, 16);
/** The same sums as f32x4 (x, y, z, 0). */
const SUMS: usize = memory.data(272, 16);
/** Sort keys, i32 per texel: position · 16 + texel. */
const KEYS: usize = memory.data(64, 16);
/** Place of each texel in the sorted order, i32. */
const RANKS: usize = memory.data(64, 16);
/** Of the last search: the greatest gain per lane, and the cut of lane 0 beside it: a << 16 | b << 8 | c. */
const GAINS: usize = memory.data(16, 16);
const CUTS: usize = memory.data(16, 16);

/** Vectors of four K that one search over n texels reads, for n = 1…16: four-colour, then three-colour. */
const FOUR_TABLE: usize = memory.data(25984, 16);
const THREE_TABLE: usize = memory.data(4864, 16);
/** First address of each n's part of the tables. */
const FOUR_STARTS: usize = memory.data(68, 16);
const THREE_STARTS: usize = memory.data(68, 16);

/** K for places with sum `sum` and sum of squares `squares`; 0 where all texels share one place. */
function gainFactor(count: i32, sum: i32, squares: i32): f32 {
  const spread = count * squares - sum * sum;
  return spread > 0 ? <f32>count / <f32>spread : 0;
}

/** Fills the tables; once per instance. */
export function buildClusterTables(): void {
  let four = FOUR_TABLE;
  let three = THREE_TABLE;
  for (let n = 1; n <= 16; n++) {
    store<usize>(FOUR_STARTS + (n << 2), four);
    for (let b = 0; b <= n; b++) {
      for (let first = b; first <= n; first += 4) {
        for (let a = 0; a <= b; a++) {
          for (let c = first; c < first + 4; c++) {
            store<f32>(four, c > n ? 0 : gainFactor(n, a + b + c, 5 * a + 3 * b + c));
            four += 4;
          }
        }
      }
    }
    store<usize>(THREE_STARTS + (n << 2), three);
    for (let a = 0; a <= n; a++) {
      for (let first = a; first <= n; first += 4) {
        for (let b = first; b < first + 4; b++) {
          store<f32>(three, b > n ? 0 : gainFactor(n, a + b, 3 * a + b));
          three += 4;
        }
      }
    }
  }
}

/** Sorts the fitted texels by their position and sums their colours. */
export function sortTexels(): void {
  let number = i32x4(0, 1, 2, 3);
  const last = i32x4.splat(i32.MAX_VALUE);
  for (let row: usize = 0; row < 64; row += 16) {
    const keys = i32x4.add(i32x4.shl(v128.load(row, POSITIONS), 4), number);
    // Texels that are not fitted come last: their sums are never read, being those of more than n texels.
    const ordered = v128.bitselect(keys, v128.or(last, number), v128.load(row, FITTED));
    v128.store(row, ordered, KEYS);
    number = i32x4.add(number, i32x4.splat(4));
  }
  // A texel's rank is the number of smaller keys.
  const k0 = v128.load(KEYS);
  const k1 = v128.load(KEYS, 16);
  const k2 = v128.load(KEYS, 32);
  const k3 = v128.load(KEYS, 48);
  let r0 = i32x4.splat(0);
  let r1 = r0;
  let r2 = r0;
  let r3 = r0;
  for (let i: usize = 0; i < 64; i += 4) {
    const key = v128.load32_splat(i, KEYS);
    r0 = i32x4.sub(r0, i32x4.gt_s(k0, key));
    r1 = i32x4.sub(r1, i32x4.gt_s(k1, key));
    r2 = i32x4.sub(r2, i32x4.gt_s(k2, key));
    r3 = i32x4.sub(r3, i32x4.gt_s(k3, key));
  }
  v128.store(RANKS, r0);
  v128.store(RANKS, r1, 16);
  v128.store(RANKS, r2, 32);
  v128.store(RANKS, r3, 48);
}

/** Sums of the sorted colours; needs {@link sortTexels}. */
export function sumTexels(): void {
  // The order itself: sorted[rank] = texel's colour, put where the sums go and then summed in place.
  for (let i: usize = 0; i < 16; i++) {
    const rank = <usize>load<i32>(RANKS + (i << 2));
    v128.store(SUMS + 16 + (rank << 4), v128.load(CENTERED + (i << 4)));
  }
  let sum = f32x4.splat(0);
  const count = <usize>fittedTexels();
  for (let i: usize = 0; i <= count; i++) {
    if (i > 0) sum = f32x4.add(sum, v128.load(SUMS + (i << 4)));
    v128.store(SUMS + (i << 4), sum);
    store<f32>(SUM_X + (i << 2), f32x4.extract_lane(sum, 0));
    store<f32>(SUM_Y + (i << 2), f32x4.extract_lane(sum, 1));
    store<f32>(SUM_Z + (i << 2), f32x4.extract_lane(sum, 2));
  }
}

/** Searches all cuts into four entries; the best of every lane stays for {@link bestLane} and {@link laneCut}. */
export function searchFour(): void {
  const count = <usize>fittedTexels();
  let factors = load<usize>(FOUR_STARTS + (count << 2));
  let best = i32x4.splat(-1);
  let bestCut = i32x4.splat(0);
  const nextA = i32x4.splat(1 << 16);
  for (let b: usize = 0; b <= count; b++) {
    const bx = v128.load32_splat(SUM_X + (b << 2));
    const by = v128.load32_splat(SUM_Y + (b << 2));
    const bz = v128.load32_splat(SUM_Z + (b << 2));
    for (let c = b; c <= count; c += 4) {
      const x = f32x4.add(bx, v128.load(SUM_X + (c << 2)));
      const y = f32x4.add(by, v128.load(SUM_Y + (c << 2)));
      const z = f32x4.add(bz, v128.load(SUM_Z + (c << 2)));
      let cut = i32x4.splat(<i32>((b << 8) | c));
      const end = b << 2;
      for (let a: usize = 0; a <= end; a += 4) {
        const ax = f32x4.add(x, v128.load32_splat(a, SUM_X));
        const ay = f32x4.add(y, v128.load32_splat(a, SUM_Y));
        const az = f32x4.add(z, v128.load32_splat(a, SUM_Z));
        const square = f32x4.add(
          f32x4.add(f32x4.mul(ax, ax), f32x4.mul(ay, ay)),
          f32x4.mul(az, az),
        );
        const gain = f32x4.mul(square, v128.load(factors));
        const better = i32x4.gt_s(gain, best);
        best = i32x4.max_s(gain, best);
        bestCut = v128.bitselect(cut, bestCut, better);
        cut = i32x4.add(cut, nextA);
        factors += 16;
      }
    }
  }
  v128.store(GAINS, best);
  v128.store(CUTS, bestCut);
}

/** As {@link searchFour}, for three entries: cuts (a, c), with b = 0. */
export function searchThree(): void {
  const count = <usize>fittedTexels();
  let factors = load<usize>(THREE_STARTS + (count << 2));
  let best = i32x4.splat(-1);
  let bestCut = i32x4.splat(0);
  for (let a: usize = 0; a <= count; a++) {
    const ax = v128.load32_splat(SUM_X + (a << 2));
    const ay = v128.load32_splat(SUM_Y + (a << 2));
    const az = v128.load32_splat(SUM_Z + (a << 2));
    for (let c = a; c <= count; c += 4) {
      const x = f32x4.add(ax, v128.load(SUM_X + (c << 2)));
      const y = f32x4.add(ay, v128.load(SUM_Y + (c << 2)));
      const z = f32x4.add(az, v128.load(SUM_Z + (c << 2)));
      const square = f32x4.add(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)), f32x4.mul(z, z));
      const gain = f32x4.mul(square, v128.load(factors));
      const better = i32x4.gt_s(gain, best);
      best = i32x4.max_s(gain, best);
      bestCut = v128.bitselect(i32x4.splat(<i32>((a << 16) | c)), bestCut, better);
      factors += 16;
    }
  }
  v128.store(GAINS, best);
  v128.store(CUTS, bestCut);
}

/** The lane that holds the best cut of the last search. */
export function bestLane(): usize {
  let lane: usize = 0;
  for (let i: usize = 1; i < 4; i++) {
    if (load<f32>(GAINS + (i << 2)) > load<f32>(GAINS + (lane << 2))) lane = i;
  }
  return lane;
}

/** The best cut of one lane, as a << 16 | b << 8 | c. */
export function laneCut(lane: usize): i32 {
  return load<i32>(CUTS + (lane << 2)) + <i32>lane;
}

/** Least-squares endpoints of a cut, as f32x4 colours. */
let cutStart: v128 = f32x4.splat(0);
let cutEnd: v128 = f32x4.splat(0);

export function cutStartPoint(): v128 {
  return cutStart;
}
export function cutEndPoint(): v128 {
  return cutEnd;
}

/** Sum of the first `count` sorted colours. */
function sumOfFirst(count: i32): v128 {
  return v128.load(SUMS + ((<usize>count) << 4));
}

/**
 * Solves for the endpoints of a cut: the first `a` texels take the start point, those up to `b` and `c` the
 * entries between, the rest the end point. With three entries `b` does not matter.
 *
 * @returns false where all texels share one entry.
 */
export function solveCut(a: i32, b: i32, c: i32, three: bool): bool {
  const count = fittedTexels();
  let moment = f32x4.add(sumOfFirst(a), sumOfFirst(c));
  let placeSum = a + c;
  let placeSquares = 3 * a + c;
  let steps: f32 = 2;
  if (!three) {
    moment = f32x4.add(moment, sumOfFirst(b));
    placeSum += b;
    placeSquares = 5 * a + 3 * b + c;
    steps = 3;
  }
  const factor = gainFactor(count, placeSum, placeSquares);
  if (factor == 0) return false;
  const slope = f32x4.mul(moment, f32x4.splat(factor));
  const places = <f32>placeSum / <f32>count;
  cutEnd = f32x4.sub(fittedMean(), f32x4.mul(slope, f32x4.splat(places)));
  cutStart = f32x4.add(cutEnd, f32x4.mul(slope, f32x4.splat(steps)));
  return true;
}
