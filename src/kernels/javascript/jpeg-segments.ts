// The header segments of a JPEG stream (ITU-T T.81, B.2), checked like the AssemblyScript decoder checks them.

import { BlpError } from '../../errors.js';
import { isFrameMarker, zigzag } from '../../jpeg.js';
import { faults, jpegFault } from '../jpeg-faults.js';

export interface FrameComponent {
  identifier: number;
  /** Sampling factors. */
  horizontal: number;
  vertical: number;
  quantisationSlot: number;
  /** 64 values in natural order, those in force at the component's first scan. */
  quantisation: Uint16Array | undefined;
  /** Number of scans up to and with the component's first; infinite while no scan held it. */
  firstScan: number;
  /** Per coefficient its lowest bit that is still to come, 0 when complete, 255 while no scan held it. */
  precision: Uint8Array;
}

/** What the segments read so far say. */
export interface Headers {
  width: number;
  height: number;
  progressive: boolean;
  components: FrameComponent[];
  /** Quantisation tables, 64 values in natural order each. */
  slots: Uint16Array[];
  hasJfif: boolean;
  /** -1 without an Adobe segment. */
  adobeTransform: number;
  /** Scans that count: one where that holds the whole picture. */
  usedScans: number;
  /** Did the last scan hold the whole picture? */
  isWhole: boolean;
  /** Components that have a scan of their own. */
  alone: Set<FrameComponent>;
}

export function noHeaders(): Headers {
  return {
    width: 0,
    height: 0,
    progressive: false,
    components: [],
    slots: [],
    hasJfif: false,
    adobeTransform: -1,
    usedScans: 0,
    isWhole: false,
    alone: new Set(),
  };
}

export interface Segment {
  /** Second byte of the marker. */
  code: number;
  /** Of the marker in the stream. */
  offset: number;
  parameters: Uint8Array;
  /** First byte behind it. */
  end: number;
}

/** The segment whose marker lies at `p`. */
export function segmentAt(bytes: Uint8Array, p: number): Segment {
  const code = bytes[p + 1];
  if (code === 0xd8) throw jpegFault(faults.badSegment, p, code);
  const end = p + 2 + word(bytes, p + 2);
  if (p + 4 > bytes.length || end > bytes.length) throw jpegFault(faults.segmentCut, p, code);
  if (end < p + 4) throw jpegFault(faults.badSegment, p, code);
  return { code, offset: p, parameters: bytes.subarray(p + 4, end), end };
}

/** Takes up any segment but a scan header. */
export function readSegment(segment: Segment, headers: Headers): void {
  const { code, offset, parameters } = segment;
  if (code === 0xdb) readQuantisation(segment, headers.slots);
  else if (isFrameMarker(code)) readFrame(segment, headers);
  else if (code === 0xdc) throw jpegFault(faults.unsupportedLines, offset, code);
  else if (code === 0xe0) {
    headers.hasJfif ||= parameters.length >= 14 && begins(parameters, 'JFIF\0');
  } else if (code === 0xee && parameters.length >= 12 && begins(parameters, 'Adobe')) {
    headers.adobeTransform = parameters[11];
  }
}

/** Are three components RGB instead of YCbCr? */
export function isRgb({ components, hasJfif, adobeTransform }: Headers): boolean {
  if (hasJfif) return false;
  if (adobeTransform >= 0) return adobeTransform === 0;
  return String.fromCharCode(...components.map(({ identifier }) => identifier)) === 'RGB';
}

/** Has the component a first scan and, if `exact`, each coefficient all of its bits? */
export function isComplete({ precision }: FrameComponent, exact: boolean): boolean {
  return precision[0] !== 255 && (!exact || precision.every((low) => low === 0));
}

export function word(bytes: Uint8Array, p: number): number {
  return (bytes[p] << 8) | bytes[p + 1];
}

function begins(bytes: Uint8Array, text: string): boolean {
  return [...text].every((character, i) => bytes[i] === character.charCodeAt(0));
}

/** B.2.4.1: tables of 64 values in zigzag order, of 8 or 16 bits. */
function readQuantisation({ parameters, offset }: Segment, slots: Uint16Array[]): void {
  for (let p = 0; p < parameters.length; ) {
    const isWide = parameters[p] >> 4;
    const slot = parameters[p] & 15;
    const size = 64 << isWide;
    if (slot > 3 || isWide > 1 || p + 1 + size > parameters.length) {
      throw jpegFault(faults.badSegment, offset, 0xdb);
    }
    p++;
    const table = new Uint16Array(64);
    zigzag.forEach((place, k) => {
      table[place] = isWide ? word(parameters, p + 2 * k) : parameters[p + k];
    });
    slots[slot] = table;
    p += size;
  }
}

