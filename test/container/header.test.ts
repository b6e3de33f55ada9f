// Header fields of all three versions, field by field, and every way in which a header is refused.
import { describe, expect, it } from 'vitest';
import { buildFile, type FileParts } from '../../fixtures/generate/container.js';
import { readHeader } from '../../src/container/header.js';
import { errorOf } from '../reference/errors.js';

const level = new Uint8Array(64);
const base = { width: 4, height: 4, alphaBits: 8, levels: [level] };

describe('fields', () => {
  it('reads BLP1', () => {
    const bytes = buildFile({
      version: 1,
      width: 300,
      height: 70000 - 65536,
      alphaBits: 0x20000008,
      extra: 4,
      hasMips: 17,
      levels: [level, level],
    });
    const header = readHeader(bytes);
    expect(header).toMatchObject({
      version: 1,
      encoding: 'paletted',
      width: 300,
      height: 4464,
      alphaBits: 0x20000008,
      content: 1,
      extra: 4,
      hasMips: 17,
      headerSize: 156,
    });
    expect(header.offsets).toEqual([156, 220, ...new Array<number>(14).fill(0)]);
    expect(header.sizes).toEqual([64, 64, ...new Array<number>(14).fill(0)]);
  });

  it('reads BLP2', () => {
    const bytes = buildFile({
      version: 2,
      ...base,
      width: 1,
      height: 65535,
      encoding: 3,
      alphaBits: 136,
      alphaType: 2,
      hasMips: 5,
    });
    const header = readHeader(bytes);
    expect(header).toMatchObject({
      version: 2,
      encoding: 'bgra',
      width: 1,
      height: 65535,
      alphaBits: 136,
      content: 1,
      encodingByte: 3,
      alphaType: 2,
      hasMips: 5,
      headerSize: 148,
    });
    expect(header.offsets[0]).toBe(148 + 1024);
    expect(header.sizes[0]).toBe(64);
  });

  it('reads BLP0, which has no slots', () => {
    const header = readHeader(buildFile({ version: 0, ...base, extra: 3 }));
    expect(header).toMatchObject({ version: 0, encoding: 'paletted', extra: 3, headerSize: 28 });
    expect(header.offsets).toEqual([]);
    expect(header.sizes).toEqual([]);
  });

  it.each([
    [0, 28],
    [1, 156],
    [2, 148],
  ] as const)('finds the JPEG header chunk of BLP%i behind its %i bytes', (version, size) => {
    const bytes = buildFile({ version, ...base, jpegHeader: new Uint8Array(10) });
    expect(readHeader(bytes)).toMatchObject({
      encoding: 'jpeg',
      content: 0,
      jpegHeaderSize: 10,
      jpegHeaderOffset: size + 4,
    });
  });

  it('reads slots as unsigned numbers', () => {
    const bytes = buildFile({
      version: 1,
      ...base,
      slots: (slots) => {
        slots[15] = { offset: 0xfffffff0, size: 0x80000000 };
      },
    });
    const header = readHeader(bytes);
    expect(header.offsets[15]).toBe(0xfffffff0);
    expect(header.sizes[15]).toBe(0x80000000);
  });

  it('reads a view that begins anywhere in its buffer', () => {
    const bytes = buildFile({ version: 2, ...base, encoding: 3 });
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    expect(readHeader(shifted.subarray(3))).toEqual(readHeader(bytes));
  });
});

describe('encodings of BLP2', () => {
  const encodingOf = (parts: Partial<FileParts>): string =>
    readHeader(buildFile({ version: 2, ...base, ...parts })).encoding;

  it.each([
    [{ encoding: 1 }, 'paletted'],
    [{ encoding: 1, alphaType: 0 }, 'paletted'],
    [{ encoding: 2, alphaType: 0 }, 'dxt1'],
    [{ encoding: 2, alphaType: 1 }, 'dxt3'],
    [{ encoding: 2, alphaType: 7 }, 'dxt5'],
    [{ encoding: 2, alphaType: 11 }, 'bc5'],
    [{ encoding: 2, alphaType: 8, alphaBits: 72 }, 'dxt5'],
    [{ encoding: 2, alphaType: 0, alphaBits: 72 }, 'dxt1'],
    [{ encoding: 3, alphaType: 0 }, 'bgra'],
    [{ encoding: 4 }, 'bgra'],
    [{ content: 0, encoding: 2 }, 'jpeg'],
  ])('%o is %s', (parts, encoding) => {
    expect(encodingOf(parts)).toBe(encoding);
  });
});

describe('refusals', () => {
  const sound = buildFile({ version: 1, ...base });
  const withMagic = (magic: string): Uint8Array => {
    const bytes = new Uint8Array(sound);
    bytes.set(Buffer.from(magic, 'latin1'));
    return bytes;
  };

  it.each([
    ['PTCH', 'PTCH patch'],
    ['MDLX', 'MDLX model'],
    ['DDS ', 'DDS texture'],
    ['\x89PNG\r\n\x1a\n', 'PNG picture'],
    ['BLP3', 'first bytes 42 4c 50 33'],
  ])('names %j', (magic, words) => {
    const { code, message } = errorOf(() => readHeader(withMagic(magic)));
    expect(code).toBe('not-blp');
    expect(message).toContain(words);
  });

  it('names files of no and of few bytes', () => {
    const empty = errorOf(() => readHeader(new Uint8Array(0)));
    expect([empty.code, empty.message]).toEqual(['not-blp', expect.stringContaining('empty')]);
    expect(errorOf(() => readHeader(Uint8Array.of(0x42, 0x4c, 0x50))).code).toBe('not-blp');
  });

  it.each([
    [0, 28],
    [1, 156],
    [2, 148],
  ] as const)('refuses BLP%i that ends inside its %i bytes', (version, size) => {
    const bytes = buildFile({ version, ...base, encoding: 3 });
    for (const length of [4, 5, 12, size - 1]) {
      const { code, offset, message } = errorOf(() => readHeader(bytes.subarray(0, length)));
      expect([code, offset]).toEqual(['truncated', length]);
      expect(message).toContain(`${size}`);
    }
    expect(readHeader(bytes.subarray(0, size)).version).toBe(version);
  });

  it.each([
    [{ version: 1, content: 2 }, 'content 2'],
    [{ version: 0, content: 0xffffffff }, 'content 4294967295'],
    [{ version: 2, content: 2 }, 'type 2'],
    [{ version: 2, encoding: 0 }, 'encoding 0'],
    [{ version: 2, encoding: 5 }, 'encoding 5'],
    [{ version: 2, encoding: 2, alphaType: 8 }, 'alpha type 8'],
    [{ version: 2, encoding: 2, alphaType: 2 }, 'alpha type 2'],
  ] as const)('%o is unsupported', (parts, words) => {
    const { code, message } = errorOf(() => readHeader(buildFile({ ...base, ...parts })));
    expect(code).toBe('unsupported');
    expect(message).toContain(words);
  });

  it.each([
    [0, 4, 'width is 0'],
    [4, 0, 'height is 0'],
    [65536, 4, 'width is 65536'],
    [4, 83886338, 'height is 83886338'],
    [0xffffffff, 0xffffffff, 'width is 4294967295'],
  ])('sides %i × %i are damage', (width, height, words) => {
    for (const version of [0, 1, 2] as const) {
      const bytes = buildFile({ ...base, version, width, height });
      const { code, message, offset } = errorOf(() => readHeader(bytes));
      expect(code).toBe('damaged');
      expect(message).toContain(words);
      expect(message).toContain('1 to 65535');
      expect(offset).toBe(words.startsWith('width') ? 0x0c : 0x10);
    }
  });
});
