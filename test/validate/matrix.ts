// The matrix of faulty files: each has one fault, made from a good file, and names the code that it must give.

import { readHeader } from '../../src/container/header.js';
import type { LevelFiles } from '../../src/container/levels.js';
import { encode, encodeBlp0 } from '../../src/encode/encode.js';
import type { FindingCode, Game, Severity } from '../../src/validate/codes.js';
import { fixturesFolder, readBytes } from '../reference/files.js';
import { append, edit, goodFile, lengthenChunk, picture, shift } from './support.js';

export interface FaultyFile {
  name: string;
  game: Game;
  code: FindingCode;
  severity: Severity;
  /** The file before it was broken; absent where there is none with the same texels. */
  good?: Uint8Array;
  bytes: Uint8Array;
  /** BLP0: before and after. */
  goodLevels?: LevelFiles;
  levelFiles?: LevelFiles;
  /** Levels whose data the fault destroys, and which repair can only make anew. */
  lost?: readonly number[];
  mendable: boolean;
  maxPixels?: number;
}

/** Last level of a chain of 32 × 16. */
const last = 5;

const dxt1 = goodFile({ encoding: 'dxt1', alphaBits: 1 });
const dxt3 = goodFile({ encoding: 'dxt3', alphaBits: 8 });
const dxt5 = goodFile({ encoding: 'dxt5' });
const opaqueDxt3 = goodFile({ encoding: 'dxt3', alphaBits: 8 }, 'opaque');
const opaqueDxt5 = goodFile({ encoding: 'dxt5' }, 'opaque');
const bgra = goodFile({ encoding: 'bgra', alphaBits: 8 });
const paletted2 = goodFile({ encoding: 'paletted', alphaBits: 8 });
const opaquePaletted2 = goodFile({ encoding: 'paletted', alphaBits: 0 }, 'opaque');
const jpeg = goodFile({ version: 1, encoding: 'jpeg', alphaBits: 8 });
const opaqueJpeg = goodFile({ version: 1, encoding: 'jpeg', alphaBits: 0 }, 'opaque');
const zeroJpeg = goodFile({ version: 1, encoding: 'jpeg', alphaBits: 8 }, 'zero');
const paletted1 = goodFile({ version: 1, encoding: 'paletted', alphaBits: 8 });
const opaquePaletted1 = goodFile({ version: 1, encoding: 'paletted', alphaBits: 0 }, 'opaque');
const singleJpeg = encode(picture(32, 16, 'opaque'), {
  ...{ version: 1, encoding: 'jpeg', alphaBits: 0, mipmaps: false },
});
const tinyJpeg = encode(picture(4, 4, 'opaque'), {
  ...{ version: 1, encoding: 'jpeg', alphaBits: 0, mipmaps: false },
});

/** Files that must give neither error nor warning. */
export const goodFiles: Record<string, { game: Game; bytes: Uint8Array }> = {
  dxt1: { game: 'wow', bytes: dxt1 },
  dxt3: { game: 'wow', bytes: dxt3 },
  dxt5: { game: 'wow', bytes: dxt5 },
  'opaque dxt3': { game: 'wow', bytes: opaqueDxt3 },
  'opaque dxt5': { game: 'wow', bytes: opaqueDxt5 },
  bgra: { game: 'wow', bytes: bgra },
  'paletted BLP2': { game: 'wow', bytes: paletted2 },
  'opaque paletted BLP2': { game: 'wow', bytes: opaquePaletted2 },
  jpeg: { game: 'warcraft3', bytes: jpeg },
  'opaque jpeg': { game: 'warcraft3', bytes: opaqueJpeg },
  'jpeg with zero alpha': { game: 'warcraft3', bytes: zeroJpeg },
  'paletted BLP1': { game: 'warcraft3', bytes: paletted1 },
  'opaque paletted BLP1': { game: 'warcraft3', bytes: opaquePaletted1 },
  'single jpeg': { game: 'warcraft3', bytes: singleJpeg },
};

const wow: FaultyFile[] = [];
const warcraft3: FaultyFile[] = [];

