// The frame header (ITU-T T.81 B.2.2) and what follows from it: MCUs, block grids, memory needed.

import {
  BAD_SAMPLING,
  BAD_SEGMENT,
  EMPTY_FRAME,
  report,
  UNSUPPORTED_COMPONENTS,
  UNSUPPORTED_PRECISION,
} from './fault';
import {
  BLOCKS_HIGH,
  BLOCKS_WIDE,
  COMPONENT_SIZE,
  COMPONENTS,
  FIRST_BLOCK,
  GRID_WIDE,
  HORIZONTAL,
  IDENTIFIER,
  LATCHED,
  QUANTISATION_SLOT,
  SAMPLES_HIGH,
  SAMPLES_WIDE,
  VERTICAL,
  WINDOW_ROWS,
  WINDOW_STRIDE,
} from './layout';

export let width: i32 = 0;
export let height: i32 = 0;
export let componentCount: i32 = 0;
export let progressive: bool = false;
export let mcusWide: i32 = 0;
export let mcusHigh: i32 = 0;
export let blocksInMcu: i32 = 0;
/** Largest sampling factors. */
export let maxHorizontal: i32 = 0;
export let maxVertical: i32 = 0;
/** Four components without subsampling, one block each in an MCU: what nearly every BLP holds. */
export let direct: bool = false;

export function forgetFrame(): void {
  componentCount = 0;
}

export function componentAt(index: i32): usize {
  return COMPONENTS + <usize>index * COMPONENT_SIZE;
}

function ceilDivide(value: i32, divisor: i32): i32 {
  return (value + divisor - 1) / divisor;
}

/** Reads the frame header whose parameters lie at `p`, `length` bytes, of the marker `code`. Returns a fault, or 0. */
export function readFrame(p: usize, length: i32, code: i32): i32 {
  if (length < 6) return report(BAD_SEGMENT, p, code);
  const precision: i32 = load<u8>(p);
  if (precision != 8) return report(UNSUPPORTED_PRECISION, p, precision);
  height = ((<i32>load<u8>(p, 1)) << 8) | load<u8>(p, 2);
  width = ((<i32>load<u8>(p, 3)) << 8) | load<u8>(p, 4);
  if (width == 0 || height == 0) return report(EMPTY_FRAME, p + 1);
  const count: i32 = load<u8>(p, 5);
  if (length != 6 + 3 * count) return report(BAD_SEGMENT, p, code);
  if (count != 1 && count != 3 && count != 4) return report(UNSUPPORTED_COMPONENTS, p + 5, count);
  progressive = code == 0xc2;
  maxHorizontal = 1;
  maxVertical = 1;
  blocksInMcu = 0;
  for (let i = 0; i < count; i++) {
    const component = componentAt(i);
    const source = p + 6 + 3 * i;
    const factors: i32 = load<u8>(source, 1);
    const slot: i32 = load<u8>(source, 2);
    let horizontal = factors >> 4;
    let vertical = factors & 15;
    if (horizontal < 1 || horizontal > 4 || vertical < 1 || vertical > 4) {
      return report(BAD_SAMPLING, source + 1, factors);
    }
    if (slot > 3) return report(BAD_SEGMENT, source + 2, code);
    // A component alone is never interleaved: its factors mean nothing.
    if (count == 1) {
      horizontal = 1;
      vertical = 1;
    }
    store<i32>(component, load<u8>(source), IDENTIFIER);
    store<i32>(component, horizontal, HORIZONTAL);
    store<i32>(component, vertical, VERTICAL);
    store<i32>(component, slot, QUANTISATION_SLOT);
    store<i32>(component, blocksInMcu, FIRST_BLOCK);
    store<i32>(component, 0, LATCHED);
    blocksInMcu += horizontal * vertical;
    maxHorizontal = max(maxHorizontal, horizontal);
    maxVertical = max(maxVertical, vertical);
  }
  mcusWide = ceilDivide(width, 8 * maxHorizontal);
  mcusHigh = ceilDivide(height, 8 * maxVertical);
  for (let i = 0; i < count; i++) layOutComponent(componentAt(i));
  componentCount = count;
  direct = count == 4 && blocksInMcu == 4;
  return 0;
}

function layOutComponent(component: usize): void {
  const horizontal = load<i32>(component, HORIZONTAL);
  const vertical = load<i32>(component, VERTICAL);
  const samplesWide = ceilDivide(width * horizontal, maxHorizontal);
  const samplesHigh = ceilDivide(height * vertical, maxVertical);
  store<i32>(component, samplesWide, SAMPLES_WIDE);
  store<i32>(component, samplesHigh, SAMPLES_HIGH);
  store<i32>(component, ceilDivide(samplesWide, 8), BLOCKS_WIDE);
  store<i32>(component, ceilDivide(samplesHigh, 8), BLOCKS_HIGH);
  store<i32>(component, mcusWide * horizontal, GRID_WIDE);
  store<i32>(component, mcusWide * horizontal * 8, WINDOW_STRIDE);
  store<i32>(component, vertical * 16, WINDOW_ROWS);
}
