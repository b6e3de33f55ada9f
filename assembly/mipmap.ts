// 2 × 2 box filter over RGBA rows, plain and with colour weighted by alpha.
//
// Four texels of the half picture come out of eight texels of two rows. A row's end is rounded up to four, which
// the next row then overwrites; the host leaves room for it behind the last one.

/** Sums of both bytes of each 16-bit lane apart, rounded and divided by four. */
function plainAverage(a: v128, b: v128, c: v128, d: v128): v128 {
  const two = i16x8.splat(2);
  const mask = i16x8.splat(0xff);
  const low = i16x8.add(
    i16x8.add(i16x8.add(v128.and(a, mask), v128.and(b, mask)), two),
    i16x8.add(v128.and(c, mask), v128.and(d, mask)),
  );
  const high = i16x8.add(
    i16x8.add(i16x8.add(i16x8.shr_u(a, 8), i16x8.shr_u(b, 8)), two),
    i16x8.add(i16x8.shr_u(c, 8), i16x8.shr_u(d, 8)),
  );
  return v128.or(i16x8.shr_u(low, 2), v128.and(i16x8.shl(high, 6), i16x8.splat(<i16>0xff00)));
}

/**
 * Halves the rows of a picture, `width` texels each without padding. `rows` of the half picture are made;
 * with `below` 0 instead of the size of a row, each row is its own neighbour.
 */
export function halveRows(source: usize, target: usize, width: i32, rows: i32, below: usize): void {
  const halfSize = <usize>(width >> 1) * 4;
  for (let row = 0; row < rows; row++) {
    let above = source + <usize>row * <usize>width * 8;
    let out = target + <usize>row * halfSize;
    for (const end = out + halfSize; out < end; out += 16, above += 32) {
      const a0 = v128.load(above);
      const a1 = v128.load(above, 16);
      const b0 = v128.load(above + below);
      const b1 = v128.load(above + below, 16);
      v128.store(
        out,
        plainAverage(
          i32x4.shuffle(a0, a1, 0, 2, 4, 6),
          i32x4.shuffle(a0, a1, 1, 3, 5, 7),
          i32x4.shuffle(b0, b1, 0, 2, 4, 6),
          i32x4.shuffle(b0, b1, 1, 3, 5, 7),
        ),
      );
    }
  }
}

/** Pairs of one channel: the even texels' byte in the low half of each lane, the odd texels' in the high half. */
function channelPairs(even: v128, odd: v128, shift: i32): v128 {
  const mask = i32x4.splat(0xff);
  return v128.or(
    v128.and(i32x4.shr_u(even, shift), mask),
    i32x4.shl(v128.and(i32x4.shr_u(odd, shift), mask), 16),
  );
}

/** floor((Σ channel · alpha + half) / Σ alpha), exact: the true quotient's fraction is at least 1/1020 away from the next integer. */
function weightedAverage(
  above: v128,
  below: v128,
  alphaAbove: v128,
  alphaBelow: v128,
  half: v128,
  reciprocal: v128,
): v128 {
  const dot = i32x4.add(i32x4.dot_i16x8_s(above, alphaAbove), i32x4.dot_i16x8_s(below, alphaBelow));
  const quotient = f32x4.add(
    f32x4.mul(f32x4.convert_i32x4_s(i32x4.add(dot, half)), reciprocal),
    // Less than half of 1/1020, more than the rounding errors of two single-precision operations below 256.
    f32x4.splat(0.00049),
  );
  // Truncation by the exponent: in [256, 512) the integer part of the quotient stands at bit 15.
  return v128.and(i32x4.shr_u(f32x4.add(quotient, f32x4.splat(256)), 15), i32x4.splat(0xff));
}

/** As {@link halveRows}, with colour weighted by alpha; plain where all four texels are transparent. */
export function halveRowsWeighted(
  source: usize,
  target: usize,
  width: i32,
  rows: i32,
  below: usize,
): void {
  const ones = i16x8.splat(1);
  const halfSize = <usize>(width >> 1) * 4;
  for (let row = 0; row < rows; row++) {
    let above = source + <usize>row * <usize>width * 8;
    let out = target + <usize>row * halfSize;
    for (const end = out + halfSize; out < end; out += 16, above += 32) {
      const a0 = v128.load(above);
      const a1 = v128.load(above, 16);
      const b0 = v128.load(above + below);
      const b1 = v128.load(above + below, 16);
      const evenAbove = i32x4.shuffle(a0, a1, 0, 2, 4, 6);
      const oddAbove = i32x4.shuffle(a0, a1, 1, 3, 5, 7);
      const evenBelow = i32x4.shuffle(b0, b1, 0, 2, 4, 6);
      const oddBelow = i32x4.shuffle(b0, b1, 1, 3, 5, 7);
      const alphaAbove = channelPairs(evenAbove, oddAbove, 24);
      const alphaBelow = channelPairs(evenBelow, oddBelow, 24);
      const sum = i32x4.add(
        i32x4.dot_i16x8_s(alphaAbove, ones),
        i32x4.dot_i16x8_s(alphaBelow, ones),
      );
      const half = i32x4.shr_u(sum, 1);
      const reciprocal = f32x4.div(f32x4.splat(1), f32x4.convert_i32x4_s(sum));
      const r = weightedAverage(
        channelPairs(evenAbove, oddAbove, 0),
        channelPairs(evenBelow, oddBelow, 0),
        alphaAbove,
        alphaBelow,
        half,
        reciprocal,
      );
      const g = weightedAverage(
        channelPairs(evenAbove, oddAbove, 8),
        channelPairs(evenBelow, oddBelow, 8),
        alphaAbove,
        alphaBelow,
        half,
        reciprocal,
      );
      const b = weightedAverage(
        channelPairs(evenAbove, oddAbove, 16),
        channelPairs(evenBelow, oddBelow, 16),
        alphaAbove,
        alphaBelow,
        half,
        reciprocal,
      );
      const alpha = i32x4.shr_u(i32x4.add(sum, i32x4.splat(2)), 2);
      let texels = v128.or(
        v128.or(r, i32x4.shl(g, 8)),
        v128.or(i32x4.shl(b, 16), i32x4.shl(alpha, 24)),
      );
      if (!i32x4.all_true(sum)) {
        texels = v128.bitselect(
          plainAverage(evenAbove, oddAbove, evenBelow, oddBelow),
          texels,
          i32x4.eq(sum, i32x4.splat(0)),
        );
      }
      v128.store(out, texels);
    }
  }
}
