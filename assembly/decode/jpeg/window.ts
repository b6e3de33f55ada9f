// Sample windows: blocks of any sampling put in rows, upsampled as libjpeg does, to lines of RGBA.

/*
 * The window of a component holds two MCU rows of its samples in turn. Lines are put out one sample row
 * late where a filter looks at the row below, so that the rows it needs are always in the window.
 */
import { bgraLine, colorLine, greyLine } from './color';
import {
  blocksInMcu,
  componentAt,
  componentCount,
  maxHorizontal,
  maxVertical,
  mcusWide,
  width,
} from './frame';
import { storeSampleRows } from './interleave';
import {
  FIRST_BLOCK,
  HORIZONTAL,
  SAMPLES_HIGH,
  SAMPLES_WIDE,
  VERTICAL,
  WINDOW,
  WINDOW_ROWS,
  WINDOW_STRIDE,
} from './layout';

let lineBuffer: usize = 0;

/** Gives each component its window, and puts the upsampled lines behind them. */
export function placeWindows(address: usize): void {
  let p = address;
  for (let i = 0; i < componentCount; i++) {
    const component = componentAt(i);
    store<usize>(component, p, WINDOW);
    p += <usize>(load<i32>(component, WINDOW_ROWS) * load<i32>(component, WINDOW_STRIDE));
  }
  lineBuffer = p;
}

function lineStride(): i32 {
  return mcusWide * maxHorizontal * 8;
}

/** Lines by which the output lags behind the decoded rows. */
export function windowDelay(): i32 {
  if (componentCount != 3) return 0;
  for (let i = 0; i < 3; i++) {
    const component = componentAt(i);
    if (isFancy(component) && load<i32>(component, VERTICAL) != maxVertical) return maxVertical;
  }
  return 0;
}

/** Puts the blocks of MCU row `y`, 64 bytes each column by column, into the windows. */
export function fillWindows(y: i32, blocks: usize): void {
  for (let i = 0; i < componentCount; i++) {
    const component = componentAt(i);
    const horizontal = load<i32>(component, HORIZONTAL);
    const vertical = load<i32>(component, VERTICAL);
    const stride = <usize>load<i32>(component, WINDOW_STRIDE);
    let rows = load<usize>(component, WINDOW) + <usize>((y & 1) * vertical * 8) * stride;
    for (let v = 0; v < vertical; v++, rows += stride << 3) {
      let out = rows;
      let block = blocks + ((<usize>(load<i32>(component, FIRST_BLOCK) + v * horizontal)) << 6);
      for (let x = 0; x < mcusWide; x++) {
        for (let h = 0; h < horizontal; h++, out += 8) {
          storeSampleRows(block + ((<usize>h) << 6), out, stride);
        }
        block += (<usize>blocksInMcu) << 6;
      }
    }
  }
}

/** Puts out line `y` of the frame as RGBA at `out`. */
export function putLine(y: i32, out: usize): void {
  const first = upsampledLine(0, y);
  if (componentCount == 1) {
    greyLine(first, out, width);
    return;
  }
  const second = upsampledLine(1, y);
  const third = upsampledLine(2, y);
  if (componentCount == 3) colorLine(first, second, third, out, width);
  else bgraLine(first, second, third, upsampledLine(3, y), out, width);
}

/** Does libjpeg smooth this component? Only a factor of two in one or both directions, not narrow ones. */
function isFancy(component: usize): bool {
  if (componentCount != 3) return false;
  const isHalfWide = load<i32>(component, HORIZONTAL) * 2 == maxHorizontal;
  const isHalfHigh = load<i32>(component, VERTICAL) * 2 == maxVertical;
  const isFullWide = load<i32>(component, HORIZONTAL) == maxHorizontal;
  const isFullHigh = load<i32>(component, VERTICAL) == maxVertical;
  if (isHalfWide) return (isHalfHigh || isFullHigh) && load<i32>(component, SAMPLES_WIDE) > 2;
  return isFullWide && isHalfHigh;
}

/** Address of row `y` of the component, the rows outside it repeating its first and last. */
function sampleRow(component: usize, y: i32): usize {
  const row = min(max(y, 0), load<i32>(component, SAMPLES_HIGH) - 1);
  const stride = load<i32>(component, WINDOW_STRIDE);
  return (
    load<usize>(component, WINDOW) + <usize>((row % load<i32>(component, WINDOW_ROWS)) * stride)
  );
}

/** Address of component `index`'s samples of line `y`, one for every texel. */
function upsampledLine(index: i32, y: i32): usize {
  const component = componentAt(index);
  const horizontal = load<i32>(component, HORIZONTAL);
  const vertical = load<i32>(component, VERTICAL);
  const row = (y * vertical) / maxVertical;
  const near = sampleRow(component, row);
  if (horizontal == maxHorizontal && vertical == maxVertical) return near;
  const out = lineBuffer + <usize>(index * lineStride());
  const samples = load<i32>(component, SAMPLES_WIDE);
  if (!isFancy(component)) {
    if (horizontal == maxHorizontal) return near;
    for (let x = 0; x < width; x++) {
      store<u8>(out + x, load<u8>(near + (x * horizontal) / maxHorizontal));
    }
    return out;
  }
  if (vertical == maxVertical) {
    smoothAcross(near, samples, out);
    return out;
  }
  const isUpper = (y & 1) == 0;
  const far = sampleRow(component, isUpper ? row - 1 : row + 1);
  if (horizontal == maxHorizontal) {
    const rounding = isUpper ? 1 : 2;
    for (let x = 0; x < samples; x++) {
      store<u8>(out + x, (3 * <i32>load<u8>(near + x) + <i32>load<u8>(far + x) + rounding) >> 2);
    }
  } else {
    smoothBoth(near, far, samples, out);
  }
  return out;
}

/** Twice as wide: 3/4 of the nearer and 1/4 of the further sample, rounded down and up in turn. */
function smoothAcross(row: usize, samples: i32, out: usize): void {
  for (let x = 0; x < samples; x++) {
    const sample: i32 = load<u8>(row + x);
    const before: i32 = x > 0 ? <i32>load<u8>(row + x - 1) : sample;
    const after: i32 = x < samples - 1 ? <i32>load<u8>(row + x + 1) : sample;
    store<u8>(out + 2 * x, (3 * sample + before + 1) >> 2);
    store<u8>(out + 2 * x + 1, (3 * sample + after + 2) >> 2);
  }
}

/** Twice as wide and high: the same weights in both directions. */
function smoothBoth(near: usize, far: usize, samples: i32, out: usize): void {
  let before = columnSum(near, far, 0);
  let sum = before;
  for (let x = 0; x < samples; x++) {
    const after = x < samples - 1 ? columnSum(near, far, x + 1) : sum;
    store<u8>(out + 2 * x, (3 * sum + before + 8) >> 4);
    store<u8>(out + 2 * x + 1, (3 * sum + after + 7) >> 4);
    before = sum;
    sum = after;
  }
}

function columnSum(near: usize, far: usize, x: i32): i32 {
  return 3 * <i32>load<u8>(near + x) + <i32>load<u8>(far + x);
}
