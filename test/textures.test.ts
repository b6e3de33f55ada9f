// The 43 real textures: levels, texels, alpha by declaration, where the chain stops, and which are refused.
import { describe, expect, it } from 'vitest';
import { decode, parse } from '../src/index.js';
import { type AnyPicture, dumpPicture, expectHash } from './reference/compare.js';
import { errorOf } from './reference/errors.js';
import {
  findRealTextures,
  readBytes,
  readTextureManifest,
  type TextureEntry,
} from './reference/files.js';
import { implementations } from './reference/kernels.js';

const { folder, missing, note } = findRealTextures('textures');
const entries = readTextureManifest(folder);
const readable = entries.filter(({ error }) => error === undefined);
const refused = entries.filter(({ error }) => error !== undefined);

/** The manifest's words for the end of a chain, and ours. */
const stopCodes: [RegExp, string][] = [
  [/^empty slot/, 'level-empty'],
  [/repeats or overlaps/, 'level-overlap'],
  [/past the end/, 'level-past-end'],
  [/^level too short/, 'level-too-short'],
  [/^jpeg frame .* larger/, 'level-undecodable'],
];

/** The manifest's sample texels: where the hash is another, they tell which texel is wrong. */
function expectSamples(
  name: string,
  decoded: AnyPicture,
  samples: TextureEntry['levels'][number]['samples'],
): void {
  for (const [x, y, ...expected] of samples) {
    const at = (y * decoded.width + x) * 4;
    const actual = [...decoded.data.subarray(at, at + 4)];
    if (actual.some((value, channel) => value !== expected[channel])) {
      const path = dumpPicture(name, decoded);
      throw new Error(`${name}: texel ${x}, ${y} is ${actual}, expected ${expected} (see ${path})`);
    }
  }
}

describe.skipIf(missing)(`real textures${note}`, () => {
  it('are all there', () => {
    expect(entries.length).toBe(43);
    expect(refused.length).toBe(5);
  });

  describe.each(readable)('$name', ({ name, levels, stop }) => {
    const bytes = readBytes(folder, name);

    it.each(implementations)('decodes by the $name kernels', (kernels) => {
      const texture = parse(bytes);
      expect(texture.levels.map(({ width, height }) => [width, height])).toEqual(
        levels.map(({ width, height }) => [width, height]),
      );
      for (const entry of levels) {
        const { level, sha256, samples } = entry;
        const declared = entry.sha256_alphabits;
        const decidedOtherwise = entry.sha256_file_rule;
        const label = `${name}-level${level}-${kernels.name}`;
        const decoded = texture.decode({ level, kernels });
        // One level's samples have the alpha that it would have by itself; its hash has level 0's decision.
        if (decidedOtherwise === undefined) expectSamples(label, decoded, samples);
        expectHash(label, decoded, sha256);
        if (declared === undefined) continue;
        const byHeader = texture.decode({ level, kernels, alpha: 'declared' });
        expectHash(`${label}-declared`, byHeader, declared);
      }
    });

    it('stops where and why the manifest says', () => {
      const { warnings, header } = parse(bytes);
      const stops = warnings.filter(({ code }) => stopCodes.some(([, known]) => known === code));
      const expected = stopCodes.find(([words]) => words.test(stop?.reason ?? ''))?.[1];
      expect(stop === undefined || expected !== undefined).toBe(true);
      // One level is what a header without mip levels promises.
      const promised = header.hasMips === 0 && stop?.level === 1 && expected === 'level-empty';
      expect(stops.map(({ code, level }) => ({ code, level }))).toEqual(
        stop === undefined || promised ? [] : [{ code: expected, level: stop.level }],
      );
    });
  });

  it.each(refused)('$name is refused', ({ name, error }) => {
    const { code, message } = errorOf(() => decode(readBytes(folder, name)));
    expect(code).toBe(error?.startsWith('magic') ? 'not-blp' : 'damaged');
    // The message names what was found: the model's magic, or the impossible side.
    expect(message).toContain(error?.startsWith('magic') ? 'MDLX' : error?.split('x')[1]);
  });
});
