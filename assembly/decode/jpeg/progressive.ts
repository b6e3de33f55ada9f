// Progressive scans (ITU-T T.81 G): which of the four kinds a scan is, one MCU row at a time.

import { setEndOfBandRun } from './band-run';
import { spectralStart, successiveHigh } from './markers';
import { decodeAcFirst, decodeDcFirst } from './progressive-first';
import { decodeAcRefinement, decodeDcRefinement } from './progressive-refinement';

export function beginProgressiveScan(): void {
  setEndOfBandRun(0);
}

/** Decodes row `y` of the scan's MCUs. */
export function decodeProgressiveRow(y: i32): void {
  if (spectralStart == 0) {
    if (successiveHigh == 0) decodeDcFirst(y);
    else decodeDcRefinement(y);
  } else {
    if (successiveHigh == 0) decodeAcFirst(y);
    else decodeAcRefinement(y);
  }
}
