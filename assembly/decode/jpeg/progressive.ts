// Progressive scans (ITU-T T.81 G): coefficients gathered over many scans, one MCU row at a time.

import {
  badCode,
  bits,
  blockOverrun,
  cursor,
  isExhausted,
  left,
  loseInterval,
  lost,
  restart,
  restartInterval,
  restartsLeft,
  saveReader,
  takeMcu,
} from './entropy';
import { extend, longCode, lookUp, valueOf, WITH_VALUE } from './huffman';
import {
  AC_TABLE,
  BLOCK_COMPONENT,
  DC_TABLE,
  NATURAL_OFFSET,
  PREDICTION,
  SCAN_BLOCK_SIZE,
  SCAN_BLOCKS,
} from './layout';
import { spectralEnd, spectralStart, successiveHigh, successiveLow } from './markers';
import { coefficientsAt, gridIndex, hasAc, markDecoded, scanBlocksEnd, scanWide } from './scan';

/** Blocks that the current run of empty bands still covers. */
let endOfBandRun: i32 = 0;

export function beginProgressiveScan(): void {
  endOfBandRun = 0;
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

/** Goes to the next restart interval where it is due: true when the reader has moved. */
function restartIfDue(): bool {
  if (!restartInterval) return false;
  const isDue = restartsLeft == 0;
  if (isDue) {
    endOfBandRun = 0;
    restart();
  }
  takeMcu();
  return isDue;
}

/** G.1.2.1: differences of the DC coefficients, all but their lowest bits. */
function decodeDcFirst(y: i32): void {
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

/** G.1.2.1: one further bit of every DC coefficient. */
function decodeDcRefinement(y: i32): void {
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
      next |= load<u64>(p - 8) >> count;
      p -= (63 - count) >> 3;
      count |= 56;
      const bit = <i32>(next >> 63);
      next <<= 1;
      count--;
      if (isExhausted(p, count)) {
        loseInterval();
      } else {
        const component = load<usize>(entry, BLOCK_COMPONENT);
        const block = coefficientsAt(component, gridIndex(entry, x, y));
        store<i16>(block, load<i16>(block) | <i16>(bit << successiveLow));
      }
    }
  }
  saveReader(next, count, p);
}

/** G.1.2.2: a band of AC coefficients, all but their lowest bits. */
function decodeAcFirst(y: i32): void {
  let next = bits;
  let count = left;
  let p = cursor;
  let run = endOfBandRun;
  const component = load<usize>(SCAN_BLOCKS, BLOCK_COMPONENT);
  const table = load<usize>(component, AC_TABLE);
  const last = <usize>spectralEnd;
  const shift = successiveLow;
  let block = coefficientsAt(component, gridIndex(SCAN_BLOCKS, 0, y));
  for (let x = 0; x < scanWide; x++, block += 128) {
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
    while (k <= last) {
      next |= load<u64>(p - 8) >> count;
      p -= (63 - count) >> 3;
      count |= 56;
      let e = lookUp(table, next);
      if (e & WITH_VALUE) {
        k += e >> 12;
        const place = block + <usize>load<u8>(k, NATURAL_OFFSET);
        store<i16>(place, <i16>(valueOf(next, e) << shift));
        next <<= e;
        count -= e & 63;
        k++;
        continue;
      }
      if (e == 0) e = longCode(table, <i32>(next >> 48));
      if (e == 0) p = badCode(p, count);
      next <<= e;
      count -= e & 63;
      const zeros = <i32>(e >> 12);
      const size = <i32>(e >> 8) & 15;
      if (size) {
        k += zeros;
        const value = extend(<i32>(next >> (64 - size)), size);
        next <<= size;
        count -= size;
        store<i16>(block + <usize>load<u8>(k, NATURAL_OFFSET), <i16>(value << shift));
        k++;
      } else if (zeros == 15) {
        k += 16;
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
    if (k > last + 1) p = blockOverrun(p, count);
    if (isExhausted(p, count)) loseInterval();
  }
  endOfBandRun = run;
  saveReader(next, count, p);
}

/** G.1.2.3: one further bit of the coefficients known so far, and those that begin with this bit. */
function decodeAcRefinement(y: i32): void {
  let next = bits;
  let count = left;
  let p = cursor;
  let run = endOfBandRun;
  const component = load<usize>(SCAN_BLOCKS, BLOCK_COMPONENT);
  const table = load<usize>(component, AC_TABLE);
  const last = <usize>spectralEnd;
  const bit: i32 = 1 << successiveLow;
  let block = coefficientsAt(component, gridIndex(SCAN_BLOCKS, 0, y));
  for (let x = 0; x < scanWide; x++, block += 128) {
    if (restartIfDue()) {
      next = bits;
      count = left;
      p = cursor;
      run = 0;
    }
    if (lost) continue;
    if (run && !hasAc(block)) {
      run--;
      continue;
    }
    let k = <usize>spectralStart;
    let zeros = 0;
    // Outside a run of empty bands a code says how many zero coefficients to pass, and what follows them.
    while (k <= last) {
      let value = 0;
      if (run == 0) {
        next |= load<u64>(p - 8) >> count;
        p -= (63 - count) >> 3;
        count |= 56;
        let e = lookUp(table, next);
        if (e & WITH_VALUE) {
          zeros = e >> 12;
          value = valueOf(next, e);
        } else {
          if (e == 0) e = longCode(table, <i32>(next >> 48));
          zeros = e >> 12;
          const size = (e >> 8) & 15;
          if (size) {
            value = size == 1 ? (<i64>(next << e) < 0 ? 1 : -1) : 2;
            e++;
          } else if (e != 0 && zeros != 15) {
            run = 1 << zeros;
            next <<= e;
            count -= e & 63;
            if (zeros) run += <i32>(next >> (64 - zeros));
            next <<= zeros;
            count -= zeros;
            continue;
          }
        }
        next <<= e;
        count -= e & 63;
        // A coefficient begins with a single bit; anything else is no code of this scan.
        if (e == 0 || value * value > 1) {
          p = badCode(p, count);
          break;
        }
      }
      for (; k <= last; k++) {
        const place = block + <usize>load<u8>(k, NATURAL_OFFSET);
        const known: i32 = load<i16>(place);
        if (known != 0) {
          next |= load<u64>(p - 8) >> count;
          p -= (63 - count) >> 3;
          count |= 56;
          // Away from zero by the bit that is read; a repeated scan may hold it already. Half of these bits are set, in no
          // order: arithmetic takes less time than a branch that is foretold wrongly.
          const added = <i32>(next >> 63) & <i32>((known & bit) == 0);
          const sign = known >> 31;
          store<i16>(place, <i16>(known + (((-added & bit) ^ sign) - sign)));
          next <<= 1;
          count--;
        } else if (run == 0 && --zeros < 0) {
          if (value) store<i16>(place, <i16>(value * bit));
          value = 0;
          k++;
          break;
        }
      }
      if (value) p = blockOverrun(p, count);
    }
    if (run) run--;
    if (isExhausted(p, count)) loseInterval();
  }
  endOfBandRun = run;
  saveReader(next, count, p);
}
