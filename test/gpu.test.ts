// Level bytes and format names as GPUs take them.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { decode, exactLevelBytes, opaqueBlocks, parse, webglFormat } from '../src/index.js';

const read = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../fixtures/${name}`, import.meta.url)));

describe('level bytes', () => {
  test.each([
    ['blp2-dxt1-alpha0.blp', 8, 'bc1-rgba-unorm'],
    ['blp2-dxt3-alpha8.blp', 16, 'bc2-rgba-unorm'],
    ['blp2-dxt5-alpha8.blp', 16, 'bc3-rgba-unorm'],
    ['blp2-dxt5-odd-sides.blp', 16, 'bc3-rgba-unorm'],
    ['blp2-bc5.blp', 16, 'bc5-rg-unorm'],
  ] as const)('%s: whole blocks of %i bytes, %s', (name, blockSize, gpuFormat) => {
    const texture = parse(read(name));
    for (const level of texture.levels) {
      expect(level.gpuFormat).toBe(gpuFormat);
      const blocks = Math.ceil(level.width / 4) * Math.ceil(level.height / 4);
      expect(level.bytes.length).toBe(blocks * blockSize);
      expect(level.bytes.buffer).toBe(texture.bytes.buffer);
    }
  });

  test('BGRA: 4 bytes a texel', () => {
    for (const level of parse(read('blp2-bgra-alpha8.blp')).levels) {
      expect(level.gpuFormat).toBe('bgra8unorm');
      expect(level.bytes.length).toBe(level.width * level.height * 4);
    }
  });

  test('JPEG and paletted levels have no format, and are left as they are', () => {
    for (const name of ['blp1-paletted-alpha8.blp', 'blp1-jpeg-alpha8.blp']) {
      for (const level of parse(read(name)).levels) {
        expect(level.gpuFormat).toBeUndefined();
        expect(level.bytes.length).toBe(level.size);
      }
    }
  });

  test('padding behind the blocks is trimmed', () => {
    const padded = new Uint8Array(40).fill(7);
    const exact = exactLevelBytes('dxt5', 5, 3, padded);
    expect(exact.length).toBe(32);
    expect(exact.buffer).toBe(padded.buffer);
    expect(exactLevelBytes('bgra', 3, 3, padded).length).toBe(36);
  });

  test('a slot that is larger than its blocks decodes and uploads the same bytes', () => {
    const bytes = read('blp2-dxt1-alpha1.blp').slice();
    const view = new DataView(bytes.buffer);
    const before = parse(bytes).levels[0];
    // The last level lies last in the file; give level 0 some of what follows it, and drop the other levels.
    view.setUint32(0x54, before.size + 16, true);
    for (let slot = 1; slot < 16; slot++) view.setUint32(0x54 + slot * 4, 0, true);
    const [level] = parse(bytes).levels;
    expect(level.size).toBe(before.size + 16);
    expect(level.bytes).toEqual(before.bytes);
  });

  test('salvaged levels are completed with transparent black, whole blocks only', () => {
    const bytes = read('blp2-dxt1-alpha1.blp');
    const { offset, size, width, height } = parse(bytes).levels[0];
    const cut = bytes.slice(0, offset + size - 12);
    const texture = parse(cut, { salvage: true });
    const [level] = texture.levels;
    expect(level.bytes.length).toBe(size);
    expect(level.bytes.subarray(0, size - 16)).toEqual(bytes.subarray(offset, offset + size - 16));
    expect([...level.bytes.subarray(size - 8)]).toEqual([0, 0, 0, 0, 255, 255, 255, 255]);
    // What the GPU would show of the completed bytes is what the decoder shows of the file.
    const whole = bytes.slice();
    whole.set(level.bytes, offset);
    expect(decode(whole).data).toEqual(texture.decode().data);
    expect([width, height]).toEqual([level.width, level.height]);
  });
});

describe('webglFormat', () => {
  test('extensions and constants', () => {
    const s3tc = 'WEBGL_compressed_texture_s3tc';
    const srgb = 'WEBGL_compressed_texture_s3tc_srgb';
    const of = (encoding: Parameters<typeof webglFormat>[0]['encoding'], alphaBits: number) => [
      webglFormat({ encoding, alphaBits }),
      webglFormat({ encoding, alphaBits }, 'srgb'),
    ];
    expect(of('dxt1', 0)).toEqual([
      { extension: s3tc, internalFormat: 0x83f0 },
      { extension: srgb, internalFormat: 0x8c4c },
    ]);
    expect(of('dxt1', 1)).toEqual([
      { extension: s3tc, internalFormat: 0x83f1 },
      { extension: srgb, internalFormat: 0x8c4d },
    ]);
    expect(of('dxt3', 8)).toEqual([
      { extension: s3tc, internalFormat: 0x83f2 },
      { extension: srgb, internalFormat: 0x8c4e },
    ]);
    expect(of('dxt5', 8)).toEqual([
      { extension: s3tc, internalFormat: 0x83f3 },
      { extension: srgb, internalFormat: 0x8c4f },
    ]);
    const bc5 = { extension: 'EXT_texture_compression_rgtc', internalFormat: 0x8dbd };
    expect(of('bc5', 8)).toEqual([bc5, bc5]);
    expect(of('bgra', 8)).toEqual([undefined, undefined]);
    expect(of('jpeg', 8)).toEqual([undefined, undefined]);
  });
});

describe('opaqueBlocks', () => {
  test.each(['blp2-dxt3-alpha8.blp', 'blp2-dxt5-alpha8.blp'])(
    '%s: alpha 255, same colour',
    (name) => {
      const bytes = read(name);
      const { encoding, levels } = parse(bytes);
      const opaque = bytes.slice();
      for (const level of levels) opaque.set(opaqueBlocks(encoding, level.bytes), level.offset);
      expect(bytes).not.toEqual(opaque);
      expect(decode(opaque, { alpha: 'stored' }).data).toEqual(
        decode(bytes, { alpha: 'opaque' }).data,
      );
    },
  );

  test('the bytes passed in stay as they were, also in a Buffer', () => {
    const buffer = readFileSync(new URL('../fixtures/blp2-dxt5-alpha8.blp', import.meta.url));
    const before = Uint8Array.from(buffer);
    opaqueBlocks('dxt5', parse(buffer).levels[0].bytes);
    expect(Uint8Array.from(buffer)).toEqual(before);
  });

  test('other blocks stay', () => {
    const { bytes } = parse(read('blp2-bc5.blp')).levels[0];
    expect(opaqueBlocks('bc5', bytes)).toBe(bytes);
  });
});
