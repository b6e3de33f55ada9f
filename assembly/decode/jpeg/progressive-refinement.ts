// Refinement scans (ITU-T T.81 G.1.2.1, G.1.2.3): one further bit of each coefficient.

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
import { longCode, lookUp, valueOf, WITH_VALUE } from './huffman';
import { AC_TABLE, BLOCK_COMPONENT, SCAN_BLOCK_SIZE, SCAN_BLOCKS } from './layout';
import { spectralEnd, spectralStart, successiveLow } from './markers';
import { coefficientsAt, gridIndex, nonzeroAt, scanBlocksEnd, scanWide } from './scan';

/** G.1.2.1: one further bit of every DC coefficient. */
export function decodeDcRefinement(y: i32): void {
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

/** G.1.2.3: one further bit of the coefficients known so far, and those that begin with this bit. */
export function decodeAcRefinement(y: i32): void {
  let next = bits;
  let count = left;
  let p = cursor;
  let run = endOfBandRun;
  const component = load<usize>(SCAN_BLOCKS, BLOCK_COMPONENT);
  const table = load<usize>(component, AC_TABLE);
  const band = (~(<u64>0) << spectralStart) & (~(<u64>0) >> (63 - spectralEnd));
  const bit: i32 = 1 << successiveLow;
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
    // Coefficients are passed by the set bits of words, bit k being the k-th of the zigzag order: a look at each one in turn
    // would be a branch on chance.
    const known = load<u64>(knownAt) & band;
    if (run && known == 0) {
      run--;
      continue;
    }
    let begun: u64 = 0;
    let rest = band;
    // Outside a run of empty bands a code says how many zero coefficients to pass, and what follows them.
    while (rest != 0) {
      let value = 0;
      let end: u64 = 0;
      if (run == 0) {
        next |= load<u64>(p - 8) >> count;
        p -= (63 - count) >> 3;
        count |= 56;
        let e = lookUp(table, next);
        if (e & WITH_VALUE) {
          value = valueOf(next, e);
        } else {
          if (e == 0) e = longCode(table, <i32>(next >> 48));
          const size = (e >> 8) & 15;
          const exponent = e >> 12;
          if (size) {
            value = size == 1 ? (<i64>(next << e) < 0 ? 1 : -1) : 2;
            e++;
          } else if (e != 0 && exponent != 15) {
            run = 1 << exponent;
            next <<= e;
            count -= e & 63;
            if (exponent) run += <i32>(next >> (64 - exponent));
            next <<= exponent;
            count -= exponent;
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
        let zeros = rest & ~known;
        for (let i = e >> 12; i != 0; i--) zeros &= zeros - 1;
        end = zeros & (0 - zeros);
      }
      // Without an end all that is left is passed.
      let passed = rest & known & (end - 1);
      while (passed != 0) {
        // A refill holds the bits of 56 coefficients.
        next |= load<u64>(p - 8) >> count;
        p -= (63 - count) >> 3;
        count |= 56;
        let room = 56;
        do {
          const place = block + <usize>load<u8>(<usize>ctz(passed), NATURAL_OFFSET);
          const old: i32 = load<i16>(place);
          // Away from zero by the bit that is read; a repeated scan may hold it already. Half of these bits are set, in no
          // order: arithmetic takes less time than a branch that is foretold wrongly.
          const added = <i32>(next >> 63) & <i32>((old & bit) == 0);
          const sign = old >> 31;
          store<i16>(place, <i16>(old + (((-added & bit) ^ sign) - sign)));
          next <<= 1;
          count--;
          passed &= passed - 1;
        } while (passed != 0 && --room != 0);
      }
      if (end == 0) {
        if (value) p = blockOverrun(p, count);
        break;
      }
      if (value) {
        store<i16>(block + <usize>load<u8>(<usize>ctz(end), NATURAL_OFFSET), <i16>(value * bit));
        begun |= end;
      }
      rest &= 0 - (end << 1);
    }
    if (begun) store<u64>(knownAt, load<u64>(knownAt) | begun);
    if (run) run--;
    if (isExhausted(p, count)) loseInterval();
  }
  setEndOfBandRun(run);
  saveReader(next, count, p);
}
