// KTX2 written, read back by ktx-parse.

import {
  read,
  VK_FORMAT_BC1_RGB_SRGB_BLOCK,
  VK_FORMAT_BC1_RGBA_SRGB_BLOCK,
  VK_FORMAT_BC2_SRGB_BLOCK,
  VK_FORMAT_BC3_SRGB_BLOCK,
  VK_FORMAT_BC5_UNORM_BLOCK,
  VK_FORMAT_R8G8B8A8_SRGB,
} from 'ktx-parse';
import { describe, expect, it } from 'vitest';
import { identify } from '../../src/container/identify.js';
import { writeKtx2 } from '../../src/image/ktx2.js';
import { blockSource, difference, pictureSource, testImage } from './support.js';

describe('writeKtx2', () => {
  it.each([
    ['dxt1', 8, VK_FORMAT_BC1_RGBA_SRGB_BLOCK, 128, 2, [[0, 1]], 8],
    ['dxt1', 0, VK_FORMAT_BC1_RGB_SRGB_BLOCK, 128, 2, [[0, 0]], 8],
    [
      'dxt3',
      8,
      VK_FORMAT_BC2_SRGB_BLOCK,
      129,
      2,
      [
        [0, 31],
        [64, 0],
      ],
      16,
    ],
    [
      'dxt5',
      8,
      VK_FORMAT_BC3_SRGB_BLOCK,
      130,
      2,
      [
        [0, 31],
        [64, 0],
      ],
      16,
    ],
    [
      'bc5',
      0,
      VK_FORMAT_BC5_UNORM_BLOCK,
      132,
      1,
      [
        [0, 0],
        [64, 1],
      ],
      16,
    ],
  ] as const)(
    'holds the blocks of %s, alpha %i',
    (encoding, alphaBits, vkFormat, model, transfer, samples, size) => {
      for (const [width, height] of [
        [64, 32],
        [20, 12],
        [3, 1],
      ] as const) {
        const source = blockSource(encoding, width, height, alphaBits);
        const file = writeKtx2(source);
        expect(identify(file)).toBe('a KTX2 texture');
        const container = read(file);
        expect(container).toMatchObject({
          vkFormat,
          typeSize: 1,
          pixelWidth: width,
          pixelHeight: height,
          pixelDepth: 0,
          layerCount: 0,
          faceCount: 1,
          levelCount: source.levels.length,
          supercompressionScheme: 0,
          keyValue: { KTXorientation: 'rd', KTXwriter: 'blp-wasm' },
        });
        for (const [index, level] of source.levels.entries()) {
          const found = container.levels[index]!;
          expect(difference(found.levelData, level.bytes)).toBeUndefined();
          expect(found.uncompressedByteLength).toBe(level.bytes.length);
          expect(found.levelData.byteOffset % size).toBe(0);
        }
        expect(container.dataFormatDescriptor[0]).toMatchObject({
          colorModel: model,
          colorPrimaries: 1,
          transferFunction: transfer,
          flags: 0,
          texelBlockDimension: [3, 3, 0, 0],
          bytesPlane: [size, 0, 0, 0, 0, 0, 0, 0],
          samples: samples.map(([bitOffset, channelType]) => ({
            bitOffset,
            channelType,
            bitLength: 63,
            sampleLower: 0,
            sampleUpper: 0xffffffff,
          })),
        });
      }
    },
  );

  it('turns everything else into RGBA, also where the decoder lends one buffer', () => {
    const images = [testImage(6, 4), testImage(3, 2), testImage(1, 1)];
    const lent = new Uint8ClampedArray(6 * 4 * 4);
    const source = {
      ...pictureSource(images),
      decodeLevel: (level: number) => {
        const { width, height, data } = images[level]!;
        lent.set(data);
        return { width, height, data: lent.subarray(0, data.length) };
      },
    };
    const container = read(writeKtx2(source));
    expect(container.vkFormat).toBe(VK_FORMAT_R8G8B8A8_SRGB);
    expect(container.levels.length).toBe(3);
    for (const [index, { levelData }] of container.levels.entries()) {
      expect(difference(levelData, images[index]!.data)).toBeUndefined();
    }
    expect(container.dataFormatDescriptor[0]).toMatchObject({
      colorModel: 1,
      transferFunction: 2,
      texelBlockDimension: [0, 0, 0, 0],
      bytesPlane: [4, 0, 0, 0, 0, 0, 0, 0],
      samples: [0, 1, 2, 31].map((channelType, index) => ({
        bitOffset: index * 8,
        bitLength: 7,
        channelType,
        sampleUpper: 255,
      })),
    });
  });

  it('begins at the level that is asked for, and completes a cut one', () => {
    const source = blockSource('dxt5', 16, 16);
    const cut = { ...source.levels[1]!, bytes: source.levels[1]!.bytes.subarray(0, 20) };
    const container = read(writeKtx2({ ...source, levels: [source.levels[0]!, cut] }, 1));
    expect([container.pixelWidth, container.levelCount]).toEqual([8, 1]);
    const expected = new Uint8Array(64);
    expected.set(cut.bytes.subarray(0, 16));
    expect(difference(container.levels[0]!.levelData, expected)).toBeUndefined();
  });
});
