// The matrix of faulty files: each has one fault, made from a good file, and names the code that it must give.

import { encode } from '../../src/encode/encode.js';
import type { FindingCode, Game } from '../../src/validate/codes.js';
import { adder, type FaultyFile } from './faulty.js';
import { warcraft3Files } from './faulty-warcraft3.js';
import { wowFiles } from './faulty-wow.js';
import { dxt5, jpeg, last, paletted1, singleJpeg, zeroJpeg } from './good-files.js';
import { append, edit, picture } from './support.js';

const wholeFiles: FaultyFile[] = [];
const add = adder(wholeFiles);

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

export const matrix: readonly FaultyFile[] = [...wholeFiles, ...wowFiles, ...warcraft3Files];

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