type Extra = Partial<Pick<FaultyFile, 'good' | 'lost' | 'mendable' | 'maxPixels'>>;

function add(
  game: Game,
  code: FindingCode,
  severity: Severity,
  name: string,
  bytes: Uint8Array,
  extra: Extra = {},
): void {
  const list = game === 'wow' ? wow : warcraft3;
  list.push({ name, game, code, severity, bytes, mendable: true, ...extra });
}

// Whole files.
for (const game of ['wow', 'warcraft3'] as const) {
  const good = game === 'wow' ? dxt5 : jpeg;
  const fixed = { mendable: false };
  add(
    game,
    'not-blp',
    'error',
    'a patch file',
    append(Uint8Array.from([80, 84, 67, 72]), good),
    fixed,
  );
  add(game, 'header-truncated', 'error', 'an end inside the header', good.slice(0, 100), fixed);
  add(
    game,
    'version-of-other-game',
    'error',
    'a file of the other game',
    game === 'wow' ? jpeg : dxt5,
    fixed,
  );
  add(game, 'over-limit', 'error', 'more texels than the limit', good, {
    ...fixed,
    maxPixels: 500,
  });
  for (const width of [0, 65536]) {
    const bytes = edit(good, ({ view }) => view.setUint32(0x0c, width, true));
    add(game, 'sides-invalid', 'error', `width ${width}`, bytes, fixed);
  }
}

// Header fields of BLP2.
for (const type of [0, 2, 0xffffffff]) {
  const bytes = edit(dxt5, ({ view }) => view.setUint32(0x04, type, true));
  add('wow', 'type-not-1', 'error', `type ${type} before DXT`, bytes, { good: dxt5 });
}
const jpeg2 = readBytes(fixturesFolder, 'blp2-jpeg-alpha8.blp');
add('wow', 'type-not-1', 'error', 'type 0 before JPEG', jpeg2, { mendable: false });
for (const encoding of [0, 5, 255]) {
  const bytes = edit(dxt5, ({ view }) => view.setUint8(0x08, encoding));
  add('wow', 'encoding-unknown', 'error', `encoding ${encoding}`, bytes, { mendable: false });
}
const alphaType5 = edit(dxt5, ({ view }) => view.setUint8(0x0a, 5));
add('wow', 'alpha-type-unknown', 'error', 'alphaType 5', alphaType5, { mendable: false });
for (const [name, good, depth] of [
  ['DXT1 with 8 bits', dxt1, 8],
  ['DXT3 with 1 bit', dxt3, 1],
  ['DXT5 with 4 bits', dxt5, 4],
  ['opaque DXT3 with 0 bits', opaqueDxt3, 0],
  ['opaque DXT5 with 0 bits', opaqueDxt5, 0],
] as const) {
  const bytes = edit(good, ({ view }) => view.setUint8(0x09, depth));
  add('wow', 'alpha-pair-unusual', 'warning', name, bytes, { good });
}
for (const [name, good] of [
  ['DXT3', dxt3],
  ['DXT5', dxt5],
] as const) {
  const bytes = edit(good, ({ view }) => view.setUint8(0x09, 0));
  add('wow', 'alpha-pair-unusual', 'warning', `${name} with hidden alpha`, bytes, {
    mendable: false,
  });
}
const depth5 = edit(opaquePaletted2, ({ view }) => view.setUint8(0x09, 5));
add('wow', 'alpha-bits-invalid', 'warning', 'paletted with 5 bits', depth5, {
  good: opaquePaletted2,
});
const noList2 = edit(opaquePaletted2, ({ view }) => view.setUint8(0x09, 8));
add('wow', 'alpha-list-missing', 'error', 'BLP2 without alpha list', noList2, {
  good: opaquePaletted2,
});
const noMips2 = edit(dxt5, ({ view }) => view.setUint8(0x0b, 0));
add('wow', 'has-mips-disagrees', 'warning', 'BLP2 hasMips 0 before a chain', noMips2, {
  good: dxt5,
});
for (const [width, height] of [
  [48, 16],
  [16, 20],
] as const) {
  const bytes = encode(picture(width, height), { encoding: 'dxt5', allowAnySize: true });
  add('wow', 'sides-not-power-of-two', 'error', `${width} × ${height}`, bytes, { mendable: false });
}
for (const [name, good] of Object.entries({ dxt1, dxt3, dxt5, bgra })) {
  const bytes = shift(good, 148, -1024);
  add('wow', 'palette-missing', 'error', `${name} without palette`, bytes, { good });
}

