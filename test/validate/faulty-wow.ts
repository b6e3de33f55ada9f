// World of Warcraft: BLP2 files with one fault each.

import { encode } from '../../src/encode/encode.js';
import { fixturesFolder, readBytes } from '../reference/files.js';
import { adder, type FaultyFile } from './faulty.js';
import {
  bgra,
  dxt1,
  dxt3,
  dxt5,
  last,
  opaqueDxt3,
  opaqueDxt5,
  opaquePaletted2,
  paletted2,
} from './good-files.js';
import { edit, picture, shift } from './support.js';

export const wowFiles: FaultyFile[] = [];
const add = adder(wowFiles);

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
