// What one decode may cost at most; every limit is checked before anything is allocated.

import { BlpError } from './errors.js';

/** Upper bounds on the work that one texture may cause. All of them may be lowered or raised per call. */
export interface Limits {
  /** Pixels of level 0. Default 8192 × 8192, the largest texture that current graphics cards commonly take. */
  maxPixels: number;
  /** Bytes of the file. Default 512 MiB: an 8192 × 8192 BGRA texture with its whole chain is 341 MiB. */
  maxInputBytes: number;
  /** Bytes of the decoded picture. Default 256 MiB: 8192 × 8192 RGBA. */
  maxOutputBytes: number;
  /** Scans of one JPEG stream. Default 100: real progressive textures have 10 to 20, and each scan walks the whole frame. */
  maxJpegScans: number;
  /**
   * Bytes of the WebAssembly memory that one JPEG level may take; everything else fits the fixed windows of
   * 1.4 MiB. Default 256 MiB: the coefficients of a progressive 4096 × 4096 level take 137 MiB.
   */
  maxWasmMemory: number;
}

/** The limits in force when none are passed. */
export const defaultLimits: Readonly<Limits> = Object.freeze({
  maxPixels: 8192 * 8192,
  maxInputBytes: 512 * 1024 * 1024,
  maxOutputBytes: 256 * 1024 * 1024,
  maxJpegScans: 100,
  maxWasmMemory: 256 * 1024 * 1024,
});

/**
 * Fills in the defaults.
 *
 * @throws BlpError `argument` when a limit is unknown or not a positive number.
 */
export function resolveLimits(limits: Partial<Limits> | undefined): Readonly<Limits> {
  if (limits === undefined) return defaultLimits;
  if (typeof limits !== 'object' || limits === null) {
    throw new BlpError('argument', `limits must be an object, got ${limits}`);
  }
  const resolved: Limits = { ...defaultLimits };
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(defaultLimits, name)) {
      throw new BlpError(
        'argument',
        `limits.${name} is not a limit; known limits: ${Object.keys(defaultLimits).join(', ')}`,
      );
    }
    if (value === undefined) continue;
    if (typeof value !== 'number' || !(value > 0)) {
      throw new BlpError('argument', `limits.${name} must be a positive number, got ${value}`);
    }
    resolved[name as keyof Limits] = value;
  }
  return resolved;
}

/**
 * Holds a value to a limit.
 *
 * @param found says what takes that much: "the file has 5 bytes"
 * @throws BlpError `limit`
 */
export function checkLimit(
  limits: Readonly<Limits>,
  name: keyof Limits,
  value: number,
  found: () => string,
): void {
  if (value <= limits[name]) return;
  throw new BlpError('limit', `${found()}, allowed are ${limits[name]} (limits.${name})`);
}

/** @throws BlpError `limit` when a file is too large to be read. */
export function checkFileSize(limits: Readonly<Limits>, size: number): void {
  checkLimit(limits, 'maxInputBytes', size, () => `the file has ${size} bytes`);
}

/** @throws BlpError `limit` for a picture of more texels than allowed. */
export function checkPixels(limits: Readonly<Limits>, width: number, height: number): void {
  const texels = width * height;
  checkLimit(limits, 'maxPixels', texels, () => `${width} × ${height} texels are ${texels}`);
}