// Slots of BLP2, for every kind of content.
for (const [name, good] of Object.entries({ dxt1, dxt3, dxt5, bgra, paletted2 })) {
  const end = good.length;
  const pattern = (index: number): Uint8Array =>
    edit(good, ({ setSlot }) => setSlot(index, end, 2 ** 32 - end));
  add(
    'wow',
    'level-past-end',
    'error',
    `${name}: the plugin's pattern in slot ${last}`,
    pattern(last),
    { good, lost: [last] },
  );
  add('wow', 'level-past-end', 'error', `${name}: the plugin's pattern in slot 2`, pattern(2), {
    good,
    lost: [2],
  });
  add(
    'wow',
    'slot-garbage',
    'warning',
    `${name}: the plugin's pattern past the chain`,
    pattern(last + 1),
    { good },
  );
  const slot15 = edit(good, ({ slot, setSlot }) => setSlot(15, 0, slot(0).size));
  add('wow', 'slot-garbage', 'warning', `${name}: size of slot 0 in slot 15`, slot15, { good });
  const inHeader = edit(good, ({ setSlot }) => setSlot(9, 20, 16));
  add('wow', 'slot-garbage', 'warning', `${name}: slot 9 in the header`, inHeader, { good });
  const onlySize = edit(good, ({ slot, setSlot }) => setSlot(1, slot(1).offset, 0xfffffff0));
  add('wow', 'level-past-end', 'error', `${name}: size alone leaves the file`, onlySize, { good });
  const cut = edit(good, ({ setSlot }) => setSlot(last, 0, 0));
  add('wow', 'chain-incomplete', 'warning', `${name}: without the last level`, cut, {
    good,
    lost: [last],
  });
  const single = edit(good, ({ setSlot }) => {
    for (let index = 1; index <= last; index++) setSlot(index, 0, 0);
  });
  add('wow', 'chain-incomplete', 'warning', `${name}: level 0 alone`, single, {
    good,
    lost: [1, 2, 3, 4, 5],
  });
  const hole = edit(good, ({ setSlot }) => setSlot(3, 0, 0));
  add('wow', 'chain-incomplete', 'warning', `${name}: a hole at level 3`, hole, {
    good,
    lost: [3],
  });
  const header1 = edit(good, ({ slot, setSlot }) => setSlot(1, 100, slot(1).size));
  add('wow', 'level-in-header', 'error', `${name}: level 1 in the header`, header1, {
    good,
    lost: [1],
  });
  const repeated = edit(good, ({ slot, setSlot }) => setSlot(2, slot(1).offset, slot(1).size));
  add('wow', 'slot-duplicated', 'warning', `${name}: slot 2 repeats slot 1`, repeated, {
    good,
    lost: [2],
  });
  const overlap = edit(good, ({ slot, setSlot }) => setSlot(2, slot(2).offset - 1, slot(2).size));
  add('wow', 'level-overlap', 'warning', `${name}: level 2 begins inside level 1`, overlap, {
    good,
    lost: [2],
  });
  for (const by of [-1, 1]) {
    const sized = edit(good, ({ slot, setSlot }) => setSlot(1, slot(1).offset, slot(1).size + by));
    add(
      'wow',
      'level-size',
      'warning',
      `${name}: size of level 1 ${by > 0 ? 'too large' : 'too small'}`,
      sized,
      { good },
    );
  }
  const truncated = edit(good.slice(0, 1300), ({ setSlot }) => {
    for (let index = 1; index <= last; index++) setSlot(index, 0, 0);
  });
  const flagged = edit(truncated, ({ view }) => view.setUint8(0x0b, 0));
  add('wow', 'level-past-end', 'error', `${name}: level 0 is cut short`, flagged, {
    mendable: false,
  });
}

