// The headers of a JPEG stream, checked like the AssemblyScript decoder checks them, and a clean copy for jpeg-js.

import { BlpError } from '../../errors.js';
import { checkFrame, checkScans } from '../jpeg-checks.js';
import { faults, jpegFault } from '../jpeg-faults.js';
import type { Destination, JpegOptions, JpegSource } from '../kernels.js';

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

/** What is known of a stream before any of its coefficients are decoded. */
export interface JpegStream {
  width: number;
  height: number;
  progressive: boolean;
  components: FrameComponent[];
  /** Are three components RGB instead of YCbCr? */
  isRgb: boolean;
  /** Scans of the stream, and how many of them count: one where that holds the whole picture. */
  scans: number;
  usedScans: number;
  /** Components that have a scan of their own. */
  alone: Set<FrameComponent>;
  /** Is something missing at its end? Only with `salvage`. */
  isCut: boolean;
  /** A stream of the first `scans` scans, of nothing but what jpeg-js needs for the coefficients. */
  clean(scans: number): Uint8Array;
}

/** Where the k-th coefficient of the zigzag lies in natural order. */
const naturalOrder = [
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20,
  13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52,
  45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
];

/**
 * Reads all headers.
 *
 * @param level the level that the frame must fit into, where there is one
 * @throws BlpError `damaged`, `unsupported`, or `limit` for too large a frame or too many scans
 */
export function readJpegStream(
  { header, body }: JpegSource,
  { salvage, limits }: JpegOptions,
  level: Destination | undefined,
): JpegStream {
  const bytes = new Uint8Array(header.length + body.length);
  bytes.set(header);
  bytes.set(body, header.length);
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) throw jpegFault(faults.notJpeg, 0);

  const stream: JpegStream = {
    width: 0,
    height: 0,
    progressive: false,
    components: [],
    isRgb: false,
    scans: 0,
    usedScans: 0,
    alone: new Set(),
    isCut: false,
    clean: (scans) => joined(parts, scans),
  };
  /** Pieces of the clean stream; `scan` is the number of scans that need them. */
  const parts: { scan: number; bytes: Uint8Array }[] = [];
  const slots: Uint16Array[] = [];
  let hasJfif = false;
  let adobeTransform = -1;
  let ended = false;
  /** Does the first scan hold the whole picture? */
  let isWhole = false;
  let p = 2;
  const keep = (kept: Uint8Array) => parts.push({ scan: stream.usedScans, bytes: kept });

  /** Takes the segment at `p` up and moves behind it. */
  const takeSegment = (): void => {
    const code = bytes[p + 1];
    if (code === 0xd8) throw jpegFault(faults.badSegment, p, code);
    const end = p + 2 + word(bytes, p + 2);
    if (p + 4 > bytes.length || end > bytes.length) throw jpegFault(faults.segmentCut, p, code);
    if (end < p + 4) throw jpegFault(faults.badSegment, p, code);
    const parameters = bytes.subarray(p + 4, end);
    if (code === 0xdb) readQuantisation(parameters, slots, p);
    else if (code === 0xc4 || code === 0xdd) keep(bytes.subarray(p, end));
    else if (isFrame(code)) {
      if (stream.components.length > 0) throw jpegFault(faults.secondFrame, p, code);
      if (code > 0xc2) throw jpegFault(faults.unsupportedProcess, p, code);
      stream.progressive = code === 0xc2;
      readFrame(parameters, stream, code, p + 4);
      checkFrame(stream.width, stream.height, limits, level);
      keep(cleanFrame(code, parameters, stream));
    } else if (code === 0xdc) throw jpegFault(faults.unsupportedLines, p, code);
    else if (code === 0xe0) hasJfif ||= parameters.length >= 14 && begins(parameters, 'JFIF\0');
    else if (code === 0xee && parameters.length >= 12 && begins(parameters, 'Adobe')) {
      adobeTransform = parameters[11];
    } else if (code === 0xda) {
      // Before any of them is looked into: a flood of scans is refused for its number.
      if (stream.scans === 0) checkScans(countScans(bytes, p), limits);
      const scan = readScan(parameters, stream, slots, p);
      const dataEnd = endOfData(bytes, end);
      stream.scans++;
      stream.usedScans++;
      keep(scan);
      keep(bytes.subarray(end, dataEnd));
      isWhole = !stream.progressive && stream.components.length === parameters[0];
      p = dataEnd;
      return;
    }
    p = end;
  };

  while (true) {
    p = findMarker(bytes, p);
    if (p >= bytes.length) break;
    const code = bytes[p + 1];
    if (code === 0xd9) {
      ended = true;
      break;
    }
    if (isStandalone(code)) {
      p += 2;
      continue;
    }
    if (isWhole) {
      // Nothing counts any more, but a second frame is refused and scans are counted.
      if (isFrame(code)) throw jpegFault(faults.secondFrame, p, code);
      if (code === 0xda) checkScans(++stream.scans, limits);
      p += 2 + (code === 0xd8 ? 0 : Math.max(2, word(bytes, p + 2)));
      continue;
    }
    try {
      takeSegment();
    } catch (error) {
      const isDamage = error instanceof BlpError && error.code === 'damaged';
      const isSecondFrame = isFrame(code) && stream.components.length > 0;
      if (!salvage || !isDamage || stream.scans === 0 || isSecondFrame) throw error;
      stream.isCut = true;
      break;
    }
  }
  if (stream.scans === 0) throw jpegFault(faults.noScan, bytes.length);
  if (stream.components.some((component) => !isComplete(component, !ended))) {
    if (!salvage) throw jpegFault(faults.missingScans, bytes.length);
    stream.isCut = true;
  }
  const identifiers = String.fromCharCode(...stream.components.map((c) => c.identifier));
  stream.isRgb = !hasJfif && (adobeTransform >= 0 ? adobeTransform === 0 : identifiers === 'RGB');
  return stream;
}

