// What is wrong with a stream: a number that the host turns into an error, and where in the source it is.

export const NOT_JPEG = 1;
export const NO_SCAN = 2;
export const SEGMENT_CUT = 3;
export const BAD_SEGMENT = 4;
export const BAD_HUFFMAN_TABLE = 5;
export const SECOND_FRAME = 6;
export const EMPTY_FRAME = 7;
export const BAD_SAMPLING = 8;
export const SCAN_BEFORE_FRAME = 9;
export const BAD_SCAN_COMPONENT = 10;
export const MISSING_QUANTISATION = 11;
export const MISSING_HUFFMAN = 12;
export const BAD_PROGRESSION = 13;
export const DATA_ENDS = 14;
export const BAD_CODE = 15;
export const BLOCK_OVERRUN = 16;
export const BAD_RESTART = 17;
export const MISSING_SCANS = 18;
export const UNSUPPORTED_PROCESS = 32;
export const UNSUPPORTED_PRECISION = 33;
export const UNSUPPORTED_COMPONENTS = 34;
export const UNSUPPORTED_LINES = 35;

/** The first fault of the stream; 0 while there is none. */
export let fault: i32 = 0;
/** Address in the source at which it was noticed, and the value that was found there. */
export let faultAddress: usize = 0;
export let faultDetail: i32 = 0;

export function clearFault(): void {
  fault = 0;
}

/** Keeps the first fault; returns `code` so that callers can return it on. */
export function report(code: i32, address: usize, detail: i32 = 0): i32 {
  if (fault == 0) {
    fault = code;
    faultAddress = address;
    faultDetail = detail;
  }
  return code;
}
