// The way through one stream, called by the host step by step: open, start, rows.

import { coefficientBytes, placeCoefficients, transformRow } from './coefficients';
import { marker, openScan, segmentBufferBytes, setSegmentBuffer } from './entropy';
import { clearFault, fault, MISSING_SCANS, NO_SCAN, report } from './fault';
import {
  blocksInMcu,
  componentCount,
  direct,
  height,
  maxHorizontal,
  maxVertical,
  mcusHigh,
  mcusWide,
  progressive,
  width,
} from './frame';
import { countScans, ended, nextScan, openStream, scanCount, scanData } from './markers';
import { beginOutput, putDirectRow, putWindowLine } from './output';
import { beginProgressiveScan, decodeProgressiveRow } from './progressive';
import { forgetPrecision, isPictureComplete, prepareScan, scanHigh } from './scan';
import { decodeSequentialRow } from './sequential';
import { fillWindows, placeWindows, windowDelay } from './window';

let streamAddress: usize = 0;
let streamEnd: usize = 0;

/** MCU rows decoded and lines put out so far. */
let nextRow: i32 = 0;
let nextLine: i32 = 0;
/** One MCU row of samples, 64 bytes a block; two rows of one byte an MCU: was it decoded? */
let rowBlocks: usize = 0;
let presence: usize = 0;
let delay: i32 = 0;
let salvage: bool = false;

/** Are the coefficients of the whole frame gathered before any line can be put out? */
function isBuffered(): bool {
  return progressive || scanCount < componentCount;
}

/** Reads the stream's headers up to its first scan. Returns a fault, or 0. */
export function jpegOpen(address: usize, length: i32): i32 {
  clearFault();
  streamAddress = address;
  streamEnd = address + length;
  if (openStream(address, length) != 0) return fault;
  const found = nextScan(address + 2);
  if (found == 0) return report(NO_SCAN, streamEnd);
  return fault;
}

/** Number of scans, counted no further than `most` + 1, or minus a fault. */
export function jpegScans(most: i32): i32 {
  return countScans(scanData, most);
}

/** How many bytes are needed apart from the stream and the coefficients. */
export function jpegWorkspaceBytes(): usize {
  const row = (<usize>(mcusWide * blocksInMcu)) << 6;
  // Windows are two MCU rows of every component, and one upsampled line each.
  const windows: usize = direct ? 0 : 2 * row + 4 * <usize>(mcusWide * maxHorizontal * 8);
  return segmentBufferBytes(streamEnd - streamAddress) + row + 2 * <usize>mcusWide + windows + 64;
}

/** Bytes of all coefficients, and one for each block; a double because it may exceed 32 bits. */
export function jpegCoefficientBytes(): f64 {
  return isBuffered() ? coefficientBytes() : 0;
}

/**
 * Prepares for jpegRows; where coefficients are gathered, decodes all scans.
 *
 * @param workspace jpegWorkspaceBytes
 * @param coefficients jpegCoefficientBytes, zero
 */
export function jpegStart(
  workspace: usize,
  coefficients: usize,
  isSalvage: bool,
  isOpaque: bool,
): i32 {
  salvage = isSalvage;
  setSegmentBuffer(workspace, streamEnd);
  rowBlocks = (workspace + segmentBufferBytes(streamEnd - streamAddress) + 15) & ~15;
  presence = rowBlocks + ((<usize>(mcusWide * blocksInMcu)) << 6);
  if (!direct) placeWindows((presence + 2 * <usize>mcusWide + 15) & ~15);
  delay = direct ? 0 : windowDelay();
  nextRow = 0;
  nextLine = 0;
  beginOutput(isOpaque);
  forgetPrecision();
  if (!isBuffered()) {
    if (prepareScan() != 0) return fault;
    openScan(scanData);
    return 0;
  }
  placeCoefficients((coefficients + 15) & ~15);
  return decodeScans();
}

/** Decodes scan after scan; a fault ends it at once, or with `salvage` at the first broken header. */
function decodeScans(): i32 {
  if (prepareScan() != 0) return fault;
  while (true) {
    openScan(scanData);
    beginProgressiveScan();
    for (let y = 0; y < scanHigh; y++) {
      if (progressive) decodeProgressiveRow(y);
      else decodeSequentialRow(y, 0, 0);
      if (fault != 0 && !salvage) return fault;
    }
    if (nextScan(marker) <= 0 || prepareScan() != 0) break;
  }
  if (!isPictureComplete(!ended)) report(MISSING_SCANS, streamEnd);
  return salvage ? 0 : fault;
}

/**
 * Puts lines out at `out`, whole MCU rows as far as `capacity` lines allow (at least MCU height + 4).
 * Returns their number, 0 after the last, or minus a fault.
 */
export function jpegRows(out: usize, capacity: i32): i32 {
  const mcuHeight = 8 * maxVertical;
  const stride = (<usize>width) << 2;
  let written = 0;
  while (nextRow < mcusHigh) {
    const lines =
      min((nextRow + 1) * mcuHeight - (nextRow + 1 < mcusHigh ? delay : 0), height) - nextLine;
    if (written + lines > capacity) break;
    const present = presence + (nextRow & 1 ? <usize>mcusWide : 0);
    if (isBuffered()) transformRow(nextRow, rowBlocks, present);
    else decodeSequentialRow(nextRow, rowBlocks, present);
    if (fault != 0 && !salvage) return -fault;
    if (direct) {
      putDirectRow(nextRow, rowBlocks, present, out + <usize>written * stride);
    } else {
      fillWindows(nextRow, rowBlocks);
      for (let i = 0; i < lines; i++) {
        const y = nextLine + i;
        const seen = presence + ((y / mcuHeight) & 1 ? <usize>mcusWide : 0);
        putWindowLine(y, seen, out + <usize>(written + i) * stride);
      }
    }
    written += lines;
    nextLine += lines;
    nextRow++;
  }
  return written;
}
