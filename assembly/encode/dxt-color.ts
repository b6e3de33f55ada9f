// The colour half of a block: 8 bytes that hold the best endpoints and every texel's index.
import { prepareFit } from './dxt-block';
import {
  BEST_ASSIGNED,
  bestEndPoint,
  bestHasThree,
  bestStartPoint,
  searchEndpoints,
} from './dxt-search';

/** 5, 6 and 5 bits of three grid steps. */
function pack565(steps: v128): u32 {
  return (
    (i32x4.extract_lane(steps, 0) << 11) |
    (i32x4.extract_lane(steps, 1) << 5) |
    i32x4.extract_lane(steps, 2)
  );
}

/** Four rows of indices as i32 → 2 bits each, first texel lowest. */
export function packIndices(r0: v128, r1: v128, r2: v128, r3: v128): u32 {
  const bytes = i8x16.narrow_i16x8_u(i16x8.narrow_i32x4_s(r0, r1), i16x8.narrow_i32x4_s(r2, r3));
  // Moves the indices of a row's four bytes to bits 24…31 without carries.
  const rows = i32x4.shr_u(
    i32x4.mul(bytes, i32x4.splat((1 << 24) | (1 << 18) | (1 << 12) | (1 << 6))),
    24,
  );
  return (
    i32x4.extract_lane(rows, 0) |
    (i32x4.extract_lane(rows, 1) << 8) |
    (i32x4.extract_lane(rows, 2) << 16) |
    (i32x4.extract_lane(rows, 3) << 24)
  );
}

function bestIndices(): u32 {
  const three = i32x4.splat(3);
  return packIndices(
    v128.and(v128.load(BEST_ASSIGNED), three),
    v128.and(v128.load(BEST_ASSIGNED, 16), three),
    v128.and(v128.load(BEST_ASSIGNED, 32), three),
    v128.and(v128.load(BEST_ASSIGNED, 48), three),
  );
}

/**
 * Writes the 8 colour bytes of the block whose fitted texels are chosen, at least one of them.
 *
 * @param palettes one of `FOUR_ONLY`, `THREE_ONLY` and `EITHER`
 */
export function writeColor(target: usize, preset: i32, palettes: i32): void {
  prepareFit();
  searchEndpoints(preset, palettes);
  let first = pack565(bestStartPoint());
  let second = pack565(bestEndPoint());
  let indices = bestIndices();
  // The order of the endpoints tells the decoder which palette is meant. Equal ones mean three colours,
  // but then every texel has index 0, which both palettes share.
  if (bestHasThree()) {
    if (first > second) {
      indices ^= ~(indices >> 1) & 0x55555555;
      const swap = first;
      first = second;
      second = swap;
    }
  } else if (first < second) {
    indices ^= 0x55555555;
    const swap = first;
    first = second;
    second = swap;
  }
  store<u16>(target, first);
  store<u16>(target, second, 2);
  store<u32>(target, indices, 4);
}