// Header fields of BLP1.
for (const content of [2, 8]) {
  const bytes = edit(jpeg, ({ view }) => view.setUint32(0x04, content, true));
  add('warcraft3', 'content-unknown', 'error', `content ${content} before JPEG`, bytes, {
    good: jpeg,
  });
}
const content8 = edit(paletted1, ({ view }) => view.setUint32(0x04, 8, true));
add('warcraft3', 'content-unknown', 'error', 'content 8 before indices', content8, {
  mendable: false,
});
for (const [name, good, bits] of [
  ['opaque JPEG with 6 bits', opaqueJpeg, 6],
  ['JPEG with alpha and 9 bits', jpeg, 9],
  ['paletted with 3 bits', opaquePaletted1, 3],
] as const) {
  const bytes = edit(good, ({ view }) => view.setUint32(0x08, bits, true));
  add('warcraft3', 'alpha-bits-invalid', 'warning', name, bytes, { good });
}
for (const [name, good] of [
  ['JPEG with alpha', jpeg],
  ['JPEG with zero alpha', zeroJpeg],
] as const) {
  const bytes = edit(good, ({ view }) => view.setUint32(0x08, 0, true));
  add('warcraft3', 'jpeg-alpha-plane', 'warning', `${name} and 0 bits`, bytes, { good });
}
const noList1 = edit(opaquePaletted1, ({ view }) => view.setUint32(0x08, 8, true));
add('warcraft3', 'alpha-list-missing', 'error', 'BLP1 without alpha list', noList1, {
  good: opaquePaletted1,
});
for (const [name, good] of [
  ['JPEG', jpeg],
  ['paletted', paletted1],
] as const) {
  const bytes = edit(good, ({ view }) => view.setUint32(0x18, 0, true));
  add('warcraft3', 'has-mips-disagrees', 'warning', `${name}: hasMips 0 before a chain`, bytes, {
    good,
  });
}
const shortPalette = shift(paletted1, 156 + 1000, -24);
add('warcraft3', 'palette-missing', 'warning', 'a palette of 250 entries', shortPalette);

// Slots of BLP1.
for (const [name, good] of Object.entries({ jpeg, opaqueJpeg, paletted1, opaquePaletted1 })) {
  const cut = edit(good, ({ setSlot }) => setSlot(last, 0, 0));
  add('warcraft3', 'chain-incomplete', 'error', `${name}: without the last level`, cut, {
    good,
    lost: [last],
  });
  const single = edit(good, ({ setSlot }) => {
    for (let index = 1; index <= last; index++) setSlot(index, 0, 0);
  });
  add('warcraft3', 'chain-incomplete', 'error', `${name}: level 0 alone, hasMips 1`, single, {
    good,
    lost: [1, 2, 3, 4, 5],
  });
  const past = edit(good, ({ setSlot }) => setSlot(3, good.length + 5, 40));
  add('warcraft3', 'level-past-end', 'error', `${name}: level 3 behind the end`, past, {
    good,
    lost: [3],
  });
  const header1 = edit(good, ({ slot, setSlot }) => setSlot(1, 60, slot(1).size));
  add('warcraft3', 'level-in-header', 'error', `${name}: level 1 in the header`, header1, {
    good,
    lost: [1],
  });
  const repeated = edit(good, ({ slot, setSlot }) =>
    setSlot(8, slot(last).offset, slot(last).size),
  );
  add('warcraft3', 'slot-duplicated', 'warning', `${name}: slot 8 repeats slot ${last}`, repeated, {
    good,
  });
  const garbage = edit(good, ({ setSlot }) => setSlot(10, 0x7fffffff, 0x80000001));
  add('warcraft3', 'slot-garbage', 'warning', `${name}: garbage in slot 10`, garbage, { good });
}
const sizeLeaves = edit(jpeg, ({ slot, setSlot }) =>
  setSlot(last, slot(last).offset, slot(last).size + 7),
);
add('warcraft3', 'level-past-end', 'error', 'JPEG size alone leaves the file', sizeLeaves, {
  good: jpeg,
});
const repeated1 = edit(paletted1, ({ slot, setSlot }) => setSlot(2, slot(1).offset, slot(1).size));
add('warcraft3', 'slot-duplicated', 'warning', 'paletted: slot 2 repeats slot 1', repeated1, {
  good: paletted1,
  lost: [2],
});
const overlap1 = edit(paletted1, ({ slot, setSlot }) =>
  setSlot(2, slot(2).offset - 1, slot(2).size),
);
add('warcraft3', 'level-overlap', 'warning', 'paletted: level 2 begins inside level 1', overlap1, {
  good: paletted1,
  lost: [2],
});
const long1 = edit(paletted1, ({ slot, setSlot }) => setSlot(0, slot(0).offset, slot(0).size + 9));
add('warcraft3', 'level-size', 'warning', 'paletted: size of level 0 too large', long1, {
  good: paletted1,
});

