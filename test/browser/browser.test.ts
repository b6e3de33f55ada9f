// ImageData, ImageBitmap and canvas helpers: which of them keep every colour, read back through WebGL.
import { describe, expect, test } from 'vitest';
import { drawToCanvas, toImageBitmap, toImageData } from '../../src/browser.js';
import { decode, type Image } from '../../src/index.js';
import { fetchFixture, largestDifference } from './support.js';
import { createContext, readTexels } from './webgl.js';

/** Every alpha with sixteen colours each, among them ones that premultiplication loses. */
function everyAlpha(): Image {
  const data = new Uint8ClampedArray(16 * 256 * 4);
  for (let y = 0; y < 256; y++) {
    for (let x = 0; x < 16; x++)
      data.set([x * 17, 255 - x * 16, (x * 37 + y) & 255, y], (y * 16 + x) * 4);
  }
  return { width: 16, height: 256, data };
}

describe('toImageData', () => {
  test('shares the memory of the picture', async () => {
    const image = decode(await fetchFixture('blp2-dxt5-alpha8.blp'));
    const pixels = toImageData(image);
    expect([pixels.width, pixels.height]).toEqual([image.width, image.height]);
    expect(pixels.data.buffer).toBe(image.data.buffer);
    expect(pixels.colorSpace).toBe('srgb');
  });

  test('takes a picture inside a larger buffer', async () => {
    const into = new Uint8Array(64 * 64 * 4 + 100).subarray(100);
    const image = decode(await fetchFixture('blp2-dxt5-alpha8.blp'), { into });
    expect(toImageData(image).data).toEqual(image.data);
  });

  test('channels', () => {
    const data = new Uint8ClampedArray([1, 2, 3, 4, 250, 251, 252, 253]);
    const image = { width: 2, height: 1, data };
    const of = (channels: 'rgb' | 'red' | 'green' | 'blue' | 'alpha') => [
      ...toImageData(image, { channels }).data,
    ];
    expect(of('rgb')).toEqual([1, 2, 3, 255, 250, 251, 252, 255]);
    expect(of('red')).toEqual([1, 1, 1, 255, 250, 250, 250, 255]);
    expect(of('green')).toEqual([2, 2, 2, 255, 251, 251, 251, 255]);
    expect(of('blue')).toEqual([3, 3, 3, 255, 252, 252, 252, 255]);
    expect(of('alpha')).toEqual([4, 4, 4, 255, 253, 253, 253, 255]);
    expect([...data]).toEqual([1, 2, 3, 4, 250, 251, 252, 253]);
    expect(() => toImageData(image, { channels: 'luma' as 'red' })).toThrow(/channels must be/);
  });
});

/** The texels that WebGL gets of a bitmap. */
function upload(bitmap: ImageBitmap): Uint8Array {
  const gl = createContext();
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAX_LEVEL, 0);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, bitmap);
  return readTexels(gl, 0, bitmap.width, bitmap.height);
}

describe('toImageBitmap', () => {
  test('WebGL gets every colour under every alpha', async () => {
    const image = everyAlpha();
    expect(largestDifference(upload(await toImageBitmap(image)), image.data)).toBe(0);
  });

  test('the same through a premultiplied bitmap loses colours: the test would notice', async () => {
    const image = everyAlpha();
    const bitmap = await createImageBitmap(toImageData(image), { premultiplyAlpha: 'premultiply' });
    expect(largestDifference(upload(bitmap), image.data)).toBeGreaterThan(100);
  });
});

describe('drawToCanvas', () => {
  const readBack = (canvas: HTMLCanvasElement): Uint8ClampedArray => {
    const context = canvas.getContext('2d') as CanvasRenderingContext2D;
    return context.getImageData(0, 0, canvas.width, canvas.height).data;
  };

  test('opaque pixels come back as they were', async () => {
    const image = decode(await fetchFixture('blp2-dxt1-alpha0.blp'));
    const canvas = document.createElement('canvas');
    drawToCanvas(canvas, image);
    expect([canvas.width, canvas.height]).toEqual([image.width, image.height]);
    expect([...readBack(canvas)]).toEqual([...image.data]);
  });

  test('so do the channels of a picture with alpha', () => {
    const image = everyAlpha();
    const canvas = document.createElement('canvas');
    for (const channels of ['rgb', 'red', 'alpha'] as const) {
      drawToCanvas(canvas, image, { channels });
      expect([...readBack(canvas)]).toEqual([...toImageData(image, { channels }).data]);
    }
  });

  test('an OffscreenCanvas, and a canvas that is taken', () => {
    const image = everyAlpha();
    const canvas = new OffscreenCanvas(1, 1);
    drawToCanvas(canvas, image);
    expect(canvas.height).toBe(256);
    const taken = document.createElement('canvas');
    taken.getContext('webgl2');
    expect(() => drawToCanvas(taken, image)).toThrow(/another kind of context/);
  });
});
