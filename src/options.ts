// Checks of what callers pass in: each says what was passed and what is allowed.

import type { LevelRange } from './container/levels.js';
import type { LevelFiles } from './container/slots.js';
import { BlpError } from './errors.js';
import type { Region } from './kernels/kernels.js';
import { checkLimit, type Limits } from './limits.js';

/**
 * Refuses what is no option: a limit in the wrong place or a slip of the pen would otherwise have no effect, silently.
 *
 * @throws BlpError `argument`
 */
export function checkOptions(options: unknown, known: readonly string[]): void {
  checkObject(options, 'options');
  for (const name of Object.keys(options as object)) {
    if (known.includes(name)) continue;
    const message = `${name} is not an option; known options: ${known.join(', ')}`;
    throw new BlpError('argument', message);
  }
}

/** @throws BlpError `argument` unless `value` is an object. */
export function checkObject(value: unknown, name: string): void {
  if (typeof value === 'object' && value !== null) return;
  throw new BlpError('argument', `${name} must be an object, got ${describe(value)}`);
}

/**
 * Input bytes as a `Uint8Array` without copying them.
 *
 * @throws BlpError `argument` for anything but a `Uint8Array` or `ArrayBuffer`, or a detached one.
 */
export function checkBytes(value: Uint8Array | ArrayBuffer, name: string): Uint8Array {
  if (value instanceof Uint8Array) {
    refuseDetached(value.buffer, value.byteLength, name);
    // A view of Node's Buffer as what it stands for: its slice() copies nothing, unlike that of Uint8Array.
    return value.constructor === Uint8Array
      ? value
      : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  }
  if (Object.prototype.toString.call(value) === '[object ArrayBuffer]') {
    refuseDetached(value, value.byteLength, name);
    return new Uint8Array(value);
  }
  throw new BlpError(
    'argument',
    `${name} must be a Uint8Array or ArrayBuffer, got ${describe(value)}`,
  );
}

/**
 * The files of a BLP0 texture's levels, checked like the file itself.
 *
 * @throws BlpError `argument`
 */
export function checkLevelFiles(files: LevelFiles | undefined): LevelFiles | undefined {
  if (files === undefined) return undefined;
  if (!Array.isArray(files)) {
    throw new BlpError('argument', `levelFiles must be an array, got ${describe(files)}`);
  }
  return files.map((file, level) =>
    file === undefined ? undefined : checkBytes(file, `levelFiles[${level}]`),
  );
}

/**
 * Refuses a target that shares memory with what is read: decoding would overwrite its own source.
 *
 * @throws BlpError `argument`
 */
export function refuseOverlap(target: Uint8ClampedArray, sources: readonly Uint8Array[]): void {
  const end = target.byteOffset + target.byteLength;
  for (const { buffer, byteOffset, byteLength } of sources) {
    if (buffer !== target.buffer || byteLength === 0) continue;
    if (byteOffset < end && target.byteOffset < byteOffset + byteLength) {
      throw new BlpError('argument', 'into must not overlap the bytes that are decoded');
    }
  }
}

/** @throws BlpError `argument` for a level that the texture does not have. */
export function checkLevel(levels: readonly LevelRange[], level: number): LevelRange {
  const found = Number.isInteger(level) ? levels[level] : undefined;
  if (found !== undefined) return found;
  throw new BlpError(
    'argument',
    `level must be a whole number from 0 to ${levels.length - 1}, the last that the file has, got ${describe(level)}`,
  );
}

/** @throws BlpError `argument` for a region that is empty or leaves the level. */
export function checkRegion(region: Region | undefined, width: number, height: number): Region {
  if (region === undefined) return { x: 0, y: 0, width, height };
  checkObject(region, 'region');
  const { x, y, width: w, height: h } = region;
  const whole = [x, y, w, h].every((value) => Number.isInteger(value));
  if (whole && x >= 0 && y >= 0 && w >= 1 && h >= 1 && x + w <= width && y + h <= height) {
    return { x, y, width: w, height: h };
  }
  throw new BlpError(
    'argument',
    `region must be whole texels inside the level of ${width} × ${height}, got x ${x}, y ${y}, width ${w}, height ${h}`,
  );
}

/** @throws BlpError `limit` for a picture of more bytes than allowed. */
export function checkOutput(size: number, limits: Readonly<Limits>): void {
  checkLimit(limits, 'maxOutputBytes', size, () => `the picture takes ${size} bytes`);
}

/**
 * The caller's buffer, or a new one, as exactly `size` bytes.
 *
 * @throws BlpError `argument` when it is too small, detached, shared or of another type.
 */
export function checkTarget(
  into: Uint8Array | Uint8ClampedArray | undefined,
  size: number,
): Uint8ClampedArray<ArrayBuffer> {
  if (into === undefined) return allocate(size);
  if (!(into instanceof Uint8Array || into instanceof Uint8ClampedArray)) {
    throw new BlpError(
      'argument',
      `into must be a Uint8Array or Uint8ClampedArray, got ${describe(into)}`,
    );
  }
  const { buffer, byteOffset, byteLength } = into;
  if (typeof SharedArrayBuffer !== 'undefined' && buffer instanceof SharedArrayBuffer) {
    throw new BlpError(
      'argument',
      'into must not be shared memory: decode into a buffer of its own and copy',
    );
  }
  refuseDetached(buffer, byteLength, 'into');
  if (byteLength < size) {
    throw new BlpError('argument', `into has ${byteLength} bytes, the picture takes ${size}`);
  }
  return new Uint8ClampedArray(buffer as ArrayBuffer, byteOffset, size);
}

function allocate(size: number): Uint8ClampedArray<ArrayBuffer> {
  try {
    return new Uint8ClampedArray(size);
  } catch {
    throw new BlpError('limit', `the engine has no ${size} bytes to give for the picture`);
  }
}

function refuseDetached(buffer: ArrayBufferLike, byteLength: number, name: string): void {
  if (byteLength > 0 || buffer.byteLength > 0) return;
  // Only a detached buffer refuses to be viewed; an empty one does not.
  try {
    new Uint8Array(buffer);
  } catch {
    throw new BlpError('argument', `${name} is detached: its buffer was transferred away`);
  }
}

/** The value's type, or the value itself where that is short. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'object') return value.constructor?.name ?? 'an object';
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  return String(value);
}