// JPEG streams.
const longChunk = lengthenChunk(jpeg, 700);
add('warcraft3', 'jpeg-header-size', 'error', 'a header chunk above 624 bytes', longChunk, {
  good: jpeg,
});
const pastEnd = edit(singleJpeg, ({ view }) => view.setUint32(156, 0xffffffff, true));
add('warcraft3', 'jpeg-header-past-end', 'error', 'a header chunk of 4 GiB', pastEnd, {
  good: singleJpeg,
});
const { size: tinySize } = sizeOfLevel0(tinyJpeg);
const wholeChunk = edit(tinyJpeg, ({ view, setSlot }) => {
  view.setUint32(156, view.getUint32(156, true) + tinySize, true);
  setSlot(0, tinyJpeg.length, 0);
});
add('warcraft3', 'jpeg-whole-in-header', 'warning', 'the stream in the header chunk', wholeChunk, {
  good: tinyJpeg,
});
const level1 = sizeOfLevel(jpeg, 1);
const wrongFrame = edit(
  append(jpeg, jpeg.subarray(level1.offset, level1.offset + level1.size)),
  ({ setSlot }) => setSlot(2, jpeg.length, level1.size),
);
add('warcraft3', 'jpeg-frame-size', 'error', 'level 2 holds the frame of level 1', wrongFrame, {
  good: jpeg,
  lost: [2],
});
const repeatedJpeg = edit(jpeg, ({ setSlot }) => setSlot(2, level1.offset, level1.size));
add('warcraft3', 'jpeg-frame-size', 'error', 'JPEG: slot 2 repeats slot 1', repeatedJpeg, {
  good: jpeg,
  lost: [2],
});
const smallFrame = edit(singleJpeg, ({ view }) => view.setUint32(0x10, 32, true));
add('warcraft3', 'jpeg-frame-size', 'error', 'level 0 holds a smaller frame', smallFrame, {
  good: smallFrame,
  lost: [0],
});
const largeFrame = edit(singleJpeg, ({ view }) => view.setUint32(0x10, 8, true));
add('warcraft3', 'jpeg-frame-size', 'error', 'level 0 holds a larger frame', largeFrame, {
  mendable: false,
});
for (const level of [0, 2]) {
  const ended = edit(jpeg, ({ bytes, slot }) => {
    const { offset, size } = slot(level);
    bytes.set([0xff, 0xd9], offset + size - 20);
  });
  const name = `level ${level} ends within its data`;
  const extra = level === 0 ? { mendable: false } : { good: jpeg, lost: [level] };
  add('warcraft3', 'jpeg-undecodable', 'error', name, ended, extra);
  const halved = edit(jpeg, ({ slot, setSlot }) => {
    setSlot(level, slot(level).offset, slot(level).size >> 1);
  });
  add('warcraft3', 'level-size', 'warning', `JPEG: size of level ${level} is halved`, halved, {
    good: jpeg,
  });
}
for (const kind of ['grey', 'ycbcr']) {
  const bytes = readBytes(fixturesFolder, `blp1-jpeg-${kind}.blp`);
  add('warcraft3', 'jpeg-components', 'error', `JPEG of ${kind}`, bytes, {
    good: bytes,
    lost: [0],
  });
}
for (const name of ['blp1-jpeg-progressive', 'odd-jpeg-progressive-restart']) {
  const bytes = readBytes(fixturesFolder, `${name}.blp`);
  add('warcraft3', 'jpeg-progressive', 'warning', name, bytes, { good: bytes });
}

