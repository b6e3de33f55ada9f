// The chain of levels: where it ends and with which warning, what makes level 0 unusable, BLP0's files, salvage.
import { describe, expect, it } from 'vitest';
import { buildFile, type FileParts, type Slot } from '../../fixtures/generate/container.js';
import { readHeader } from '../../src/container/header.js';
import { type Chain, type ChainOptions, readChain } from '../../src/container/levels.js';
import { fullChainLength, levelSide } from '../../src/container/sides.js';
import type { BlpWarning } from '../../src/warnings.js';
import { errorOf } from '../reference/errors.js';

/** BGRA of 8 × 4 with its four levels. */
const sides = [
  [8, 4],
  [4, 2],
  [2, 1],
  [1, 1],
];
const base: FileParts = {
  version: 2,
  width: 8,
  height: 4,
  alphaBits: 8,
  encoding: 3,
  levels: sides.map(([width, height], n) => new Uint8Array(width * height * 4).fill(n + 1)),
};

function read(
  parts: Partial<FileParts>,
  options: Partial<ChainOptions> = {},
): { chain: Chain; warnings: BlpWarning[]; bytes: Uint8Array } {
  const bytes = buildFile({ ...base, ...parts });
  const warnings: BlpWarning[] = [];
  const chain = readChain(bytes, readHeader(bytes), {
    salvage: false,
    warn: (warning) => warnings.push(warning),
    ...options,
  });
  return { chain, warnings, bytes };
}

const codes = (warnings: BlpWarning[]): [string, number | undefined][] =>
  warnings.map(({ code, level }) => [code, level]);

describe('sides', () => {
  it.each([
    [1, 1, 1],
    [2, 1, 2],
    [1, 3, 2],
    [32, 8, 6],
    [256, 256, 9],
    [65535, 65535, 16],
    [1, 65535, 16],
  ])('%i × %i has %i levels', (width, height, count) => {
    expect(fullChainLength(width, height)).toBe(count);
  });

  it('halves and rounds down to no less than 1', () => {
    expect([0, 1, 2, 3, 15].map((level) => levelSide(5, level))).toEqual([5, 2, 1, 1, 1]);
  });
});

describe('a sound chain', () => {
  it('gives views of the file', () => {
    const { chain, warnings, bytes } = read({});
    expect(warnings).toEqual([]);
    expect(chain.levels.map(({ width, height }) => [width, height])).toEqual(sides);
    let offset = 148 + 1024;
    chain.levels.forEach((level, n) => {
      const size = sides[n][0] * sides[n][1] * 4;
      expect(level).toMatchObject({ level: n, offset, size });
      expect(level.bytes.buffer).toBe(bytes.buffer);
      expect(level.bytes.byteOffset).toBe(bytes.byteOffset + offset);
      expect(level.bytes.length).toBe(size);
      offset += size;
    });
  });

  it('finds levels in any order', () => {
    const { chain, warnings } = read({
      levels: [...base.levels].reverse(),
      slots: (slots) => slots.splice(0, 4, ...slots.slice(0, 4).reverse()),
    });
    expect(warnings).toEqual([]);
    expect(chain.levels.map(({ bytes }) => bytes[0])).toEqual([1, 2, 3, 4]);
  });

  it('keeps bytes past the texels in the level', () => {
    const { chain, warnings } = read({ levels: [new Uint8Array(200)], hasMips: 0 });
    expect(warnings).toEqual([]);
    expect(chain.levels[0].bytes.length).toBe(200);
  });
});

