// What identify() calls files of many kinds.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identify } from '../../src/container/identify.js';

const latin1 = (text: string, length = text.length): Uint8Array => {
  const bytes = new Uint8Array(Math.max(length, text.length));
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
};

describe('identify', () => {
  it.each([
    ['', 'an empty file'],
    ['BLP1', 'a BLP1 texture'],
    ['PTCH', 'a PTCH patch file (it must be applied to the original file first)'],
    ['MDLXVERS', 'an MDLX model'],
    ['DDS |', 'a DDS texture'],
    ['\x89PNG\r\n\x1a\n', 'a PNG picture'],
    ['\xff\xd8\xff\xe0', 'a JPEG picture'],
    ['GIF89a', 'a GIF picture'],
    ['RIFF\x10\0\0\0WEBPVP8L', 'a WebP picture'],
    ['RIFF\x10\0\0\0WAVEfmt ', 'a WAV sound'],
    ['8BPS\0\x01', 'a Photoshop document'],
    ['MPQ\x1a ', 'an MPQ archive'],
    ['PK\x03\x04', 'a ZIP archive'],
    ['\xabKTX 20\xbb\r\n\x1a\n', 'a KTX2 texture'],
    ['\xabKTX 11\xbb\r\n\x1a\n', 'a KTX texture'],
    ['REVM\x04\0\0\0', 'a World of Warcraft chunk file (model, map tile or world)'],
    ['hello, world', 'a text'],
    ['BMW is a text, not a bitmap', 'a text'],
    ['<!DOCTYPE html><html>', 'an HTML page'],
    ['\n<svg xmlns="">', 'an SVG drawing'],
    [
      'version https://git-lfs.github.com/spec/v1\noid sha256:00',
      'a Git LFS pointer (fetch the real file with "git lfs pull")',
    ],
    ['\0\0\0\0\0', 'zeros only'],
    ['\x12\x34\x56\x78\x9a', 'unknown data (first bytes 12 34 56 78)'],
    ['\x01', 'unknown data (first bytes 01)'],
    ['BLP', 'a text'],
  ])('%j is %s', (text, phrase) => {
    expect(identify(latin1(text))).toBe(phrase);
  });

  it('knows a TGA by its footer or by a sensible header', () => {
    const header = new Uint8Array(30);
    header.set([0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2, 0, 32, 0x28]);
    expect(identify(header)).toBe('a TGA picture');
    header[16] = 31;
    expect(identify(header)).toBe('unknown data (first bytes 00 00 02 00)');
    const footer = latin1('\x05TRUEVISION-XFILE.\0');
    expect(identify(footer)).toBe('a TGA picture');
  });

  it('knows a BMP by its header size', () => {
    expect(identify(latin1('BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0'))).toBe('a BMP picture');
  });

  it('does not call text cut inside a character binary', () => {
    for (let pad = 0; pad < 4; pad++) {
      const text = new TextEncoder().encode('x'.repeat(pad) + 'Пандария 熊猫 '.repeat(80));
      expect(identify(text)).toBe('a text');
    }
  });

  it('answers for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
        expect(identify(bytes)).toMatch(/^(an? |unknown data|zeros|data that)/);
      }),
    );
  });
});