// BLP0: levels are files of their own.
for (const encoding of ['jpeg', 'paletted'] as const) {
  const { header, levels } = encodeBlp0(picture(32, 16), { encoding, alphaBits: 8 });
  const without = levels.map((file, level) => (level === 3 ? undefined : file));
  warcraft3.push({
    ...{ name: `BLP0 ${encoding} without .b03`, game: 'warcraft3', code: 'chain-incomplete' },
    ...{ severity: 'error', good: header, goodLevels: levels, bytes: header },
    ...{ levelFiles: without, lost: [3], mendable: true },
  });
  if (encoding === 'jpeg') continue;
  const long = levels.map((file, level) => (level === 1 ? append(file, file) : file));
  warcraft3.push({
    ...{ name: 'BLP0 with a level file too long', game: 'warcraft3', code: 'level-size' },
    ...{ severity: 'warning', good: header, goodLevels: levels, bytes: header },
    ...{ levelFiles: long, mendable: true },
  });
  warcraft3.push({
    ...{ name: 'BLP0 with a short palette', game: 'warcraft3', code: 'palette-missing' },
    ...{ severity: 'warning', bytes: header.slice(0, header.length - 16) },
    ...{ levelFiles: levels, mendable: true },
  });
}

function sizeOfLevel(file: Uint8Array, level: number): { offset: number; size: number } {
  const { offsets, sizes } = readHeader(file);
  return { offset: offsets[level], size: sizes[level] };
}

function sizeOfLevel0(file: Uint8Array): { size: number } {
  return sizeOfLevel(file, 0);
}

export const matrix: readonly FaultyFile[] = [...wow, ...warcraft3];

/** Files about which there is only something to note. */
export const noted: Record<string, { game: Game; code: FindingCode; bytes: Uint8Array }> = {
  'a strip of six squares': {
    ...{ game: 'wow', code: 'cube-map-strip' },
    bytes: encode(picture(48, 8), { encoding: 'dxt5', allowAnySize: true }),
  },
  'BLP2 with level 0 alone': {
    ...{ game: 'wow', code: 'no-mipmaps' },
    bytes: encode(picture(32, 16), { encoding: 'dxt5', mipmaps: false }),
  },
  'BLP1 with level 0 alone': { game: 'warcraft3', code: 'no-mipmaps', bytes: singleJpeg },
  'BLP2 with an extra level': {
    ...{ game: 'wow', code: 'extra-level' },
    bytes: edit(dxt5, ({ slot, setSlot }) => setSlot(last + 1, slot(last).offset, 16)),
  },
  'BLP1 with an extra level': {
    ...{ game: 'warcraft3', code: 'extra-level' },
    bytes: edit(append(jpeg, jpeg.subarray(-50)), ({ setSlot }) =>
      setSlot(last + 1, jpeg.length, 50),
    ),
  },
  'a side above 512': {
    ...{ game: 'warcraft3', code: 'side-above-512' },
    bytes: encode(picture(1024, 1, 'opaque'), { version: 1, encoding: 'paletted' }),
  },
  'a level inside a larger one': {
    ...{ game: 'warcraft3', code: 'level-shares-data' },
    bytes: edit(paletted1, ({ slot, setSlot }) =>
      setSlot(last, slot(0).offset + 7, slot(last).size),
    ),
  },
  'declared alpha of zeros': { game: 'warcraft3', code: 'alpha-plane-zero', bytes: zeroJpeg },
};