describe('the end of the chain', () => {
  const change =
    (n: number, slot: Partial<Slot>) =>
    (slots: Slot[]): void => {
      Object.assign(slots[n], slot);
    };
  const start = 148 + 1024;

  it.each<[string, string, (slots: Slot[]) => void]>([
    ['no offset', 'level-empty', change(2, { offset: 0 })],
    ['no size', 'level-empty', change(2, { size: 0 })],
    ['the last byte of the header', 'level-in-header', change(2, { offset: 147 })],
    ['an end at 2³²', 'level-past-end', change(2, { offset: start, size: 2 ** 32 - start })],
    ['an end past 2³²', 'level-past-end', change(2, { offset: 0xffffffff, size: 0xffffffff })],
    ['the slot of level 1', 'level-overlap', (slots) => change(2, slots[1])(slots)],
    ['the last byte of level 1', 'level-overlap', (slots) => slots[2].offset--],
    ['all of the file', 'level-overlap', change(2, { offset: 148, size: 1024 + 100 })],
    ['a part of level 0', 'level-overlap', change(2, { offset: start + 8 })],
    ['one byte less than its texels', 'level-too-short', change(2, { size: 7 })],
  ])('%s in slot 2: %s', (_, code, slots) => {
    const { chain, warnings } = read({ slots });
    expect(chain.levels.length).toBe(2);
    expect(codes(warnings)).toEqual([[code, 2]]);
    expect(warnings[0].message).toContain('level 2');
  });

  it('reads a level that begins right behind the header', () => {
    const { chain } = read({ slots: change(2, { offset: 148 }) });
    expect(chain.levels.length).toBe(4);
  });

  it('tells a level that ends with the file from one that ends past it', () => {
    const length = read({}).bytes.length;
    const last = length - 4;
    expect(read({ slots: change(3, { offset: last }) }).chain.levels.length).toBe(4);
    const past = read({ slots: change(3, { offset: last + 1 }) });
    expect(past.chain.levels.length).toBe(3);
    expect(codes(past.warnings)).toEqual([['level-past-end', 3]]);
  });

  it('has no warning where the header promises a single level', () => {
    const single = [base.levels[0]];
    expect(read({ levels: single, hasMips: 0 }).warnings).toEqual([]);
    expect(codes(read({ levels: single, hasMips: 1 }).warnings)).toEqual([['level-empty', 1]]);
  });

  it('ignores slots past 1 × 1 with one warning', () => {
    const { chain, warnings } = read({
      slots: (slots) => {
        slots[4] = { offset: 1, size: 0xffffffff };
        slots[9] = { ...slots[0] };
      },
    });
    expect(chain.levels.length).toBe(4);
    expect(codes(warnings)).toEqual([['level-past-chain', 4]]);
  });

  it('reads all sixteen slots', () => {
    const levels = Array.from({ length: 16 }, (_, n) => new Uint8Array(4 * (32768 >> n)));
    const { chain, warnings } = read({ width: 32768, height: 1, levels });
    expect(warnings).toEqual([]);
    expect(chain.levels.length).toBe(16);
  });
});

describe('level 0', () => {
  it.each<[string, string, (slots: Slot[]) => void]>([
    ['empty', 'damaged', (slots) => Object.assign(slots[0], { offset: 0, size: 0 })],
    ['in the header', 'damaged', (slots) => Object.assign(slots[0], { offset: 100 })],
    ['past the end', 'truncated', (slots) => Object.assign(slots[0], { size: 100000 })],
    ['too short', 'truncated', (slots) => Object.assign(slots[0], { size: 127 })],
  ])('%s is an error: %s', (_, expected, slots) => {
    const { code, message } = errorOf(() => read({ slots }));
    expect(code).toBe(expected);
    expect(message).toContain('level 0');
  });

  it.each([
    [1, 4],
    [4, 16],
    [8, 32],
  ])('needs an alpha list of %i bits, or goes without: %i bytes', (alphaBits, listSize) => {
    const parts = { encoding: 1, alphaBits, hasMips: 0 };
    const enough = read({ ...parts, levels: [new Uint8Array(32 + listSize)] });
    expect(enough.chain.paletteAlphaBits).toBe(alphaBits);
    expect(enough.warnings).toEqual([]);
    const short = read({ ...parts, levels: [new Uint8Array(32 + listSize - 1)] });
    expect(short.chain.paletteAlphaBits).toBe(0);
    expect(codes(short.warnings)).toEqual([['alpha-missing', 0]]);
    expect(errorOf(() => read({ ...parts, levels: [new Uint8Array(31)] })).code).toBe('truncated');
  });

  it('decides for the alpha lists of all levels', () => {
    const indices = sides.map(([width, height]) => new Uint8Array(width * height));
    const none = read({ encoding: 1, levels: indices });
    expect(none.chain.levels.length).toBe(4);
    const levels = [new Uint8Array(64), ...indices.slice(1)];
    const some = read({ encoding: 1, levels });
    expect(some.chain.levels.length).toBe(1);
    expect(codes(some.warnings)).toEqual([['level-too-short', 1]]);
  });
});

