// What is wrong with a JPEG stream, in words: one list for both decoders.

import { BlpError, type BlpErrorCode } from '../errors.js';

/**
 * Number as in assembly/decode/jpeg/fault.ts, code, message. `#` stands for the value found: `FF #` for a marker, in
 * hexadecimal, `# × #` for the two factors of a byte, `#` alone for a number.
 */
const faults = {
  notJpeg: [1, 'damaged', 'the JPEG stream does not begin with FF D8'],
  noScan: [2, 'damaged', 'the JPEG stream ends before its first scan'],
  segmentCut: [3, 'damaged', 'the JPEG stream ends inside the segment of marker FF #'],
  badSegment: [4, 'damaged', 'the JPEG segment of marker FF # contradicts itself'],
  badHuffmanTable: [5, 'damaged', 'a Huffman table of the JPEG stream is impossible (found #)'],
  secondFrame: [
    6,
    'damaged',
    'the JPEG stream has a second frame header (marker FF #), one is allowed',
  ],
  emptyFrame: [7, 'damaged', 'the JPEG frame has a side of 0 pixels'],
  badSampling: [8, 'damaged', 'JPEG sampling factors # × # found, each must be 1 to 4'],
  scanBeforeFrame: [9, 'damaged', 'a JPEG scan precedes the frame header'],
  badScanComponent: [
    10,
    'damaged',
    'a JPEG scan has components that do not fit its frame (found #)',
  ],
  missingQuantisation: [11, 'damaged', 'component # of the JPEG stream has no quantisation table'],
  missingHuffman: [
    12,
    'damaged',
    'a JPEG scan uses a Huffman table that the stream does not define',
  ],
  badProgression: [13, 'damaged', 'a progressive JPEG scan has impossible parameters'],
  dataEnds: [14, 'damaged', 'the JPEG data ends before the picture is complete'],
  badCode: [15, 'damaged', 'the JPEG data holds a code that its Huffman table does not have'],
  blockOverrun: [16, 'damaged', 'the JPEG data runs past the end of an 8 × 8 block'],
  badRestart: [17, 'damaged', 'the JPEG data has marker FF # where a restart marker is due'],
  missingScans: [18, 'damaged', 'the JPEG stream ends before all of its scans'],
  unsupportedProcess: [
    32,
    'unsupported',
    'the JPEG process of marker FF # (lossless, hierarchical or arithmetic) is not read',
  ],
  unsupportedPrecision: [33, 'unsupported', 'JPEG samples of # bits are not read, only 8'],
  unsupportedComponents: [
    34,
    'unsupported',
    'JPEG streams of # components are not read, only 1, 3 and 4',
  ],
  unsupportedLines: [
    35,
    'unsupported',
    'JPEG streams whose height follows in a DNL segment are not read',
  ],
} satisfies Record<string, [number, BlpErrorCode, string]>;

export type JpegFault = keyof typeof faults;

const names = new Map(
  Object.entries(faults).map(([name, [number]]) => [number, name as JpegFault]),
);

/** The fault of that number in the decode module. */
export function jpegFaultName(number: number): JpegFault {
  return names.get(number)!;
}

/** The error of a fault; `offset` counts from the first byte of the header chunk. */
export function jpegFault(fault: JpegFault, offset: number, detail = 0): BlpError {
  const [, code, message] = faults[fault];
  const marker = detail.toString(16).toUpperCase().padStart(2, '0');
  const text = message
    .replace('FF #', `FF ${marker}`)
    .replace('# × #', `${detail >> 4} × ${detail & 15}`)
    .replace('#', `${detail}`);
  return new BlpError(code as BlpErrorCode, `${text}, at byte ${offset} of the stream`, offset);
}
