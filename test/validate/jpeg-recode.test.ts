// Recoding JPEG streams: the same samples from a baseline stream, and an alpha plane of 255 beside untouched colours.

import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { frameFinder } from '../../src/container/jpeg-frame.js';
import { BlpError } from '../../src/errors.js';
import { selectKernels } from '../../src/kernels/select.js';
import { defaultLimits } from '../../src/limits.js';
import { parse } from '../../src/texture.js';
import { fillComponent, readCoefficients, writeBaseline } from '../../src/validate/jpeg-recode.js';
import { fixturesFolder, readBytes } from '../reference/files.js';

interface Stream {
  name: string;
  bytes: Uint8Array;
  width: number;
  height: number;
}

const streams: Stream[] = readdirSync(fixturesFolder)
  .filter((name) => /^(blp[12]|odd)-jpeg.*\.blp$/.test(name))
  .flatMap((name) => {
    const texture = parse(readBytes(fixturesFolder, name));
    return texture.levels.map(({ level, bytes, width, height }) => ({
      name: `${name}, level ${level}`,
      bytes: new Uint8Array([...texture.jpegHeader, ...bytes]),
      width,
      height,
    }));
  });

const findFrame = frameFinder(new Uint8Array(0));

function decode({ width, height }: Stream, body: Uint8Array) {
  const target = new Uint8Array(width * height * 4);
  const result = selectKernels().jpeg(
    { header: new Uint8Array(0), body },
    { opaque: false, salvage: false, limits: defaultLimits },
    { width, height, region: { x: 0, y: 0, width, height }, target },
  );
  const { components, progressive } = findFrame(body)!;
  return { ...result, components, progressive, target };
}

describe('recoding', () => {
  it('has progressive, restarted, grey, subsampled and odd-sided streams to go on', () => {
    expect(streams.length).toBeGreaterThan(60);
    const kinds = new Set(streams.map((stream) => decode(stream, stream.bytes).components));
    expect([...kinds].sort()).toEqual([1, 3, 4]);
    expect(
      streams.filter((stream) => decode(stream, stream.bytes).progressive).length,
    ).toBeGreaterThan(5);
  });

  it.each(streams.map((stream) => [stream.name, stream] as const))('%s', (_, stream) => {
    const before = decode(stream, stream.bytes);
    const after = decode(stream, writeBaseline(readCoefficients(stream.bytes)));
    expect(after.progressive).toBe(false);
    expect(after.complete).toBe(true);
    expect(after.components).toBe(before.components);
    expect(Buffer.compare(after.target, before.target)).toBe(0);
  });

  it('fills the alpha plane and nothing else', () => {
    const four = streams.filter((stream) => decode(stream, stream.bytes).components === 4);
    for (const stream of four) {
      const frame = readCoefficients(stream.bytes);
      fillComponent(frame.components[3]);
      const before = decode(stream, stream.bytes);
      const after = decode(stream, writeBaseline(frame));
      expect(after.alphaPlane, stream.name).toBe('full');
      const isColor = (_: number, at: number): boolean => at % 4 !== 3;
      expect(after.target.filter(isColor), stream.name).toEqual(before.target.filter(isColor));
    }
  });

  it('refuses damaged streams with an error of its own', () => {
    const [{ bytes }] = streams;
    for (let length = 0; length < 700; length += 7) {
      try {
        readCoefficients(bytes.subarray(0, length));
      } catch (error) {
        expect(error, `cut to ${length}`).toBeInstanceOf(BlpError);
      }
    }
    expect(() => readCoefficients(bytes.subarray(0, 20))).toThrow(BlpError);
  });
});