describe('the palette', () => {
  const parts: Partial<FileParts> = { version: 1, alphaBits: 0, hasMips: 0 };
  const levels = [new Uint8Array(32)];

  it.each([1024, 1000, 4, 0])('ends where level 0 begins: %i bytes', (size) => {
    const { chain, warnings } = read({ ...parts, levels, palette: new Uint8Array(size) });
    expect(chain.palette.length).toBe(size);
    expect(codes(warnings)).toEqual(size < 1024 ? [['palette-short', undefined]] : []);
  });

  it('has no more than 256 entries', () => {
    const { chain } = read({ ...parts, levels, palette: new Uint8Array(1024), gap: 100 });
    expect(chain.palette.length).toBe(1024);
  });
});

describe('BLP0', () => {
  const parts: Partial<FileParts> = { version: 0, alphaBits: 0, palette: new Uint8Array(1024) };
  const files = sides.map(([width, height]) => new Uint8Array(width * height));

  it('takes levels from files', () => {
    const { chain, warnings } = read(parts, { levelFiles: files });
    expect(warnings).toEqual([]);
    expect(chain.levels.map(({ bytes }) => bytes)).toEqual(files);
    expect(chain.levels.map(({ offset, size }) => [offset, size])).toEqual(
      files.map(({ length }) => [0, length]),
    );
    expect(chain.levels[2].bytes.buffer).toBe(files[2].buffer);
  });

  it.each([
    ['missing', undefined],
    ['empty', new Uint8Array(0)],
  ])('ends at a file that is %s', (word, file) => {
    const { chain, warnings } = read(parts, { levelFiles: [files[0], files[1], file, files[3]] });
    expect(chain.levels.length).toBe(2);
    expect(codes(warnings)).toEqual([['level-empty', 2]]);
    expect(warnings[0].message).toContain('.b02');
    expect(warnings[0].message).toContain(word);
  });

  it('needs a file for level 0', () => {
    for (const levelFiles of [undefined, [], [undefined, files[1]]]) {
      const { code, message } = errorOf(() => read(parts, { levelFiles }));
      expect(code).toBe('truncated');
      expect(message).toContain('.b00');
    }
  });
});

