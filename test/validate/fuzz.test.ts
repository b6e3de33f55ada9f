// Whatever is done to a file: validation and repair do not throw, and repair leaves nothing that it would mend again.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repair } from '../../src/validate/repair.js';
import { validate } from '../../src/validate/validate.js';
import { fixturesFolder, readBytes } from '../reference/files.js';
import { goodFiles } from './good-files.js';

const progressive = readBytes(fixturesFolder, 'blp1-jpeg-progressive.blp');
const seeds: Record<string, Uint8Array> = {
  ...Object.fromEntries(Object.entries(goodFiles).map(([name, { bytes }]) => [name, bytes])),
  'progressive jpeg': progressive,
};

/** Header bytes are what matters most: half of the changes fall into the first 160. */
const change = fc.record({
  at: fc.oneof(fc.nat(160), fc.nat(6000)),
  value: fc.oneof(fc.constantFrom(0, 1, 0x7f, 0xff), fc.nat(255)),
});
const damage = fc.record({
  changes: fc.array(change, { maxLength: 6 }),
  cut: fc.option(fc.nat(6000), { freq: 3 }),
  game: fc.constantFrom('any', 'wow', 'warcraft3'),
});

describe.each(Object.entries(seeds))('damaged %s', (_, seed) => {
  it('is reported and repaired, or reported', () => {
    fc.assert(
      fc.property(damage, ({ changes, cut, game }) => {
        const bytes = cut === null ? seed.slice() : seed.slice(0, cut);
        for (const { at, value } of changes) if (at < bytes.length) bytes[at] = value;
        const options = { game, limits: { maxPixels: 1 << 20 } };
        const findings = validate(bytes, options);
        const result = repair(bytes, options);
        if (result.actions.length === 0) expect(result.bytes).toBe(bytes);
        else expect(findings.some(({ repairable }) => repairable)).toBe(true);
        const left = validate(result.bytes, options);
        expect(result.remaining).toEqual(
          left.map((finding) => ({ ...finding, repairable: false })),
        );
        const again = repair(result.bytes, options);
        expect(again.bytes).toBe(result.bytes);
        expect(again.actions).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});
