// What the JPEG decoder's fault numbers mean to people.

import { BlpError, type BlpErrorCode } from '../errors.js';

/** By number as in assembly/decode/jpeg/fault.ts; `#` stands for the value that was found. */
const faults: Record<number, [BlpErrorCode, string]> = {
  1: ['damaged', 'the JPEG stream does not begin with FF D8'],
  2: ['damaged', 'the JPEG stream ends before its first scan'],
  3: ['damaged', 'the JPEG stream ends inside the segment of marker FF #'],
  4: ['damaged', 'a JPEG segment contradicts itself (found #)'],
  5: ['damaged', 'a Huffman table of the JPEG stream is impossible (found #)'],
  6: ['damaged', 'the JPEG stream has a second frame header (marker FF #), one is allowed'],
  7: ['damaged', 'the JPEG frame has a side of 0 pixels'],
  8: ['damaged', 'JPEG sampling factors # found, each must be 1 to 4'],
  9: ['damaged', 'a JPEG scan precedes the frame header'],
  10: ['damaged', 'a JPEG scan has components that do not fit its frame (found #)'],
  11: ['damaged', 'component # of the JPEG stream has no quantisation table'],
  12: ['damaged', 'a JPEG scan uses a Huffman table that the stream does not define'],
  13: ['damaged', 'a progressive JPEG scan has impossible parameters'],
  14: ['damaged', 'the JPEG data ends before the picture is complete'],
  15: ['damaged', 'the JPEG data holds a code that its Huffman table does not have'],
  16: ['damaged', 'the JPEG data runs past the end of an 8 × 8 block'],
  17: ['damaged', 'the JPEG data has marker FF # where a restart marker is due'],
  18: ['damaged', 'the JPEG stream ends before all of its scans'],
  32: [
    'unsupported',
    'the JPEG process of marker FF # (lossless, hierarchical or arithmetic) is not read',
  ],
  33: ['unsupported', 'JPEG samples of # (hexadecimal) bits are not read, only 8'],
  34: ['unsupported', 'JPEG streams of # (hexadecimal) components are not read, only 1, 3 and 4'],
  35: ['unsupported', 'JPEG streams whose height follows in a DNL segment are not read'],
};

/** The error of a fault; `offset` counts from the first byte of the header chunk. */
export function jpegFaultError(fault: number, offset: number, detail: number): BlpError {
  const [code, message] = faults[fault]!;
  const found = detail.toString(16).toUpperCase().padStart(2, '0');
  return new BlpError(
    code,
    `${message.replace('#', found)}, at byte ${offset} of the stream`,
    offset,
  );
}