describe('JPEG', () => {
  const frame = (width: number, height: number): Uint8Array =>
    Uint8Array.of(0xff, 0xd8, 0xff, 0xc0, 0, 20, 8, 0, height, 0, width, 4, ...new Uint8Array(12));
  const readFrames = (frames: [number, number][], more: Partial<FileParts> = {}) =>
    read({
      version: 1,
      alphaBits: 8,
      jpegHeader: new Uint8Array(0),
      levels: frames.map(([width, height]) => frame(width, height)),
      ...more,
    });

  it('compares each frame with its level', () => {
    const { chain, warnings } = readFrames([
      [8, 4],
      [4, 1],
      [3, 1],
    ]);
    expect(chain.levels.length).toBe(2);
    expect(codes(warnings)).toEqual([
      ['jpeg-frame-size', 1],
      ['level-undecodable', 2],
    ]);
    expect(warnings[1].message).toContain('3 × 1');
    expect(warnings[1].message).toContain('2 × 1');
  });

  it('refuses a frame that is larger than level 0, or empty', () => {
    for (const sidesOf of [
      [9, 4],
      [8, 5],
      [0, 4],
      [8, 0],
    ] as [number, number][]) {
      expect(errorOf(() => readFrames([sidesOf])).code).toBe('damaged');
    }
  });

  it.each([0, 1, 2, 3, 5, 9, 11])(
    'finds the frame in a chunk of %i bytes and the rest',
    (split) => {
      const whole = frame(8, 4);
      const { chain } = readFrames([], {
        hasMips: 0,
        jpegHeader: whole.subarray(0, split),
        levels: [whole.subarray(split)],
      });
      expect(chain.jpegHeader.length).toBe(split);
      expect(chain.levels.length).toBe(1);
    },
  );

  it('cuts a chunk that runs past the end of the file', () => {
    const { chain, warnings, bytes } = readFrames([[8, 4]], {
      hasMips: 0,
      jpegHeaderSize: 0xffffffff,
    });
    expect(codes(warnings)).toEqual([
      ['jpeg-header-past-end', undefined],
      ['jpeg-header-size', undefined],
    ]);
    expect(chain.jpegHeader.length).toBe(bytes.length - 160);
  });

  it('warns of a chunk above 624 bytes', () => {
    const sized = (size: number): BlpWarning[] => {
      const jpegHeader = new Uint8Array(size).fill(0xff);
      jpegHeader.set([0xff, 0xd8]);
      return readFrames([], {
        hasMips: 0,
        jpegHeader,
        levels: [frame(8, 4).subarray(2)],
      }).warnings;
    };
    expect(sized(624)).toEqual([]);
    expect(codes(sized(625))).toEqual([['jpeg-header-size', undefined]]);
  });
});

describe('alpha bits', () => {
  it.each([
    ['paletted', { encoding: 1, levels: [new Uint8Array(64)] }, [0, 1, 4, 8], [2, 5, 16, 255]],
    ['bgra', { encoding: 3, levels: [new Uint8Array(128)] }, [0, 1, 4, 8], [136]],
  ])('of %s', (_, parts, valid, invalid) => {
    for (const alphaBits of valid) {
      expect(read({ ...parts, alphaBits, hasMips: 0 }).warnings).toEqual([]);
    }
    for (const alphaBits of invalid) {
      const { chain, warnings } = read({ ...parts, alphaBits, hasMips: 0 });
      expect(codes(warnings)).toEqual([['alpha-bits-invalid', undefined]]);
      expect(chain.paletteAlphaBits).toBe(0);
    }
  });

  it('are not taken for 8 by their low byte', () => {
    const { chain, warnings } = read({
      version: 1,
      alphaBits: 0x20000008,
      palette: new Uint8Array(1024),
      hasMips: 0,
      levels: [new Uint8Array(64)],
    });
    expect(chain.paletteAlphaBits).toBe(0);
    expect(codes(warnings)).toEqual([['alpha-bits-invalid', undefined]]);
  });
});

describe('salvage', () => {
  it('clips levels to the file', () => {
    const { bytes } = read({});
    const cut = bytes.subarray(0, bytes.length - 20);
    const warnings: BlpWarning[] = [];
    const chain = readChain(cut, readHeader(cut), {
      salvage: true,
      warn: (warning) => warnings.push(warning),
    });
    // 20 bytes less: level 3 and level 2 are gone, level 1 has lost 8 of its 32.
    expect(chain.levels.map(({ bytes: { length } }) => length)).toEqual([128, 24]);
    expect(codes(warnings)).toEqual([
      ['level-clipped', 1],
      ['level-past-end', 2],
    ]);
  });

  it('takes a cut level 0', () => {
    const { chain, warnings } = read(
      { slots: (slots) => Object.assign(slots[0], { size: 50 }), hasMips: 0 },
      { salvage: true },
    );
    expect(chain.levels[0].bytes.length).toBe(50);
    expect(codes(warnings)[0]).toEqual(['truncated', 0]);
  });
});
