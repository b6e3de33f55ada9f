// 2 × 2 box filter, plain and alpha-weighted, in plain JavaScript.

/** See {@link Kernels.halve}. */
export function halve(
  source: Uint8Array | Uint8ClampedArray,
  width: number,
  height: number,
  weighted: boolean,
  target: Uint8Array | Uint8ClampedArray,
): void {
  const halfWidth = Math.max(1, width >> 1);
  const halfHeight = Math.max(1, height >> 1);
  // A side of one texel is its own neighbour.
  const right = width > 1 ? 4 : 0;
  const below = height > 1 ? width * 4 : 0;
  let out = 0;
  for (let y = 0; y < halfHeight; y++) {
    let a = y * 2 * width * 4;
    for (let x = 0; x < halfWidth; x++, a += 8, out += 4) {
      const b = a + right;
      const c = a + below;
      const d = b + below;
      const alphaA = source[a + 3];
      const alphaB = source[b + 3];
      const alphaC = source[c + 3];
      const alphaD = source[d + 3];
      const sum = alphaA + alphaB + alphaC + alphaD;
      if (weighted && sum > 0) {
        const rounding = sum >> 1;
        for (let i = 0; i < 3; i++) {
          const dot =
            source[a + i] * alphaA +
            source[b + i] * alphaB +
            source[c + i] * alphaC +
            source[d + i] * alphaD;
          target[out + i] = ((dot + rounding) / sum) | 0;
        }
      } else {
        for (let i = 0; i < 3; i++) {
          target[out + i] =
            (source[a + i] + source[b + i] + source[c + i] + source[d + i] + 2) >> 2;
        }
      }
      target[out + 3] = (sum + 2) >> 2;
    }
  }
}
