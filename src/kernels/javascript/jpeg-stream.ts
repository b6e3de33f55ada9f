// The walk over a JPEG stream before any of its coefficients are decoded, as the AssemblyScript decoder makes it.

import { concatenate } from '../../bytes.js';
import { BlpError } from '../../errors.js';
import { isFrameMarker } from '../../jpeg.js';
import type { Limits } from '../../limits.js';
import { checkFrame, checkScans } from '../jpeg-checks.js';
import { faults, jpegFault } from '../jpeg-faults.js';
import type { Destination, JpegOptions, JpegSource } from '../kernels.js';
import { cleanFrame, cleanScan, cleanStream, type Part } from './jpeg-clean.js';
import {
  type Headers,
  isComplete,
  isRgb,
  noHeaders,
  readScan,
  readSegment,
  segmentAt,
  word,
} from './jpeg-segments.js';

/** What is known of a stream before any of its coefficients are decoded. */
export interface JpegStream extends Headers {
  /** Are three components RGB instead of YCbCr? */
  isRgb: boolean;
  /** Is something missing at its end? Only with `salvage`. */
  isCut: boolean;
  /** A stream of the first `scans` scans, of nothing but what jpeg-js needs for the coefficients. */
  clean(scans: number): Uint8Array;
}

/** What the walk meets, apart from what the headers say. */
interface Walk {
  /** All scans, also those that do not count. */
  scans: number;
  /** Of the clean stream. */
  parts: Part[];
  /** Was there an end marker? */
  ended: boolean;
  isCut: boolean;
}

/**
 * Reads all headers.
 *
 * @param level the level that the frame must fit into, where there is one
 * @throws BlpError `damaged`, `unsupported`, or `limit` for too large a frame or too many scans
 */
export function readJpegStream(
  { header, body }: JpegSource,
  options: JpegOptions,
  level: Destination | undefined,
): JpegStream {
  const bytes = concatenate([header, body]);
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) throw jpegFault(faults.notJpeg, 0);
  const headers = noHeaders();
  const { scans, parts, ended, isCut } = walk(bytes, headers, options, level);
  if (scans === 0) throw jpegFault(faults.noScan, bytes.length);
  const lacksScans = headers.components.some((component) => !isComplete(component, !ended));
  if (lacksScans && !options.salvage) throw jpegFault(faults.missingScans, bytes.length);
  return {
    ...headers,
    isRgb: isRgb(headers),
    isCut: isCut || lacksScans,
    clean: (count) => cleanStream(parts, count),
  };
}

/** Goes from segment to segment up to the end marker, to the end of the bytes, or with `salvage` to damage. */
function walk(
  bytes: Uint8Array,
  headers: Headers,
  { salvage, limits }: JpegOptions,
  level: Destination | undefined,
): Walk {
  const found: Walk = { scans: 0, parts: [], ended: false, isCut: false };
  let p = 2;
  while (true) {
    p = findMarker(bytes, p);
    if (p >= bytes.length) return found;
    const code = bytes[p + 1];
    if (code === 0xd9) {
      found.ended = true;
      return found;
    }
    if (isStandalone(code)) {
      p += 2;
    } else if (headers.isWhole) {
      // Nothing counts any more, but a second frame is refused and scans are counted.
      if (isFrameMarker(code)) throw jpegFault(faults.secondFrame, p, code);
      if (code === 0xda) checkScans(++found.scans, limits);
      p += 2 + (code === 0xd8 ? 0 : Math.max(2, word(bytes, p + 2)));
    } else {
      try {
        p = takeSegment(bytes, p, headers, found, limits, level);
      } catch (error) {
        const isDamage = error instanceof BlpError && error.code === 'damaged';
        const isSecondFrame = isFrameMarker(code) && headers.components.length > 0;
        if (!salvage || !isDamage || found.scans === 0 || isSecondFrame) throw error;
        found.isCut = true;
        return found;
      }
    }
  }
}

/** Takes the segment at `p` up, with the data that follows a scan header; returns the first byte behind. */
function takeSegment(
  bytes: Uint8Array,
  p: number,
  headers: Headers,
  found: Walk,
  limits: Readonly<Limits>,
  level: Destination | undefined,
): number {
  const segment = segmentAt(bytes, p);
  const { code, parameters, end } = segment;
  const keep = (kept: Uint8Array) => found.parts.push({ scan: headers.usedScans, bytes: kept });
  if (code === 0xda) {
    // Before any of them is looked into: a flood of scans is refused for its number.
    if (found.scans === 0) checkScans(countScans(bytes, p), limits);
    const indices = readScan(segment, headers);
    found.scans++;
    const dataEnd = endOfData(bytes, end);
    keep(cleanScan(parameters, indices));
    keep(bytes.subarray(end, dataEnd));
    return dataEnd;
  }
  readSegment(segment, headers);
  if (isFrameMarker(code)) {
    checkFrame(headers.width, headers.height, limits, level);
    keep(cleanFrame(code, parameters, headers.components));
  } else if (code === 0xc4 || code === 0xdd) {
    keep(bytes.subarray(p, end));
  }
  return end;
}

function isStandalone(code: number): boolean {
  return code === 1 || (code >= 0xd0 && code <= 0xd7);
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
