// Files without fault, one of each kind: what the matrix breaks, and what must give neither error nor warning.

import { encode } from '../../src/encode/encode.js';
import type { Game } from '../../src/validate/codes.js';
import { goodFile, picture } from './support.js';

/** Last level of a chain of 32 × 16. */
export const last = 5;

export const dxt1 = goodFile({ encoding: 'dxt1', alphaBits: 1 });
export const dxt3 = goodFile({ encoding: 'dxt3', alphaBits: 8 });
export const dxt5 = goodFile({ encoding: 'dxt5' });
export const opaqueDxt3 = goodFile({ encoding: 'dxt3', alphaBits: 8 }, 'opaque');
export const opaqueDxt5 = goodFile({ encoding: 'dxt5' }, 'opaque');
export const bgra = goodFile({ encoding: 'bgra', alphaBits: 8 });
export const paletted2 = goodFile({ encoding: 'paletted', alphaBits: 8 });
export const opaquePaletted2 = goodFile({ encoding: 'paletted', alphaBits: 0 }, 'opaque');
export const jpeg = goodFile({ version: 1, encoding: 'jpeg', alphaBits: 8 });
export const opaqueJpeg = goodFile({ version: 1, encoding: 'jpeg', alphaBits: 0 }, 'opaque');
export const zeroJpeg = goodFile({ version: 1, encoding: 'jpeg', alphaBits: 8 }, 'zero');
export const paletted1 = goodFile({ version: 1, encoding: 'paletted', alphaBits: 8 });
export const opaquePaletted1 = goodFile(
  { version: 1, encoding: 'paletted', alphaBits: 0 },
  'opaque',
);
export const singleJpeg = encode(picture(32, 16, 'opaque'), {
  ...{ version: 1, encoding: 'jpeg', alphaBits: 0, mipmaps: false },
});
export const tinyJpeg = encode(picture(4, 4, 'opaque'), {
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