function word(bytes: Uint8Array, p: number): number {
  return (bytes[p] << 8) | bytes[p + 1];
}

function begins(bytes: Uint8Array, text: string): boolean {
  return [...text].every((character, i) => bytes[i] === character.charCodeAt(0));
}

function isStandalone(code: number): boolean {
  return code === 1 || (code >= 0xd0 && code <= 0xd7);
}

function isFrame(code: number): boolean {
  return code >= 0xc0 && code <= 0xcf && code !== 0xc4 && code !== 0xc8 && code !== 0xcc;
}

/** First marker at or after `p`, or the length of the bytes. */
function findMarker(bytes: Uint8Array, p: number): number {
  while (true) {
    const found = bytes.indexOf(0xff, p);
    if (found < 0 || found + 1 >= bytes.length) return bytes.length;
    const next = bytes[found + 1];
    if (next !== 0 && next !== 0xff) return found;
    p = found + 1;
  }
}

/** Scans from the one at `p` on. */
function countScans(bytes: Uint8Array, start: number): number {
  let scans = 0;
  let p = start;
  while (p + 4 <= bytes.length && bytes[p + 1] !== 0xd9) {
    const end = p + 2 + word(bytes, p + 2);
    if (bytes[p + 1] === 0xda) scans++;
    p = endOfData(bytes, end);
  }
  return scans;
}

/** First marker after `p` that is no restart marker. */
function endOfData(bytes: Uint8Array, p: number): number {
  let end = findMarker(bytes, p);
  while (end < bytes.length && (bytes[end + 1] & 0xf8) === 0xd0) end = findMarker(bytes, end + 2);
  return end;
}

function readQuantisation(parameters: Uint8Array, slots: Uint16Array[], offset: number): void {
  for (let p = 0; p < parameters.length; ) {
    const isWide = parameters[p] >> 4;
    const slot = parameters[p] & 15;
    const size = 64 << isWide;
    if (slot > 3 || isWide > 1 || p + 1 + size > parameters.length) {
      throw jpegFault(faults.badSegment, offset, 0xdb);
    }
    p++;
    const table = new Uint16Array(64);
    naturalOrder.forEach((place, k) => {
      table[place] = isWide ? word(parameters, p + 2 * k) : parameters[p + k];
    });
    slots[slot] = table;
    p += size;
  }
}

function readFrame(parameters: Uint8Array, stream: JpegStream, code: number, offset: number): void {
  if (parameters.length < 6) throw jpegFault(faults.badSegment, offset, code);
  const precision = parameters[0];
  if (precision !== 8) throw jpegFault(faults.unsupportedPrecision, offset, precision);
  stream.height = word(parameters, 1);
  stream.width = word(parameters, 3);
  if (stream.width === 0 || stream.height === 0) throw jpegFault(faults.emptyFrame, offset + 1);
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
  stream.components = components;
}

/** The frame header with components 0, 1, …: jpeg-js mistakes components of one identifier for one. */
function cleanFrame(code: number, parameters: Uint8Array, stream: JpegStream): Uint8Array {
  const clean = Uint8Array.from([0xff, code, 0, parameters.length + 2, ...parameters]);
  stream.components.forEach(({ horizontal, vertical }, i) => {
    clean[10 + 3 * i] = i;
    clean[11 + 3 * i] = (horizontal << 4) | vertical;
  });
  return clean;
}

/** Checks a scan header and takes note of what it brings; returns it for the clean stream. */
function readScan(
  parameters: Uint8Array,
  stream: JpegStream,
  slots: Uint16Array[],
  offset: number,
): Uint8Array {
  const { components, progressive } = stream;
  if (components.length === 0) throw jpegFault(faults.scanBeforeFrame, offset, 0xda);
  const count = parameters[0] ?? 0;
  if (count < 1 || count > 4 || parameters.length !== 4 + 2 * count) {
    throw jpegFault(faults.badSegment, offset, 0xda);
  }
  const scan: FrameComponent[] = [];
  const clean = Uint8Array.from([0xff, 0xda, 0, parameters.length + 2, ...parameters]);
  for (let i = 0; i < count; i++) {
    const identifier = parameters[1 + 2 * i];
    const index = components.findIndex((c) => c.identifier === identifier && !scan.includes(c));
    if (index < 0) throw jpegFault(faults.badScanComponent, offset, identifier);
    if (parameters[2 + 2 * i] & 0xcc) throw jpegFault(faults.badSegment, offset, 0xda);
    clean[5 + 2 * i] = index;
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
    component.quantisation ??= slots[component.quantisationSlot];
    if (!component.quantisation) {
      throw jpegFault(faults.missingQuantisation, offset, components.indexOf(component));
    }
    component.firstScan = Math.min(component.firstScan, stream.usedScans + 1);
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
  if (count === 1) stream.alone.add(scan[0]);
  return clean;
}

/** Has the component a first scan and, if `exact`, each coefficient all of its bits? */
function isComplete({ precision }: FrameComponent, exact: boolean): boolean {
  return precision[0] !== 255 && (!exact || precision.every((low) => low === 0));
}

function joined(parts: { scan: number; bytes: Uint8Array }[], scans: number): Uint8Array {
  const wanted = parts.filter(({ scan }) => scan <= scans);
  const length = wanted.reduce((sum, { bytes }) => sum + bytes.length, 4);
  const clean = new Uint8Array(length);
  clean.set([0xff, 0xd8]);
  let p = 2;
  for (const { bytes } of wanted) {
    clean.set(bytes, p);
    p += bytes.length;
  }
  clean.set([0xff, 0xd9], p);
  return clean;
}
