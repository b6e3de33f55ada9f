// Baseline and extended sequential scans (ITU-T T.81 F.2): Huffman decoding, one MCU row at a time.

import { NATURAL_OFFSET } from '../../tables';
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
import { blocksInMcu } from './frame';
import { extend, longCode, lookUp, valueOf, WITH_VALUE } from './huffman';
import { fillSamples, inverseTransform } from './idct';
import {
  AC_TABLE,
  BLOCK,
  BLOCK_COMPONENT,
  BLOCK_INDEX,
  DC_TABLE,
  PREDICTION,
  QUANTISATION,
  SCAN_BLOCK_SIZE,
  SCAN_BLOCKS,
} from './layout';
import { coefficientsAt, gridIndex, markDecoded, scanBlocksEnd, scanWide } from './scan';

/**
 * Decodes row `y` of the scan's MCUs.
 *
 * @param samples where the samples go, 64 a block, column by column; 0 to keep coefficients instead
 * @param present takes one byte an MCU: was it decoded? (with `samples` only)
 */
export function decodeSequentialRow(y: i32, samples: usize, present: usize): void {
  let next = bits;
  let count = left;
  let p = cursor;
  const columns = scanWide;
  const blocksEnd = scanBlocksEnd;
  const mcuBytes = (<usize>blocksInMcu) << 6;
  let mcu = samples;
  for (let x = 0; x < columns; x++, mcu += mcuBytes) {
    if (restartInterval) {
      if (restartsLeft == 0) {
        restart();
        next = bits;
        count = left;
        p = cursor;
      }
      takeMcu();
    }
    if (lost) {
      if (samples) store<u8>(present + x, 0);
      continue;
    }
    for (let entry = SCAN_BLOCKS; entry < blocksEnd; entry += SCAN_BLOCK_SIZE) {
      const component = load<usize>(entry, BLOCK_COMPONENT);
      const dcTable = load<usize>(component, DC_TABLE);
      const acTable = load<usize>(component, AC_TABLE);

      next |= load<u64>(p - 8) >> count;
      p -= (63 - count) >> 3;
      count |= 56;
      let e = lookUp(dcTable, next);
      let dc = load<i32>(component, PREDICTION);
      if (e & WITH_VALUE) {
        dc += valueOf(next, e);
        next <<= e;
        count -= e & 63;
      } else {
        if (e == 0) e = longCode(dcTable, <i32>(next >> 48));
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
      next |= load<u64>(p - 8) >> count;
      p -= (63 - count) >> 3;
      count |= 56;

      // With its value a code of the lookup takes at most 24 bits, any code 31: two fit into one refill.
      e = lookUp(acTable, next);
      let k: usize = 1;
      while (true) {
        if (e & WITH_VALUE) {
          k += e >> 12;
          store<i16>(BLOCK + <usize>load<u8>(k, NATURAL_OFFSET), <i16>valueOf(next, e));
          next <<= e;
          count -= e & 63;
          k++;
          if (k > 63) break;
          e = lookUp(acTable, next);
        }
        if (e & WITH_VALUE) {
          k += e >> 12;
          store<i16>(BLOCK + <usize>load<u8>(k, NATURAL_OFFSET), <i16>valueOf(next, e));
          next <<= e;
          count -= e & 63;
          k++;
        } else {
          if (e == 0) e = longCode(acTable, <i32>(next >> 48));
          if (e == 0) p = badCode(p, count);
          next <<= e;
          count -= e & 63;
          const run = e >> 12;
          const size = (e >> 8) & 15;
          if (size) {
            k += run;
            const value = extend(<i32>(next >> (64 - size)), size);
            next <<= size;
            count -= size;
            store<i16>(BLOCK + <usize>load<u8>(k, NATURAL_OFFSET), <i16>value);
            k++;
          } else {
            if (run != 15) break;
            k += 16;
          }
        }
        if (k > 63) break;
        next |= load<u64>(p - 8) >> count;
        p -= (63 - count) >> 3;
        count |= 56;
        e = lookUp(acTable, next);
      }
      if (k > 64) p = blockOverrun(p, count);
      if (isExhausted(p, count)) {
        loseInterval();
        clearBlock();
        break;
      }
      if (!samples) {
        const index = gridIndex(entry, x, y);
        store<i16>(BLOCK, <i16>dc);
        memory.copy(coefficientsAt(component, index), BLOCK, 128);
        markDecoded(component, index);
        clearBlock();
        continue;
      }
      const block = mcu + ((<usize>load<i32>(entry, BLOCK_INDEX)) << 6);
      if (k == 1) {
        fillSamples(dc * <i32>load<u16>(component, QUANTISATION), block);
      } else {
        store<i16>(BLOCK, <i16>dc);
        inverseTransform(BLOCK, component + QUANTISATION, block);
        clearBlock();
      }
    }
    if (samples) store<u8>(present + x, lost ? 0 : 1);
  }
  saveReader(next, count, p);
}

function clearBlock(): void {
  const zero = i32x4.splat(0);
  v128.store(BLOCK, zero);
  v128.store(BLOCK, zero, 16);
  v128.store(BLOCK, zero, 32);
  v128.store(BLOCK, zero, 48);
  v128.store(BLOCK, zero, 64);
  v128.store(BLOCK, zero, 80);
  v128.store(BLOCK, zero, 96);
  v128.store(BLOCK, zero, 112);
}
