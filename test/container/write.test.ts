// The writer: every header byte where the format has it, real files rewritten, and what it refuses.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { maxJpegHeader, readHeader } from '../../src/container/header.js';
import { levelExtension } from '../../src/container/slots.js';
import { type WriteFields, writeBlp, writeBlp0 } from '../../src/container/write.js';
import { parse } from '../../src/index.js';
import { errorOf } from '../reference/errors.js';
import { findRealTextures, readBytes, readCorpusManifest } from '../reference/files.js';

const bgra: WriteFields = { version: 2, encoding: 'bgra', width: 2, height: 1, alphaBits: 8 };
const paletted: WriteFields = {
  version: 1,
  encoding: 'paletted',
  width: 4,
  height: 2,
  alphaBits: 4,
  palette: Uint8Array.of(1, 2, 3, 0, 4, 5, 6, 0),
};

/** Little-endian numbers of 32 bits. */
function words(file: Uint8Array, offset: number, count: number): number[] {
  const view = new DataView(file.buffer, file.byteOffset);
  return Array.from({ length: count }, (_, index) => view.getUint32(offset + index * 4, true));
}

describe('BLP2', () => {
  const file = writeBlp(bgra, [
    Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8),
    Uint8Array.of(9, 10, 11, 12),
  ]);

  it('has the header of the game’s own files', () => {
    expect([...file.subarray(0, 4)]).toEqual([...Buffer.from('BLP2')]);
    expect(words(file, 0x04, 1)).toEqual([1]);
    expect([...file.subarray(0x08, 0x0c)]).toEqual([3, 8, 8, 1]);
    expect(words(file, 0x0c, 2)).toEqual([2, 1]);
    expect(words(file, 0x14, 16)).toEqual([1172, 1180, ...new Array(14).fill(0)]);
    expect(words(file, 0x54, 16)).toEqual([8, 4, ...new Array(14).fill(0)]);
    expect(file.subarray(0x94, 1172).every((byte) => byte === 0)).toBe(true);
    expect([...file.subarray(1172)]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  it('says that a single level is all there is', () => {
    expect(writeBlp(bgra, [new Uint8Array(8)])[0x0b]).toBe(0);
  });

  it.each([
    ['dxt1', 0, 2, 0],
    ['dxt1', 1, 2, 0],
    ['dxt3', 4, 2, 1],
    ['dxt3', 8, 2, 1],
    ['dxt5', 8, 2, 7],
    ['bc5', 0, 2, 11],
    ['bgra', 8, 3, 8],
    ['bgra', 0, 3, 8],
    ['paletted', 0, 1, 8],
    ['paletted', 1, 1, 1],
    ['paletted', 4, 1, 8],
    ['paletted', 8, 1, 8],
  ] as const)(
    '%s with %i alpha bits: encoding %i, alpha type %i',
    (encoding, alphaBits, byte, type) => {
      const written = writeBlp({ ...bgra, encoding, alphaBits }, [new Uint8Array(16)]);
      expect([...written.subarray(0x08, 0x0b)]).toEqual([byte, alphaBits, type]);
      expect(readHeader(written).encoding).toBe(encoding);
    },
  );

  it('keeps fields that are given', () => {
    const written = writeBlp({ ...bgra, alphaBits: 136, alphaType: 2, hasMips: 17 }, [
      new Uint8Array(8),
    ]);
    expect([...written.subarray(0x09, 0x0c)]).toEqual([136, 2, 17]);
  });
});

describe('BLP1', () => {
  const level = Uint8Array.of(0, 1, 0, 1, 0, 1, 0, 1, 0x10, 0x32, 0x54, 0x76);

  it('has palette, levels and the fields of the game’s own files', () => {
    const file = writeBlp(paletted, [level]);
    expect([...file.subarray(0, 4)]).toEqual([...Buffer.from('BLP1')]);
    expect(words(file, 0x04, 6)).toEqual([1, 4, 4, 2, 4, 0]);
    expect(words(file, 0x1c, 2)).toEqual([1180, 0]);
    expect(words(file, 0x5c, 2)).toEqual([12, 0]);
    expect([...file.subarray(156, 168)]).toEqual([1, 2, 3, 0, 4, 5, 6, 0, 0, 0, 0, 0]);
    expect([...file.subarray(1180)]).toEqual([...level]);
  });

  it('writes 5 as extra without alpha', () => {
    expect(words(writeBlp({ ...paletted, alphaBits: 0 }, [level]), 0x14, 1)).toEqual([5]);
  });

  it('cuts levels to what their texels take', () => {
    const file = writeBlp({ ...paletted, alphaBits: 0 }, [level]);
    expect(words(file, 0x5c, 1)).toEqual([8]);
    expect(file.length).toBe(1180 + 8);
  });

  it('takes unknown alpha bits for none, as readers do', () => {
    const file = writeBlp({ ...paletted, alphaBits: 136 }, [level]);
    expect(words(file, 0x08, 1)).toEqual([136]);
    expect(words(file, 0x5c, 1)).toEqual([8]);
    const read = parse(file);
    expect(read.warnings.map(({ code }) => code)).toEqual(['alpha-bits-invalid']);
    const again = writeBlp({ ...read.header, palette: read.palette }, [read.levels[0].bytes]);
    expect([...again]).toEqual([...file]);
  });

  it('puts the size of the JPEG header chunk before it', () => {
    const jpegHeader = Uint8Array.of(0xff, 0xd8, 0xff);
    const fields: WriteFields = { ...paletted, encoding: 'jpeg', alphaBits: 8, jpegHeader };
    const file = writeBlp(fields, [Uint8Array.of(7, 8), Uint8Array.of(9)]);
    expect(words(file, 0x04, 6)).toEqual([0, 8, 4, 2, 4, 1]);
    expect(words(file, 0x1c, 3)).toEqual([163, 165, 0]);
    expect(words(file, 0x5c, 3)).toEqual([2, 1, 0]);
    expect(words(file, 0x9c, 1)).toEqual([3]);
    expect([...file.subarray(0xa0)]).toEqual([0xff, 0xd8, 0xff, 7, 8, 9]);
  });
});

describe('BLP0', () => {
  it('keeps levels out of the file, and slots out of the header', () => {
    const { header, levels } = writeBlp0({ ...paletted, version: 0, alphaBits: 0 }, [
      new Uint8Array(8).fill(1),
      new Uint8Array(2).fill(2),
    ]);
    expect(header.length).toBe(28 + 1024);
    expect([...header.subarray(0, 4)]).toEqual([...Buffer.from('BLP0')]);
    expect(words(header, 0x04, 6)).toEqual([1, 0, 4, 2, 5, 1]);
    expect([...header.subarray(28, 36)]).toEqual([1, 2, 3, 0, 4, 5, 6, 0]);
    expect(levels.map((bytes) => [...bytes])).toEqual([new Array(8).fill(1), [2, 2]]);
  });

  it('names level files', () => {
    expect([0, 9, 15].map(levelExtension)).toEqual(['b00', 'b09', 'b15']);
  });
});

describe('refused', () => {
  const eight = new Uint8Array(8);
  const cases: [string, WriteFields, Uint8Array[], string][] = [
    ['no level', bgra, [], '0 levels'],
    ['too many levels', bgra, [eight, eight, eight], 'allowed are 1 to 2'],
    ['a short level', bgra, [eight, eight.subarray(5)], 'level 1 has 3 bytes'],
    ['an empty JPEG level', { ...paletted, encoding: 'jpeg' }, [eight.subarray(8)], 'level 0'],
    ['side 0', { ...bgra, width: 0 }, [eight], 'width'],
    ['side 65536', { ...bgra, height: 65536 }, [eight], 'height'],
    ['a broken side', { ...bgra, width: 1.5 }, [eight], 'width'],
    ['DXT in BLP1', { ...bgra, version: 1, encoding: 'dxt1' }, [eight], 'version 2'],
    ['a large palette', { ...paletted, palette: new Uint8Array(1028) }, [eight], '1024'],
    [
      'a large JPEG header',
      { ...paletted, encoding: 'jpeg', jpegHeader: new Uint8Array(maxJpegHeader + 1) },
      [eight],
      '624',
    ],
    ['version 3', { ...paletted, version: 3 as 2 }, [eight], '0, 1 or 2, got number 3'],
    ['a version in words', { ...paletted, version: '2' as never }, [], '0, 1 or 2, got string 2'],
    ['BLP0 as one file', { ...paletted, version: 0 }, [eight], 'writeBlp0'],
  ];
  it.each(cases)('%s', (_, fields, levels, message) => {
    const error = errorOf(() => writeBlp(fields, levels));
    expect(error.code).toBe('argument');
    expect(error.message).toContain(message);
  });

  it('BLP1 in many files', () => {
    expect(errorOf(() => writeBlp0(paletted, [eight])).message).toContain('writeBlp');
  });

  it('version 3 in many files', () => {
    const fields = { ...paletted, version: 3 as 0 };
    expect(errorOf(() => writeBlp0(fields, [eight])).message).toContain('0, 1 or 2, got number 3');
  });
});

const { folder, missing, note } = findRealTextures('corpus');

describe.skipIf(missing)(`real files written anew${note}`, () => {
  const entries = readCorpusManifest(folder).filter((_, index) => index % 12 === 0);

  it.each(entries)('$file', ({ file }) => {
    const original = parse(readBytes(join(folder, file)));
    const { palette, jpegHeader } = original;
    const fields = { ...original.header, palette, jpegHeader };
    const copy = parse(
      writeBlp(
        fields,
        original.levels.map(({ bytes }) => bytes),
      ),
    );
    expect(copy.levels.length).toBe(original.levels.length);
    const { offsets: _o, sizes: _s, jpegHeaderSize: _j, ...kept } = original.header;
    expect(copy.header).toMatchObject(kept);
    expect(Buffer.from(palette).equals(copy.palette)).toBe(true);
    expect(Buffer.from(jpegHeader).equals(copy.jpegHeader)).toBe(true);
    copy.levels.forEach(({ bytes }, level) => {
      expect(Buffer.from(bytes).equals(original.levels[level].bytes)).toBe(true);
    });
  });
});

describe('fields that contradict each other', () => {
  const block = new Uint8Array(16);
  const base: WriteFields = { version: 2, encoding: 'dxt3', width: 4, height: 4, alphaBits: 8 };
  it.each<[string, Partial<WriteFields>]>([
    ['alphaBits that a byte does not hold', { alphaBits: 264 }],
    ['alphaBits with a fraction', { alphaBits: 0.5 }],
    ['an alphaType of another DXT format', { alphaType: 7 }],
    ['an unknown alphaType', { alphaType: 3 }],
    ['hasMips below 0', { hasMips: -1 }],
  ])('%s are refused', (_, fields) => {
    const error = errorOf(() => writeBlp({ ...base, ...fields }, [block]));
    expect(error.code).toMatch(/^(argument|unsupported)$/);
  });

  it('alpha bits 72 make any other alphaType DXT5', () => {
    const fields: WriteFields = { ...base, encoding: 'dxt5', alphaBits: 72, alphaType: 5 };
    expect(readHeader(writeBlp(fields, [block])).encoding).toBe('dxt5');
  });
});
