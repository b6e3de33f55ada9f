// Compares pictures; a wrong one is written as PNG to a temporary folder, so that a person can look at it.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decode as decodePng, encode as encodePng } from 'fast-png';
import type { Picture } from './pixels.js';

/** A picture as any decoder returns it. */
export interface AnyPicture {
  width: number;
  height: number;
  data: Uint8Array | Uint8ClampedArray;
}

/** SHA-256 in hexadecimal. */
export function sha256(data: Uint8Array | Uint8ClampedArray): string {
  return createHash('sha256').update(data).digest('hex');
}

/** An RGBA PNG. */
export function writePng(picture: AnyPicture): Uint8Array {
  const { width, height, data } = picture;
  return encodePng({ width, height, data: new Uint8Array(data), channels: 4, depth: 8 });
}

/** An RGBA PNG as written by {@link writePng}. */
export function readPng(bytes: Uint8Array): Picture {
  const { width, height, data, channels } = decodePng(bytes);
  if (channels !== 4) throw new Error(`a reference picture has ${channels} channels, expected 4`);
  return { width, height, data: new Uint8Array(data) };
}

/** Writes a picture to look at and says where. */
export function dumpPicture(name: string, picture: AnyPicture): string {
  const folder = join(tmpdir(), 'blp-wasm-mismatches');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name.replace(/[^\w.-]+/g, '_')}.png`);
  writeFileSync(path, writePng(picture));
  return path;
}

/** The first texel that differs by more than `tolerance` in any sample, in words; undefined where there is none. */
export function firstDifference(
  actual: AnyPicture,
  expected: AnyPicture,
  tolerance = 0,
): string | undefined {
  if (actual.width !== expected.width || actual.height !== expected.height) {
    return `sides ${actual.width} × ${actual.height}, expected ${expected.width} × ${expected.height}`;
  }
  if (actual.data.length !== expected.data.length) {
    return `${actual.data.length} bytes, expected ${expected.data.length}`;
  }
  for (let at = 0; at < expected.data.length; at++) {
    if (Math.abs(actual.data[at] - expected.data[at]) > tolerance) {
      const texel = Math.floor(at / 4);
      const show = (picture: AnyPicture): string =>
        [...picture.data.subarray(texel * 4, texel * 4 + 4)].join(' ');
      return `texel ${texel % expected.width}, ${Math.floor(texel / expected.width)} is ${show(actual)}, expected ${show(expected)}`;
    }
  }
  return undefined;
}

/** Throws where the pictures differ, having written both. */
export function expectSamePicture(
  name: string,
  actual: AnyPicture,
  expected: AnyPicture,
  tolerance = 0,
): void {
  const difference = firstDifference(actual, expected, tolerance);
  if (difference === undefined) return;
  const written = [
    dumpPicture(`${name}-actual`, actual),
    dumpPicture(`${name}-expected`, expected),
  ];
  throw new Error(`${name}: ${difference} (see ${written.join(' and ')})`);
}

/** Throws where the picture's hash is another, having written the picture. */
export function expectHash(name: string, actual: AnyPicture, expectedSha256: string): void {
  const found = sha256(actual.data);
  if (found === expectedSha256) return;
  throw new Error(
    `${name}: SHA-256 ${found}, expected ${expectedSha256} (see ${dumpPicture(name, actual)})`,
  );
}