/** B.2.2. */
function readFrame({ code, parameters, offset: start }: Segment, headers: Headers): void {
  if (headers.components.length > 0) throw jpegFault(faults.secondFrame, start, code);
  if (code > 0xc2) throw jpegFault(faults.unsupportedProcess, start, code);
  const offset = start + 4;
  if (parameters.length < 6) throw jpegFault(faults.badSegment, offset, code);
  headers.progressive = code === 0xc2;
  const precision = parameters[0];
  if (precision !== 8) throw jpegFault(faults.unsupportedPrecision, offset, precision);
  headers.height = word(parameters, 1);
  headers.width = word(parameters, 3);
  if (headers.width === 0 || headers.height === 0) throw jpegFault(faults.emptyFrame, offset + 1);
  const count = parameters[5];
  if (parameters.length !== 6 + 3 * count) {
    throw jpegFault(faults.badSegment, offset, code);
  }
  if (count !== 1 && count !== 3 && count !== 4) {
    throw jpegFault(faults.unsupportedComponents, offset + 5, count);
  }
  const components: FrameComponent[] = [];
  for (let i = 0; i < count; i++) {
    const p = 6 + 3 * i;
    const factors = parameters[p + 1];
    const horizontal = factors >> 4;
    const vertical = factors & 15;
    if (horizontal < 1 || horizontal > 4 || vertical < 1 || vertical > 4) {
      throw jpegFault(faults.badSampling, offset + p + 1, factors);
    }
    const slot = parameters[p + 2];
    if (slot > 3) throw jpegFault(faults.badSegment, offset + p + 2, code);
    components.push({
      identifier: parameters[p],
      // A component alone is never interleaved: its factors mean nothing.
      horizontal: count === 1 ? 1 : horizontal,
      vertical: count === 1 ? 1 : vertical,
      quantisationSlot: slot,
      quantisation: undefined,
      firstScan: Number.POSITIVE_INFINITY,
      precision: new Uint8Array(64).fill(255),
    });
  }
  headers.components = components;
}

/** B.2.3: checks a scan header and takes note of what it brings; returns the indices of its components. */
export function readScan({ parameters, offset }: Segment, headers: Headers): number[] {
  const { components, progressive } = headers;
  if (components.length === 0) throw jpegFault(faults.scanBeforeFrame, offset, 0xda);
  const count = parameters[0] ?? 0;
  if (count < 1 || count > 4 || parameters.length !== 4 + 2 * count) {
    throw jpegFault(faults.badSegment, offset, 0xda);
  }
  const scan: FrameComponent[] = [];
  for (let i = 0; i < count; i++) {
    const identifier = parameters[1 + 2 * i];
    const index = components.findIndex((c) => c.identifier === identifier && !scan.includes(c));
    if (index < 0) throw jpegFault(faults.badScanComponent, offset, identifier);
    if (parameters[2 + 2 * i] & 0xcc) throw jpegFault(faults.badSegment, offset, 0xda);
    scan.push(components[index]);
  }
  const [start, end, successive] = parameters.subarray(1 + 2 * count) as unknown as number[];
  const high = successive! >> 4;
  const low = successive! & 15;
  if (
    progressive &&
    (end! > 63 ||
      start! > end! ||
      (start === 0 ? end !== 0 : count !== 1) ||
      low > 13 ||
      (high !== 0 && high !== low + 1))
  ) {
    throw jpegFault(faults.badProgression, offset);
  }
  const blocks = scan.reduce((sum, c) => sum + c.horizontal * c.vertical, 0);
  if (count > 1 && blocks > 10) throw jpegFault(faults.badScanComponent, offset, blocks);
  for (const component of scan) {
    component.quantisation ??= headers.slots[component.quantisationSlot];
    if (!component.quantisation) {
      throw jpegFault(faults.missingQuantisation, offset, components.indexOf(component));
    }
    component.firstScan = Math.min(component.firstScan, headers.usedScans + 1);
    const band = progressive ? component.precision.subarray(start, end! + 1) : component.precision;
    // What such scans leave of the earlier ones is not the same in jpeg-js.
    if (band.some((bit) => (progressive ? (bit === 255 ? 0 : bit) !== high : bit !== 255))) {
      throw new BlpError(
        'unsupported',
        'JPEG scans that repeat or skip bits are read by the WebAssembly decoder only',
        offset,
      );
    }
    band.fill(progressive ? low : 0);
  }
  if (count === 1) headers.alone.add(scan[0]);
  headers.usedScans++;
  headers.isWhole = !progressive && count === components.length;
  return scan.map((component) => components.indexOf(component));
}
