// The search for a block's endpoints: the candidates that each preset tries, and the best of them.

import { greatestPosition, leastPosition, principalAxis, project } from './dxt-axis';
import { centerTexels, fittedMean, fittedTexels, isSingleColor, singleColor } from './dxt-block';
import {
  bestLane,
  cutEndPoint,
  cutStartPoint,
  laneCut,
  searchFour,
  searchThree,
  solveCut,
  sortTexels,
  sumTexels,
} from './dxt-cluster';
import {
  ASSIGNED,
  assignIndices,
  clampToGrid,
  expand,
  refinedEndPoint,
  refinedStartPoint,
  refineEndpoints,
  toGrid,
} from './dxt-endpoints';
import { FAST, NORMAL } from './dxt-preset';
import { singleColorEndpoint } from './dxt-single';

/** Which palettes a block may use. */
export const FOUR_ONLY: i32 = 0;
export const THREE_ONLY: i32 = 1;
export const EITHER: i32 = 2;

/** Assignment of the best candidate so far; as `ASSIGNED`. */
export const BEST_ASSIGNED: usize = memory.data(64, 16);

let bestError: i32 = 0;
let bestStart: v128 = i32x4.splat(0);
let bestEnd: v128 = i32x4.splat(0);
let bestThree: bool = false;

export function bestStartPoint(): v128 {
  return bestStart;
}
export function bestEndPoint(): v128 {
  return bestEnd;
}
/** Whether the best pair is meant with three entries. */
export function bestHasThree(): bool {
  return bestThree;
}

/** Assigns the texels to a candidate and keeps it if it is the best; returns its error. */
function tryCandidate(start: v128, end: v128, three: bool): i32 {
  const error = assignIndices(start, end, three);
  if (error < bestError) {
    bestError = error;
    bestStart = start;
    bestEnd = end;
    bestThree = three;
    v128.store(BEST_ASSIGNED, v128.load(ASSIGNED));
    v128.store(BEST_ASSIGNED, v128.load(ASSIGNED, 16), 16);
    v128.store(BEST_ASSIGNED, v128.load(ASSIGNED, 32), 32);
    v128.store(BEST_ASSIGNED, v128.load(ASSIGNED, 48), 48);
  }
  return error;
}

/** Tries a pair, then up to `rounds` times the endpoints that suit its indices best, while the error falls. */
function tryRefined(start: v128, end: v128, three: bool, radius: i32, rounds: i32): void {
  let error = tryCandidate(start, end, three);
  for (let round = 0; round < rounds && error > 0; round++) {
    if (!refineEndpoints(three, radius)) return;
    const next = tryCandidate(refinedStartPoint(), refinedEndPoint(), three);
    if (next >= error) return;
    error = next;
  }
}

/** The pair whose index 2 is closest to one colour. */
function trySingleColor(color: u32, three: bool): void {
  tryCandidate(singleColorEndpoint(color, 0, three), singleColorEndpoint(color, 1, three), three);
}

/** The mean colour, rounded: its own pair is best where the texels differ by less than the grid can tell. */
function meanColor(): u32 {
  const lanes = i32x4.trunc_sat_f32x4_s(f32x4.nearest(fittedMean()));
  return (
    i32x4.extract_lane(lanes, 0) |
    (i32x4.extract_lane(lanes, 1) << 8) |
    (i32x4.extract_lane(lanes, 2) << 16)
  );
}

/** Sum of the first three lanes of a product. */
function dot(a: v128, b: v128): f32 {
  const product = f32x4.mul(a, b);
  return (
    f32x4.extract_lane(product, 0) + f32x4.extract_lane(product, 1) + f32x4.extract_lane(product, 2)
  );
}

/** The point of the projected line at a position. */
function pointAt(position: i32, axis: v128): v128 {
  const mean = fittedMean();
  // Positions are counted on doubled colours.
  const distance = (<f32>position * 0.5 - dot(mean, axis)) / dot(axis, axis);
  return f32x4.add(mean, f32x4.mul(axis, f32x4.splat(distance)));
}

function tryCut(a: i32, b: i32, c: i32, three: bool, radius: i32, rounds: i32): void {
  if (!solveCut(a, b, c, three)) return;
  tryRefined(toGrid(cutStartPoint()), toGrid(cutEndPoint()), three, radius, rounds);
}

/** Of `count` texels at two places, the first `split` at `high` and the rest at `low`, how many reach `place`. */
function reaching(place: i32, high: i32, low: i32, split: i32, count: i32): i32 {
  if (low >= place) return count;
  return high >= place ? split : 0;
}

/** Puts the first `split` texels into one entry and the rest into another: any two can give both colours. */
function tryTwoEntries(split: i32, three: bool, radius: i32, rounds: i32): void {
  const count = fittedTexels();
  const last = three ? 2 : 3;
  for (let high = last; high > 0; high--) {
    for (let low = 0; low < high; low++) {
      const a = reaching(last, high, low, split, count);
      const b = reaching(2, high, low, split, count);
      const c = reaching(1, high, low, split, count);
      tryCut(a, b, c, three, radius, rounds);
    }
  }
}

