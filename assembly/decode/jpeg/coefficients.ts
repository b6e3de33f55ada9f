// The coefficients of a whole frame: where they lie, and their way to samples.

import { fault } from './fault';
import { blocksInMcu, componentAt, componentCount, mcusHigh, mcusWide } from './frame';
import { fillSamples, inverseTransform } from './idct';
import {
  COEFFICIENTS,
  DECODED,
  GRID_WIDE,
  HORIZONTAL,
  NONZERO,
  QUANTISATION,
  VERTICAL,
} from './layout';
import { coefficientsAt, hasAc } from './scan';

/** 128 bytes of coefficients a block, eight that say which are not 0, and one that says whether its DC was decoded. */
export function coefficientBytes(): f64 {
  return <f64>(mcusWide * mcusHigh) * <f64>blocksInMcu * 137 + 16;
}

export function placeCoefficients(address: usize): void {
  let p = address;
  for (let i = 0; i < componentCount; i++) {
    const component = componentAt(i);
    store<usize>(component, p, COEFFICIENTS);
    p += gridBlocks(component) << 7;
  }
  for (let i = 0; i < componentCount; i++) {
    const component = componentAt(i);
    store<usize>(component, p, NONZERO);
    p += gridBlocks(component) << 3;
  }
  for (let i = 0; i < componentCount; i++) {
    const component = componentAt(i);
    store<usize>(component, p, DECODED);
    p += gridBlocks(component);
  }
}

function gridBlocks(component: usize): usize {
  return <usize>(load<i32>(component, GRID_WIDE) * load<i32>(component, VERTICAL) * mcusHigh);
}

/**
 * Transforms MCU row `y` to samples, 64 bytes a block column by column.
 *
 * @param present takes one byte an MCU: have all of its blocks been decoded?
 */
export function transformRow(y: i32, samples: usize, present: usize): void {
  memory.fill(present, 1, mcusWide);
  let first = samples;
  for (let i = 0; i < componentCount; i++) {
    const component = componentAt(i);
    const horizontal = load<i32>(component, HORIZONTAL);
    const vertical = load<i32>(component, VERTICAL);
    const gridWide = load<i32>(component, GRID_WIDE);
    for (let v = 0; v < vertical; v++) {
      let index = <usize>((y * vertical + v) * gridWide);
      let mcu = first + ((<usize>(v * horizontal)) << 6);
      for (let x = 0; x < mcusWide; x++) {
        for (let h = 0; h < horizontal; h++, index++) {
          transformBlock(component, index, mcu + ((<usize>h) << 6));
          if (fault != 0 && !load<u8>(load<usize>(component, DECODED) + index)) {
            store<u8>(present + x, 0);
          }
        }
        mcu += (<usize>blocksInMcu) << 6;
      }
    }
    first += (<usize>(horizontal * vertical)) << 6;
  }
}

function transformBlock(component: usize, index: usize, samples: usize): void {
  const block = coefficientsAt(component, index);
  if (hasAc(block)) {
    inverseTransform(block, component + QUANTISATION, samples);
  } else {
    fillSamples(load<i16>(block) * <i32>load<u16>(component, QUANTISATION), samples);
  }
}
