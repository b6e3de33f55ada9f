// What a scan consists of: its MCU grid, the blocks of one MCU, the tables it needs.

import {
  BAD_PROGRESSION,
  BAD_SCAN_COMPONENT,
  MISSING_HUFFMAN,
  MISSING_QUANTISATION,
  report,
} from './fault';
import { componentAt, componentCount, mcusHigh, mcusWide, progressive } from './frame';
import { buildHuffmanTable, isHuffmanTableDefined } from './huffman';
import {
  AC_TABLE,
  BLOCK_COMPONENT,
  BLOCK_INDEX,
  BLOCK_X,
  BLOCK_Y,
  BLOCKS_HIGH,
  BLOCKS_WIDE,
  COEFFICIENTS,
  DC_TABLE,
  DECODED,
  FIRST_BLOCK,
  GRID_WIDE,
  HORIZONTAL,
  LATCHED,
  NONZERO,
  QUANTISATION,
  QUANTISATION_SLOT,
  QUANTISATION_SLOTS,
  SCAN_BLOCK_SIZE,
  SCAN_BLOCKS,
  VERTICAL,
} from './layout';
import {
  quantisationDefined,
  SCAN_COMPONENTS,
  scanCount,
  scanData,
  spectralEnd,
  spectralStart,
  successiveHigh,
  successiveLow,
} from './markers';

export let scanWide: i32 = 0;
export let scanHigh: i32 = 0;
/** End of the list SCAN_BLOCKS. */
export let scanBlocksEnd: usize = 0;
/** Has an MCU of the scan the blocks of several components? Alone, each block of a component is an MCU. */
export let interleaved: bool = false;

/**
 * Per component 64 bytes, one a coefficient: its lowest bit that is still to come (0 when complete), or
 * 0xFF while no scan held it.
 */
const PRECISION: usize = memory.data(4 * 64, 16);

export function forgetPrecision(): void {
  memory.fill(PRECISION, 0xff, 256);
}

/** Do all components have a first scan and, if `exact`, all coefficients all of their bits? */
export function isPictureComplete(exact: bool): bool {
  for (let i = 0; i < componentCount; i++) {
    const precision = PRECISION + ((<usize>i) << 6);
    if (load<u8>(precision) == 0xff) return false;
    if (exact) {
      for (let k: usize = 0; k < 64; k += 16) {
        if (v128.any_true(v128.load(precision + k))) return false;
      }
    }
  }
  return true;
}

/** Checks the scan against its frame and tables, and lists its blocks. Returns a fault, or 0. */
export function prepareScan(): i32 {
  if (progressive) {
    const isRefinement = successiveHigh != 0;
    if (
      spectralEnd > 63 ||
      spectralStart > spectralEnd ||
      (spectralStart == 0 ? spectralEnd != 0 : scanCount != 1) ||
      successiveLow > 13 ||
      (isRefinement && successiveHigh != successiveLow + 1)
    ) {
      return report(BAD_PROGRESSION, scanData);
    }
  }
  const needsDc = !progressive || (spectralStart == 0 && successiveHigh == 0);
  const needsAc = !progressive || spectralStart != 0;
  interleaved = scanCount > 1;
  scanBlocksEnd = SCAN_BLOCKS;
  for (let i = 0; i < scanCount; i++) {
    const index = load<i32>(SCAN_COMPONENTS + (i << 2));
    const component = componentAt(index);
    if (!latchQuantisation(component)) return report(MISSING_QUANTISATION, scanData, index);
    if (needsDc) {
      const result = prepareTable(load<usize>(component, DC_TABLE), true);
      if (result != 0) return result;
    }
    if (needsAc) {
      const result = prepareTable(load<usize>(component, AC_TABLE), false);
      if (result != 0) return result;
    }
    if (!listBlocks(component)) return report(BAD_SCAN_COMPONENT, scanData, index);
    const precision = PRECISION + ((<usize>index) << 6);
    if (progressive) {
      memory.fill(precision + spectralStart, <u8>successiveLow, spectralEnd - spectralStart + 1);
    } else {
      memory.fill(precision, 0, 64);
    }
  }
  const first = componentAt(load<i32>(SCAN_COMPONENTS));
  scanWide = interleaved ? mcusWide : load<i32>(first, BLOCKS_WIDE);
  scanHigh = interleaved ? mcusHigh : load<i32>(first, BLOCKS_HIGH);
  return 0;
}

/** A component is dequantised by the table in force at its first scan, whatever is defined later. */
function latchQuantisation(component: usize): bool {
  if (load<i32>(component, LATCHED)) return true;
  const slot = load<i32>(component, QUANTISATION_SLOT);
  if (!(quantisationDefined & (1 << slot))) return false;
  memory.copy(component + QUANTISATION, QUANTISATION_SLOTS + ((<usize>slot) << 7), 128);
  store<i32>(component, 1, LATCHED);
  return true;
}

function prepareTable(table: usize, isDc: bool): i32 {
  if (!isHuffmanTableDefined(table)) return report(MISSING_HUFFMAN, scanData);
  return buildHuffmanTable(table, isDc, scanData);
}

/** Adds the component's blocks to the MCU; at most ten in all (ITU-T T.81 B.2.3). */
function listBlocks(component: usize): bool {
  const horizontal = interleaved ? load<i32>(component, HORIZONTAL) : 1;
  const vertical = interleaved ? load<i32>(component, VERTICAL) : 1;
  for (let y = 0; y < vertical; y++) {
    for (let x = 0; x < horizontal; x++) {
      const entry = scanBlocksEnd;
      if (entry == SCAN_BLOCKS + 10 * SCAN_BLOCK_SIZE) return false;
      store<usize>(entry, component, BLOCK_COMPONENT);
      store<i32>(entry, x, BLOCK_X);
      store<i32>(entry, y, BLOCK_Y);
      store<i32>(entry, load<i32>(component, FIRST_BLOCK) + y * horizontal + x, BLOCK_INDEX);
      scanBlocksEnd = entry + SCAN_BLOCK_SIZE;
    }
  }
  return true;
}

/** Index of a listed block of MCU (x, y) in its component's grid. */
export function gridIndex(entry: usize, x: i32, y: i32): usize {
  const component = load<usize>(entry, BLOCK_COMPONENT);
  if (interleaved) {
    x = x * load<i32>(component, HORIZONTAL) + load<i32>(entry, BLOCK_X);
    y = y * load<i32>(component, VERTICAL) + load<i32>(entry, BLOCK_Y);
  }
  return <usize>(y * load<i32>(component, GRID_WIDE) + x);
}

/** Address of the coefficients of the component's block. */
export function coefficientsAt(component: usize, index: usize): usize {
  return load<usize>(component, COEFFICIENTS) + (index << 7);
}

/** Address of the word that says which coefficients of the component's block are not 0. */
export function nonzeroAt(component: usize, index: usize): usize {
  return load<usize>(component, NONZERO) + (index << 3);
}

/** Is any coefficient of the block but its DC other than 0? */
export function hasAc(block: usize): bool {
  const first = v128.and(v128.load(block), i16x8(0, -1, -1, -1, -1, -1, -1, -1));
  const upper = v128.or(
    v128.or(first, v128.load(block, 16)),
    v128.or(v128.load(block, 32), v128.load(block, 48)),
  );
  const lower = v128.or(
    v128.or(v128.load(block, 64), v128.load(block, 80)),
    v128.or(v128.load(block, 96), v128.load(block, 112)),
  );
  return v128.any_true(v128.or(upper, lower));
}

export function markDecoded(component: usize, index: usize): void {
  store<u8>(load<usize>(component, DECODED) + index, 1);
}
