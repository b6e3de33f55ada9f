// What is wrong with a JPEG stream, in words: one list for both decoders.

import { BlpError } from '../errors.js';

/** The numbers of assembly/decode/jpeg/fault.ts: from 32 on for streams that are sound and not supported. */
export const faults = {
  notJpeg: 1,
  noScan: 2,
  segmentCut: 3,
  badSegment: 4,
  badHuffmanTable: 5,
  secondFrame: 6,
  emptyFrame: 7,
  badSampling: 8,
  scanBeforeFrame: 9,
  badScanComponent: 10,
  missingQuantisation: 11,
  missingHuffman: 12,
  badProgression: 13,
  dataEnds: 14,
  badCode: 15,
  blockOverrun: 16,
  badRestart: 17,
  missingScans: 18,
  unsupportedProcess: 32,
  unsupportedPrecision: 33,
  unsupportedComponents: 34,
  unsupportedLines: 35,
} as const;

/**
 * By number. `#` stands for the value found: `FF #` for a marker, in hexadecimal, `# × #` for the two factors of a
 * byte, `#` alone for a number.
 */
const messages: Readonly<Record<number, string>> = {
  1: 'the JPEG stream does not begin with FF D8',
  2: 'the JPEG stream ends before its first scan',
  3: 'the JPEG stream ends inside the segment of marker FF #',
  4: 'the JPEG segment of marker FF # contradicts itself',
  5: 'a Huffman table of the JPEG stream is impossible (found #)',
  6: 'the JPEG stream has a second frame header (marker FF #), one is allowed',
  7: 'the JPEG frame has a side of 0 pixels',
  8: 'JPEG sampling factors # × # found, each must be 1 to 4',
  9: 'a JPEG scan precedes the frame header',
  10: 'a JPEG scan has components that do not fit its frame (found #)',
  11: 'component # of the JPEG stream has no quantisation table',
  12: 'a JPEG scan uses a Huffman table that the stream does not define',
  13: 'a progressive JPEG scan has impossible parameters',
  14: 'the JPEG data ends before the picture is complete',
  15: 'the JPEG data holds a code that its Huffman table does not have',
  16: 'the JPEG data runs past the end of an 8 × 8 block',
  17: 'the JPEG data has marker FF # where a restart marker is due',
  18: 'the JPEG stream ends before all of its scans',
  32: 'the JPEG process of marker FF # (lossless, hierarchical or arithmetic) is not read',
  33: 'JPEG samples of # bits are not read, only 8',
  34: 'JPEG streams of # components are not read, only 1, 3 and 4',
  35: 'JPEG streams whose height follows in a DNL segment are not read',
};

/** The error of a fault; `offset` counts from the first byte of the header chunk. */
export function jpegFault(fault: number, offset: number, detail = 0): BlpError {
  const marker = detail.toString(16).toUpperCase().padStart(2, '0');
  const text = messages[fault]
    .replace('FF #', `FF ${marker}`)
    .replace('# × #', `${detail >> 4} × ${detail & 15}`)
    .replace('#', `${detail}`);
  return new BlpError(
    fault < 32 ? 'damaged' : 'unsupported',
    `${text}, at byte ${offset} of the stream`,
    offset,
  );
}
