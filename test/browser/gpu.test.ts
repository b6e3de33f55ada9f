// Level bytes uploaded to WebGL as they are, and the GPU's texels against the decoder's.
import { describe, expect, test } from 'vitest';
import { parse, webglFormat } from '../../src/index.js';
import { fetchFixture, largestDifference } from './support.js';
import { createContext, readTexels } from './webgl.js';

/**
 * GPUs may interpolate the colours of a block at another precision than the 8 bits that the decoder keeps to, and those
 * of alpha and of BC5 as well.
 */
const tolerance = 1;

describe('compressedTexImage2D takes every level', () => {
  test.each([
    'blp2-dxt1-alpha0.blp',
    'blp2-dxt1-alpha1.blp',
    'odd-dxt1-alpha0-index3.blp',
    'odd-dxt1-alpha1-index3.blp',
    'blp2-dxt3-alpha8.blp',
    'blp2-dxt5-alpha8.blp',
    'odd-dxt5-c0-below-c1.blp',
    'blp2-bc5.blp',
  ])('%s', async (name) => {
    const texture = parse(await fetchFixture(name));
    const format = webglFormat(texture);
    if (!format) throw new Error('no format');
    const gl = createContext();
    expect(Object.values(constantsOf(gl.getExtension(format.extension)))).toContain(
      format.internalFormat,
    );
    for (const { level, width, height, bytes } of texture.levels) {
      gl.compressedTexImage2D(gl.TEXTURE_2D, level, format.internalFormat, width, height, 0, bytes);
      expect(gl.getError()).toBe(gl.NO_ERROR);
    }
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAX_LEVEL, texture.levels.length - 1);
    for (const { level, width, height } of texture.levels) {
      const { data } = texture.decode({ level });
      const texels = readTexels(gl, level, width, height);
      expect(largestDifference(texels, data), `level ${level}`).toBeLessThanOrEqual(tolerance);
    }
  });

  test('the constants of the sRGB extension', () => {
    const extension = createContext().getExtension('WEBGL_compressed_texture_s3tc_srgb');
    const constants = constantsOf(extension);
    const srgb = (encoding: 'dxt1' | 'dxt3' | 'dxt5', alphaBits: number): number | undefined =>
      webglFormat({ encoding, alphaBits }, 'srgb')?.internalFormat;
    expect(srgb('dxt1', 0)).toBe(constants.COMPRESSED_SRGB_S3TC_DXT1_EXT);
    expect(srgb('dxt1', 1)).toBe(constants.COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT);
    expect(srgb('dxt3', 8)).toBe(constants.COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT);
    expect(srgb('dxt5', 8)).toBe(constants.COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT);
  });
});

/** An extension's constants by name; they live on its prototype. */
function constantsOf(extension: object | null): Record<string, number> {
  const constants: Record<string, number> = {};
  for (const name in extension) {
    const value = (extension as Record<string, unknown>)[name];
    if (typeof value === 'number') constants[name] = value;
  }
  return constants;
}
