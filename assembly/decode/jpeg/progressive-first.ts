// First scans of coefficients (ITU-T T.81 G.1.2.1, G.1.2.2): all of their bits but the lowest ones.

import { NATURAL_OFFSET } from '../../tables';
import { endOfBandRun, restartIfDue, setEndOfBandRun } from './band-run';
import {
  badCode,
  bits,
  blockOverrun,
  cursor,
  isExhausted,
  left,
  loseInterval,
  lost,
  saveReader,
} from './entropy';
import { extend, longCode, lookUp, valueOf, WITH_VALUE } from './huffman';
import {
  AC_TABLE,
  BLOCK_COMPONENT,
  DC_TABLE,
  PREDICTION,
  SCAN_BLOCK_SIZE,
  SCAN_BLOCKS,
} from './layout';
import { spectralEnd, spectralStart, successiveLow } from './markers';
import { coefficientsAt, gridIndex, markDecoded, nonzeroAt, scanBlocksEnd, scanWide } from './scan';

/** G.1.2.1: differences of the DC coefficients, all but their lowest bits. */
export function decodeDcFirst(y: i32): void {
  let next = bits;
  let count = left;
  let p = cursor;
  for (let x = 0; x < scanWide; x++) {
    if (restartIfDue()) {
      next = bits;
      count = left;
      p = cursor;
    }
    for (let entry = SCAN_BLOCKS; entry < scanBlocksEnd && !lost; entry += SCAN_BLOCK_SIZE) {
      const component = load<usize>(entry, BLOCK_COMPONENT);
      const table = load<usize>(component, DC_TABLE);
      next |= load<u64>(p - 8) >> count;
      p -= (63 - count) >> 3;
      count |= 56;
      let e = lookUp(table, next);
      let dc = load<i32>(component, PREDICTION);
      if (e & WITH_VALUE) {
        dc += valueOf(next, e);
        next <<= e;
        count -= e & 63;
      } else {
        if (e == 0) e = longCode(table, <i32>(next >> 48));
        if (e == 0) p = badCode(p, count);
        next <<= e;
        count -= e & 63;
        const size = (e >> 8) & 15;
        if (size) {
          dc += extend(<i32>(next >> (64 - size)), size);
          next <<= size;
          count -= size;
        }
      }
      store<i32>(component, dc, PREDICTION);
      if (isExhausted(p, count)) {
        loseInterval();
      } else {
        const index = gridIndex(entry, x, y);
        store<i16>(coefficientsAt(component, index), <i16>(dc << successiveLow));
        markDecoded(component, index);
      }
    }
  }
  saveReader(next, count, p);
}

/** G.1.2.2: a band of AC coefficients, all but their lowest bits. */
export function decodeAcFirst(y: i32): void {
  let next = bits;
  let count = left;
  let p = cursor;
  let run = endOfBandRun;
  const component = load<usize>(SCAN_BLOCKS, BLOCK_COMPONENT);
  const table = load<usize>(component, AC_TABLE);
  const last = <usize>spectralEnd;
  const shift = successiveLow;
  const index = gridIndex(SCAN_BLOCKS, 0, y);
  let block = coefficientsAt(component, index);
  let knownAt = nonzeroAt(component, index);
  for (let x = 0; x < scanWide; x++, block += 128, knownAt += 8) {
    if (restartIfDue()) {
      next = bits;
      count = left;
      p = cursor;
      run = 0;
    }
    if (lost) continue;
    if (run) {
      run--;
      continue;
    }
    let k = <usize>spectralStart;
    let known = load<u64>(knownAt);
    // Corrupt data may shift a coefficient out of its 16 bits, or put it behind the band.
    let isOdd = false;
    while (k <= last) {
      next |= load<u64>(p - 8) >> count;
      p -= (63 - count) >> 3;
      count |= 56;
      let e = lookUp(table, next);
      let value = 0;
      if (e & WITH_VALUE) {
        k += e >> 12;
        value = valueOf(next, e);
        next <<= e;
        count -= e & 63;
      } else {
        if (e == 0) e = longCode(table, <i32>(next >> 48));
        if (e == 0) p = badCode(p, count);
        next <<= e;
        count -= e & 63;
        const zeros = <i32>(e >> 12);
        const size = <i32>(e >> 8) & 15;
        if (size) {
          k += zeros;
          value = extend(<i32>(next >> (64 - size)), size);
          next <<= size;
          count -= size;
        } else if (zeros == 15) {
          k += 16;
          continue;
        } else {
          run = (1 << zeros) - 1;
          if (zeros) {
            run += <i32>(next >> (64 - zeros));
            next <<= zeros;
            count -= zeros;
          }
          break;
        }
      }
      const coefficient = <i16>(value << shift);
      store<i16>(block + <usize>load<u8>(k, NATURAL_OFFSET), coefficient);
      known |= (<u64>1) << k;
      if (coefficient == 0) isOdd = true;
      k++;
    }
    if (k > last + 1) {
      p = blockOverrun(p, count);
      isOdd = true;
    }
    store<u64>(knownAt, isOdd ? findNonzero(block) : known);
    if (isExhausted(p, count)) loseInterval();
  }
  setEndOfBandRun(run);
  saveReader(next, count, p);
}

/** The word of a block's nonzero coefficients, from these. */
function findNonzero(block: usize): u64 {
  let known: u64 = 0;
  for (let k: usize = 1; k < 64; k++) {
    if (load<i16>(block + <usize>load<u8>(k, NATURAL_OFFSET))) known |= (<u64>1) << k;
  }
  return known;
}
