// Dequantisation and inverse DCT in plain JavaScript: what assembly/decode/jpeg/idct.ts does, number for number.

/** The sixteen 32-bit sums of a pass are narrowed to 16 bits by saturation. */
function saturate(value: number): number {
  return Math.max(-32768, Math.min(32767, value));
}

/** The low 16 bits, signed: products and first sums wrap as they do in a vector of 16-bit lanes. */
function wrap(value: number): number {
  return (value << 16) >> 16;
}

const work = new Int32Array(64);

/**
 * One pass over the eight values of `work` at `at`, `step` apart. The weights are rotations of Loeffler,
 * Ligtenberg and Moschytz times 2^13, where two of them meet in one.
 */
function pass(at: number, step: number, shift: number): void {
  const x0 = work[at];
  const x1 = work[at + step];
  const x2 = work[at + 2 * step];
  const x3 = work[at + 3 * step];
  const x4 = work[at + 4 * step];
  const x5 = work[at + 5 * step];
  const x6 = work[at + 6 * step];
  const x7 = work[at + 7 * step];
  const rounding = 1 << (shift - 1);
  const even0 = (wrap(x0 + x4) << 13) + rounding;
  const even1 = (wrap(x0 - x4) << 13) + rounding;
  const t2 = x2 * 4433 - x6 * 10704;
  const t3 = x2 * 10703 + x6 * 4433;
  const sum37 = wrap(x3 + x7);
  const sum15 = wrap(x1 + x5);
  const z3 = sum15 * 9633 - sum37 * 6436;
  const z4 = sum37 * 9633 + sum15 * 6437;
  const odd0 = z3 - x7 * 4927 - x1 * 7373;
  const odd1 = z4 - x5 * 4176 - x3 * 20995;
  const odd2 = z3 - x5 * 20995 + x3 * 4177;
  const odd3 = z4 - x7 * 7373 + x1 * 4926;
  work[at] = saturate((even0 + t3 + odd3) >> shift);
  work[at + step] = saturate((even1 + t2 + odd2) >> shift);
  work[at + 2 * step] = saturate((even1 - t2 + odd1) >> shift);
  work[at + 3 * step] = saturate((even0 - t3 + odd0) >> shift);
  work[at + 4 * step] = saturate((even0 - t3 - odd0) >> shift);
  work[at + 5 * step] = saturate((even1 - t2 - odd1) >> shift);
  work[at + 6 * step] = saturate((even1 + t2 - odd2) >> shift);
  work[at + 7 * step] = saturate((even0 + t3 - odd3) >> shift);
}

/**
 * Transforms one block of coefficients (64, natural order) to 8 × 8 samples in `samples` from `offset` on,
 * rows `stride` apart.
 */
export function transformBlock(
  coefficients: Int32Array,
  quantisation: Uint16Array,
  samples: Uint8Array,
  offset: number,
  stride: number,
): void {
  let ac = 0;
  for (let i = 0; i < 64; i++) {
    const value = wrap(Math.imul(coefficients[i], quantisation[i]));
    work[i] = value;
    if (i > 0) ac |= coefficients[i];
  }
  if (ac === 0) {
    const sample = clampToByte(((work[0] + 4) >> 3) + 128);
    for (let y = 0; y < 8; y++) {
      samples.fill(sample, offset + y * stride, offset + y * stride + 8);
    }
    return;
  }
  for (let column = 0; column < 8; column++) pass(column, 8, 11);
  for (let row = 0; row < 64; row += 8) pass(row, 1, 18);
  for (let y = 0; y < 8; y++) {
    for (let x = 0; x < 8; x++) {
      samples[offset + y * stride + x] = clampToByte(work[8 * y + x] + 128);
    }
  }
}

function clampToByte(value: number): number {
  return Math.max(0, Math.min(255, value));
}
