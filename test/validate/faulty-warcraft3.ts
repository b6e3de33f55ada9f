// Warcraft III: BLP0 and BLP1 files with one fault each.

import { readHeader } from '../../src/container/header.js';
import { encodeBlp0 } from '../../src/encode/encode.js';
import { fixturesFolder, readBytes } from '../reference/files.js';
import { adder, type FaultyFile } from './faulty.js';
import {
  jpeg,
  last,
  opaqueJpeg,
  opaquePaletted1,
  paletted1,
  singleJpeg,
  tinyJpeg,
  zeroJpeg,
} from './good-files.js';
import { append, edit, lengthenChunk, picture, shift } from './support.js';

export const warcraft3Files: FaultyFile[] = [];
const add = adder(warcraft3Files);

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
const { size: tinySize } = sizeOfLevel(tinyJpeg, 0);
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
  warcraft3Files.push({
    ...{ name: `BLP0 ${encoding} without .b03`, game: 'warcraft3', code: 'chain-incomplete' },
    ...{ severity: 'error', good: header, goodLevels: levels, bytes: header },
    ...{ levelFiles: without, lost: [3], mendable: true },
  });
  if (encoding === 'jpeg') continue;
  const long = levels.map((file, level) => (level === 1 ? append(file, file) : file));
  warcraft3Files.push({
    ...{ name: 'BLP0 with a level file too long', game: 'warcraft3', code: 'level-size' },
    ...{ severity: 'warning', good: header, goodLevels: levels, bytes: header },
    ...{ levelFiles: long, mendable: true },
  });
  warcraft3Files.push({
    ...{ name: 'BLP0 with a short palette', game: 'warcraft3', code: 'palette-missing' },
    ...{ severity: 'warning', bytes: header.slice(0, header.length - 16) },
    ...{ levelFiles: levels, mendable: true },
  });
}

function sizeOfLevel(file: Uint8Array, level: number): { offset: number; size: number } {
  const { offsets, sizes } = readHeader(file);
  return { offset: offsets[level], size: sizes[level] };
}
