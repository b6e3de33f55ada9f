// Entropy-coded segments: byte stuffing removed ahead, the bit reader's state, restart intervals.

import { BAD_CODE, BAD_RESTART, BLOCK_OVERRUN, DATA_ENDS, report } from './fault';
import { COMPONENT_SIZE, COMPONENTS, COMPONENTS_END, PREDICTION } from './layout';

/*
 * A segment is copied without its stuffing, last byte first: the byte to be read next lies just below
 * `cursor`, so that a little-endian load of the eight bytes below it yields the next 64 bits in order.
 * Zeros follow below the last byte; decoding may run into them by one block, and is then stopped.
 *
 * The reader is three values, kept in locals by the loops:
 *   bits    the next bits, left-aligned
 *   left    how many of them are valid
 *   cursor  end of the bytes not yet in `bits`
 * and is refilled to at least 56 bits by
 *   bits |= load<u64>(cursor - 8) >> left;  cursor -= (63 - left) >> 3;  left |= 56;
 */
export let bits: u64 = 0;
export let left: i32 = 0;
export let cursor: usize = 0;

/** How far below the segment a reader is put that met corrupt data: further than `left` can make up for. */
const EXHAUSTED: usize = 64;
/** Zeros below a segment: EXHAUSTED, 64 coefficients of at most 31 bits, and the refill's own reach. */
const SLACK: usize = 336;

let segmentTop: usize = 0;
let segmentLimit: usize = 0;
let segmentSource: usize = 0;
let buffer: usize = 0;
let sourceEnd: usize = 0;
/** Where the entropy-coded data stopped: the 0xFF of a marker, or the end of the source. */
export let marker: usize = 0;

/** MCUs between restart markers; 0 for none. */
export let restartInterval: i32 = 0;
export let restartsLeft: i32 = 0;
let nextRestart: i32 = 0;
/** Nothing more can be decoded up to the next restart marker. */
export let lost: bool = false;

export function setRestartInterval(interval: i32): void {
  restartInterval = interval;
}

/** Bytes of the buffer that a stream of `length` bytes needs. */
export function segmentBufferBytes(length: usize): usize {
  return length + SLACK + 32;
}

export function setSegmentBuffer(address: usize, end: usize): void {
  buffer = address;
  sourceEnd = end;
}

/** Counts one MCU of the restart interval. */
export function takeMcu(): void {
  restartsLeft--;
}

export function saveReader(newBits: u64, newLeft: i32, newCursor: usize): void {
  bits = newBits;
  left = newLeft;
  cursor = newCursor;
}

/** First 0xFF at or after `address` that begins a marker; `end` if there is none. */
export function findMarker(address: usize, end: usize): usize {
  const stuffing = i8x16.splat(-1);
  let p = address;
  while (true) {
    while (p + 16 <= end && !v128.any_true(i8x16.eq(v128.load(p), stuffing))) p += 16;
    while (p < end && load<u8>(p) != 0xff) p++;
    if (p + 1 >= end) return end;
    const next = load<u8>(p, 1);
    if (next != 0 && next != 0xff) return p;
    p++;
  }
}

/** Starts reading the entropy-coded segment at `address`. */
function openSegment(address: usize): void {
  const stuffing = i8x16.splat(-1);
  const end = sourceEnd;
  const top = buffer + segmentBufferBytes(end - address);
  let p = address;
  let q = top;
  while (true) {
    while (p + 16 <= end) {
      const chunk = v128.load(p);
      if (v128.any_true(i8x16.eq(chunk, stuffing))) break;
      p += 16;
      q -= 16;
      v128.store(
        q,
        i8x16.shuffle(chunk, chunk, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
      );
    }
    while (p < end) {
      const byte = load<u8>(p);
      if (byte == 0xff) break;
      store<u8>(--q, byte);
      p++;
    }
    if (p >= end) break;
    // Fill bytes may precede the second byte of a marker, or of stuffing (ITU-T T.81 B.1.1.2).
    let next = p + 1;
    while (next < end && load<u8>(next) == 0xff) next++;
    if (next >= end || load<u8>(next) != 0) {
      p = next >= end ? end : next - 1;
      break;
    }
    store<u8>(--q, 0xff);
    p = next + 1;
  }
  memory.fill(q - SLACK, 0, SLACK);
  segmentSource = address;
  segmentTop = top;
  segmentLimit = q;
  marker = p;
  bits = 0;
  left = 0;
  cursor = top;
  lost = false;
}

/** Starts the scan whose entropy-coded data begins at `address`. */
export function openScan(address: usize): void {
  nextRestart = 0;
  restartsLeft = restartInterval;
  clearPredictions();
  openSegment(address);
}

function clearPredictions(): void {
  for (let c = COMPONENTS; c < COMPONENTS_END; c += COMPONENT_SIZE) store<i32>(c, 0, PREDICTION);
}

/**
 * Goes on behind the next restart marker. A wrong marker is judged as libjpeg judges it: one of the two
 * expected next means that this interval is missing, one of the two before that data is repeated, and
 * any other restart marker is taken for the right one.
 */
export function restart(): void {
  clearPredictions();
  restartsLeft = restartInterval;
  const expected = nextRestart;
  nextRestart = (expected + 1) & 7;
  while (true) {
    marker = findMarker(marker, sourceEnd);
    const code: i32 = marker < sourceEnd ? load<u8>(marker, 1) : 0xd9;
    if (code == (0xd0 | expected)) break;
    report(BAD_RESTART, marker, code);
    if (code >= 0xc0) {
      const ahead = (code - expected) & 7;
      if (code < 0xd0 || code > 0xd7 || ahead == 1 || ahead == 2) {
        lost = true;
        return;
      }
      if (ahead < 6) break;
    }
    marker += 2;
  }
  openSegment(marker + 2);
}

/** Has the reader used bits that the segment does not have? Asked after each block. */
export function isExhausted(atCursor: usize, bitsLeft: i32): bool {
  return atCursor < segmentLimit && (<i32>(segmentLimit - atCursor)) << 3 > bitsLeft;
}

/** Gives the rest of the interval up. */
export function loseInterval(): void {
  report(DATA_ENDS, marker);
  lost = true;
}

/** Reports a code that no table has; the cursor returned makes the reader exhausted. */
export function badCode(atCursor: usize, bitsLeft: i32): usize {
  report(BAD_CODE, sourceOf(atCursor, bitsLeft));
  return segmentLimit - EXHAUSTED;
}

/** Reports a zero run that leaves its block; the cursor returned makes the reader exhausted. */
export function blockOverrun(atCursor: usize, bitsLeft: i32): usize {
  report(BLOCK_OVERRUN, sourceOf(atCursor, bitsLeft));
  return segmentLimit - EXHAUSTED;
}

/** Address in the source of the reader's position. */
function sourceOf(atCursor: usize, bitsLeft: i32): usize {
  let remaining = <i32>(segmentTop - atCursor) - (bitsLeft >> 3);
  let p = segmentSource;
  for (; remaining > 0 && p < marker; remaining--) {
    while (load<u8>(p) == 0xff && p + 1 < marker) p++;
    p++;
  }
  return min(p, marker);
}
