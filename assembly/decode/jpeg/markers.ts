// Marker segments (ITU-T T.81 B): from one scan header to the next, tables taken up on the way.

import { NATURAL_OFFSET } from '../../tables';
import { findMarker, setRestartInterval } from './entropy';
import {
  BAD_SCAN_COMPONENT,
  BAD_SEGMENT,
  NOT_JPEG,
  report,
  SCAN_BEFORE_FRAME,
  SECOND_FRAME,
  SEGMENT_CUT,
  UNSUPPORTED_LINES,
  UNSUPPORTED_PROCESS,
} from './fault';
import { componentAt, componentCount, forgetFrame, readFrame } from './frame';
import { defineHuffmanTable, forgetHuffmanTables, huffmanTable } from './huffman';
import { AC_TABLE, DC_TABLE, IDENTIFIER, QUANTISATION_SLOTS } from './layout';

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const DQT = 0xdb;
const DNL = 0xdc;
const DRI = 0xdd;
const DHT = 0xc4;
const APP0 = 0xe0;
const APP14 = 0xee;

/** The current scan: indices of its components, and the progressive parameters. */
export let scanCount: i32 = 0;
export const SCAN_COMPONENTS: usize = memory.data(4 * 4, 4);
export let spectralStart: i32 = 0;
export let spectralEnd: i32 = 0;
export let successiveHigh: i32 = 0;
export let successiveLow: i32 = 0;
/** Address of the scan's entropy-coded data. */
export let scanData: usize = 0;
/** Did the marker walk see EOI? */
export let ended: bool = false;
/** Bit n: quantisation slot n is defined by this stream. */
export let quantisationDefined: i32 = 0;
/** For the colours of three components: -1 without an Adobe segment. */
export let adobeTransform: i32 = -1;
export let hasJfif: bool = false;

let streamEnd: usize = 0;

function read16(p: usize): i32 {
  return ((<i32>load<u8>(p)) << 8) | load<u8>(p, 1);
}

/** Markers that stand alone: TEM, RST0 to RST7. */
function isStandalone(code: i32): bool {
  return code == 1 || (code >= 0xd0 && code <= 0xd7);
}

/** SOF0 to SOF15, without DHT, JPG and DAC among them. */
function isFrame(code: i32): bool {
  return code >= 0xc0 && code <= 0xcf && code != DHT && code != 0xc8 && code != 0xcc;
}

/** Forgets everything of the stream before. Returns a fault, or 0. */
export function openStream(address: usize, length: i32): i32 {
  forgetHuffmanTables();
  forgetFrame();
  setRestartInterval(0);
  quantisationDefined = 0;
  adobeTransform = -1;
  hasJfif = false;
  ended = false;
  streamEnd = address + length;
  if (length < 2 || read16(address) != (0xff00 | SOI)) return report(NOT_JPEG, address);
  return 0;
}

/** Reads on from `address` up to a scan header: 1 there, 0 at the end of the stream, or minus a fault. */
export function nextScan(address: usize): i32 {
  let p = address;
  while (true) {
    p = findMarker(p, streamEnd);
    if (p == streamEnd) return 0;
    const code: i32 = load<u8>(p, 1);
    if (code == EOI) {
      ended = true;
      return 0;
    }
    if (isStandalone(code)) {
      p += 2;
      continue;
    }
    if (code == SOI) return -report(BAD_SEGMENT, p, code);
    if (p + 4 > streamEnd) return -report(SEGMENT_CUT, p, code);
    const length = read16(p + 2) - 2;
    const parameters = p + 4;
    if (length < 0) return -report(BAD_SEGMENT, p, code);
    if (parameters + length > streamEnd) return -report(SEGMENT_CUT, p, code);
    const result = readSegment(code, p, parameters, length);
    if (result != 0) return -result;
    p = parameters + length;
    if (code == SOS) {
      scanData = p;
      return 1;
    }
  }
}

function readSegment(code: i32, p: usize, parameters: usize, length: i32): i32 {
  if (code == DQT) return readQuantisation(parameters, length);
  if (code == DHT) return readHuffman(parameters, length);
  if (code == SOS) return readScan(parameters, length);
  if (isFrame(code)) {
    if (componentCount) return report(SECOND_FRAME, p, code);
    if (code > 0xc2) return report(UNSUPPORTED_PROCESS, p, code);
    return readFrame(parameters, length, code);
  }
  if (code == DRI) {
    if (length != 2) return report(BAD_SEGMENT, p, code);
    setRestartInterval(read16(parameters));
  } else if (code == DNL) {
    return report(UNSUPPORTED_LINES, p, code);
  } else if (code == APP0) {
    if (length >= 14 && load<u32>(parameters) == 0x4649464a && load<u8>(parameters, 4) == 0) {
      hasJfif = true;
    }
  } else if (code == APP14) {
    if (length >= 12 && load<u32>(parameters) == 0x626f6441 && load<u8>(parameters, 4) == 0x65) {
      adobeTransform = load<u8>(parameters, 11);
    }
  }
  return 0;
}