/** Tries one lane's best cut. */
function tryLane(lane: usize, three: bool, radius: i32, rounds: i32): void {
  const cut = laneCut(lane);
  const count = fittedTexels();
  const a = cut >> 16;
  const c = cut & 255;
  const b = three ? c : (cut >> 8) & 255;
  // Cuts into the same groups of texels at other entries may have the same least-squares error, but their
  // endpoints lie elsewhere: the ones may be outside the colour cube, or between grid points, where others are not.
  const groups = i32(a > 0) + i32(b > a) + i32(c > b) + i32(count > c);
  if (groups == 2) {
    tryTwoEntries(a > 0 ? a : b > 0 ? b : c, three, radius, rounds);
    return;
  }
  tryCut(a, b, c, three, radius, rounds);
  if (a == 0) tryCut(b, c, count, three, radius, rounds);
  if (c == count) tryCut(0, a, b, three, radius, rounds);
}

/** Whether an endpoint of the last solved cut is outside the colour cube by more than rounding. */
function leavesCube(): bool {
  const low = f32x4.splat(-4);
  const high = f32x4.splat(259);
  const start = cutStartPoint();
  const end = cutEndPoint();
  const below = f32x4.lt(f32x4.min(start, end), low);
  return v128.any_true(v128.or(below, f32x4.gt(f32x4.max(start, end), high)));
}

/**
 * Cuts the texels along the current positions and tries the best cut, or all four lanes' own where that is asked
 * for or the best one's endpoints are out of reach.
 */
function tryCuts(four: bool, three: bool, all: bool): void {
  sortTexels();
  sumTexels();
  const radius = all ? 2 : 1;
  const rounds = all ? 8 : 1;
  if (four) {
    searchFour();
    tryLanes(false, all, radius, rounds);
  }
  if (three) {
    searchThree();
    tryLanes(true, all, radius, rounds);
  }
}

function tryLanes(three: bool, all: bool, radius: i32, rounds: i32): void {
  const best = bestLane();
  tryLane(best, three, radius, rounds);
  if (!all && !leavesCube()) return;
  for (let lane: usize = 0; lane < 4; lane++) {
    if (lane != best) tryLane(lane, three, radius, rounds);
  }
}

/** Sorts along the best pair found so far instead of the principal axis, while that finds a better one. */
function tryOtherAxes(four: bool, three: bool): void {
  for (let round = 0; round < 8 && bestError > 0; round++) {
    const before = bestError;
    const line = i32x4.sub(expand(bestStart), expand(bestEnd));
    if (!v128.any_true(line)) return;
    project(f32x4.convert_i32x4_s(line));
    tryCuts(four, three, true);
    if (bestError == before) return;
  }
}

/**
 * Moves one channel of either or both endpoints by one step, in up to `passes` passes while that finds a better
 * pair; each pair is refined up to `rounds` times.
 */
function tryNeighbors(passes: i32, rounds: i32): void {
  for (let pass = 0; pass < passes && bestError > 0; pass++) {
    const before = bestError;
    for (let channel = 0; channel < 3; channel++) {
      for (let move = 0; move < 9; move++) {
        if (move == 4) continue;
        const start = clampToGrid(i32x4.add(bestStart, moveChannel(channel, move / 3 - 1)));
        const end = clampToGrid(i32x4.add(bestEnd, moveChannel(channel, (move % 3) - 1)));
        tryRefined(start, end, bestThree, 1, rounds);
      }
    }
    if (bestError == before) return;
  }
}

/** Whether the best endpoints are so close that rounding to the grid costs more than the choice of the cut. */
function closeEndpoints(): bool {
  const steps = i32x4.abs(i32x4.sub(bestStart, bestEnd));
  // A step of green is half as wide as one of red or blue.
  const distance =
    2 * i32x4.extract_lane(steps, 0) +
    i32x4.extract_lane(steps, 1) +
    2 * i32x4.extract_lane(steps, 2);
  return distance <= 16;
}

/** A vector of `step` in one channel. */
function moveChannel(channel: i32, step: i32): v128 {
  const steps = i32x4.splat(step);
  const lanes = i32x4.eq(i32x4(0, 1, 2, 3), i32x4.splat(channel));
  return v128.and(steps, lanes);
}

/** Finds the best pair for the prepared block. */
export function searchEndpoints(preset: i32, palettes: i32): void {
  bestError = i32.MAX_VALUE;
  const four = palettes != THREE_ONLY;
  const three = palettes != FOUR_ONLY;
  if (isSingleColor()) {
    if (four) trySingleColor(singleColor(), false);
    if (three) trySingleColor(singleColor(), true);
    return;
  }
  centerTexels();
  const axis = project(principalAxis());
  const start = toGrid(pointAt(greatestPosition(), axis));
  const end = toGrid(pointAt(leastPosition(), axis));
  if (four) tryRefined(start, end, false, 1, 2);
  if (three) tryRefined(start, end, true, 1, 2);
  if (preset == FAST || bestError == 0) return;

  if (four) trySingleColor(meanColor(), false);
  if (three) trySingleColor(meanColor(), true);
  tryCuts(four, three, false);
  if (closeEndpoints()) tryNeighbors(3, 0);
  if (preset == NORMAL || bestError == 0) return;

  tryCuts(four, three, true);
  tryOtherAxes(four, three);
  tryNeighbors(i32.MAX_VALUE, 1);
}
