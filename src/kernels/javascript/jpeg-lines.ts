// Planes of JPEG samples to lines of RGBA in plain JavaScript: upsampling and colours as libjpeg has them.

/** The samples of one component, `stride` a row. */
export interface Plane {
  samples: Uint8Array;
  stride: number;
  /** Samples that belong to the frame. */
  width: number;
  height: number;
  horizontal: number;
  vertical: number;
}

/** Largest sampling factors of the frame. */
export interface Sampling {
  horizontal: number;
  vertical: number;
}

/**
 * Fills `line` with the component's samples of line `y`, one a texel.
 *
 * @param smooth interpolate where libjpeg does: a factor of two in one or both directions, not narrow ones
 */
export function upsampleLine(
  plane: Plane,
  most: Sampling,
  y: number,
  smooth: boolean,
  line: Uint8Array,
): void {
  const { samples, width, horizontal, vertical } = plane;
  const isHalfWide = horizontal * 2 === most.horizontal;
  const isHalfHigh = vertical * 2 === most.vertical;
  const isFullWide = horizontal === most.horizontal;
  const isFullHigh = vertical === most.vertical;
  const row = Math.floor((y * vertical) / most.vertical);
  const near = rowStart(plane, row);
  const far = rowStart(plane, y & 1 ? row + 1 : row - 1);
  if (smooth && isHalfWide && isFullHigh && width > 2) {
    smoothRow((x) => samples[near + x], width, 2, 1, 2, line);
  } else if (smooth && isHalfWide && isHalfHigh && width > 2) {
    smoothRow((x) => 3 * samples[near + x] + samples[far + x], width, 4, 8, 7, line);
  } else if (smooth && isFullWide && isHalfHigh) {
    const rounding = y & 1 ? 2 : 1;
    for (let x = 0; x < width; x++) {
      line[x] = (3 * samples[near + x] + samples[far + x] + rounding) >> 2;
    }
  } else if (isFullWide) {
    line.set(samples.subarray(near, near + line.length));
  } else {
    for (let x = 0; x < line.length; x++) {
      line[x] = samples[near + Math.floor((x * horizontal) / most.horizontal)];
    }
  }
}

/** Twice as wide: 3/4 of the nearer and 1/4 of the further value, the two roundings in turn. */
function smoothRow(
  value: (x: number) => number,
  width: number,
  shift: number,
  evenRounding: number,
  oddRounding: number,
  line: Uint8Array,
): void {
  for (let x = 0; x < width; x++) {
    const here = value(x);
    const before = value(Math.max(x - 1, 0));
    const after = value(Math.min(x + 1, width - 1));
    line[2 * x] = (3 * here + before + evenRounding) >> shift;
    if (2 * x + 1 < line.length) line[2 * x + 1] = (3 * here + after + oddRounding) >> shift;
  }
}

/** Rows outside the frame repeat its first and last. */
function rowStart({ height, stride }: Plane, row: number): number {
  return Math.min(Math.max(row, 0), height - 1) * stride;
}

/** Lines of one (grey), three (YCbCr or RGB) or four (B, G, R, A) components to a line of RGBA. */
export function putTexels(
  lines: Uint8Array[],
  isRgb: boolean,
  opaque: boolean,
  out: Uint8ClampedArray,
): void {
  const [first, second, third, fourth] = lines as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  for (let x = 0, i = 0; x < first.length; x++, i += 4) {
    let r = first[x];
    let g = r;
    let b = r;
    let a = 255;
    if (lines.length === 4) {
      r = third[x];
      g = second[x];
      if (!opaque) a = fourth[x];
    } else if (lines.length === 3) {
      g = second[x];
      b = third[x];
      if (!isRgb) {
        // JFIF's YCbCr in 16-bit fixed point, each rounding where libjpeg has it.
        const blue = g - 128;
        const red = b - 128;
        const luminance = r;
        r = luminance + ((91881 * red + 32768) >> 16);
        g = luminance + ((-22554 * blue - 46802 * red + 32768) >> 16);
        b = luminance + ((116130 * blue + 32768) >> 16);
      }
    }
    out[i] = r;
    out[i + 1] = g;
    out[i + 2] = b;
    out[i + 3] = a;
  }
}