/** B.2.4.1: one or more tables of 64 values in zigzag order, of 8 or 16 bits. */
function readQuantisation(address: usize, length: i32): i32 {
  let p = address;
  const end = address + length;
  while (p < end) {
    const wide = load<u8>(p) >> 4;
    const slot: i32 = load<u8>(p) & 15;
    const step = wide ? 2 : 1;
    if (slot > 3 || wide > 1 || p + 1 + 64 * step > end) return report(BAD_SEGMENT, p, DQT);
    p++;
    const table = QUANTISATION_SLOTS + ((<usize>slot) << 7);
    for (let k: usize = 0; k < 64; k++) {
      const value = wide ? read16(p) : <i32>load<u8>(p);
      store<u16>(table + load<u8>(k, NATURAL_OFFSET), <u16>value);
      p += step;
    }
    quantisationDefined |= 1 << slot;
  }
  return 0;
}

/** B.2.4.2: one or more tables of sixteen counts and their symbols. */
function readHuffman(address: usize, length: i32): i32 {
  let p = address;
  const end = address + length;
  while (p < end) {
    if (p + 17 > end) return report(BAD_SEGMENT, p, DHT);
    const kind: i32 = load<u8>(p) >> 4;
    const slot: i32 = load<u8>(p) & 15;
    let symbols = 0;
    for (let i: usize = 1; i <= 16; i++) symbols += load<u8>(p + i);
    if (kind > 1 || slot > 3 || symbols > 256 || p + 17 + symbols > end) {
      return report(BAD_SEGMENT, p, DHT);
    }
    defineHuffmanTable(huffmanTable(kind, slot), p + 1, 16 + symbols);
    p += 17 + symbols;
  }
  return 0;
}

/** B.2.3. */
function readScan(p: usize, length: i32): i32 {
  if (!componentCount) return report(SCAN_BEFORE_FRAME, p, SOS);
  const count: i32 = length > 0 ? load<u8>(p) : 0;
  if (count < 1 || count > 4 || length != 4 + 2 * count) return report(BAD_SEGMENT, p, SOS);
  for (let i = 0; i < count; i++) {
    const source = p + 1 + 2 * i;
    const identifier: i32 = load<u8>(source);
    const tables: i32 = load<u8>(source, 1);
    const index = findComponent(identifier, i);
    if (index < 0) return report(BAD_SCAN_COMPONENT, source, identifier);
    if (tables >> 4 > 3 || (tables & 15) > 3) return report(BAD_SEGMENT, source + 1, SOS);
    store<i32>(SCAN_COMPONENTS + (i << 2), index);
    const component = componentAt(index);
    store<usize>(component, huffmanTable(0, tables >> 4), DC_TABLE);
    store<usize>(component, huffmanTable(1, tables & 15), AC_TABLE);
  }
  const last = p + 1 + 2 * count;
  scanCount = count;
  spectralStart = load<u8>(last);
  spectralEnd = load<u8>(last, 1);
  successiveHigh = load<u8>(last, 2) >> 4;
  successiveLow = load<u8>(last, 2) & 15;
  return 0;
}

/** The first component of that identifier that is not among the `taken` first of the scan. */
function findComponent(identifier: i32, taken: i32): i32 {
  for (let index = 0; index < componentCount; index++) {
    if (load<i32>(componentAt(index), IDENTIFIER) != identifier) continue;
    let isTaken = false;
    for (let i = 0; i < taken; i++) {
      if (load<i32>(SCAN_COMPONENTS + (i << 2)) == index) isTaken = true;
    }
    if (!isTaken) return index;
  }
  return -1;
}

/**
 * Walks over all markers without decoding anything: the number of scans, counted no further than
 * `most` + 1, or minus a fault if a second frame header follows.
 */
export function countScans(address: usize, most: i32): i32 {
  let p = address;
  let scans = 1;
  while (scans <= most) {
    p = findMarker(p, streamEnd);
    if (p + 4 > streamEnd) break;
    const code: i32 = load<u8>(p, 1);
    if (code == EOI) break;
    p += 2;
    if (isStandalone(code) || code == SOI) continue;
    if (isFrame(code)) return -report(SECOND_FRAME, p - 2, code);
    if (code == SOS) scans++;
    p += max(read16(p), 2);
  }
  return scans;
}
