// The command with sharp and, moved to where none is found, without: the same pixels, the same textures.

import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listFiles, openWorkshop, readPngHash, run, snapshot } from '../cli/support.js';

const fixtures = join(import.meta.dirname, '../../fixtures');

describe('blp convert', () => {
  const workshop = openWorkshop();

  it('makes the same pictures and textures with and without sharp', async () => {
    const folder = workshop.folder();
    // Outside the project there is no node_modules on the way up.
    const bare = { ...workshop, package: join(folder, 'package') };
    cpSync(workshop.package, bare.package, { recursive: true });
    const refused = await run(bare, ['convert', fixtures, '-o', 'webp', '--to', 'webp'], {
      cwd: folder,
    });
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('npm install sharp'),
    });

    for (const [place, name] of [
      [workshop, 'with'],
      [bare, 'without'],
    ] as const) {
      for (const [from, to, ...more] of [
        [fixtures, name],
        [name, `${name}-blp`, '--to', 'blp', '--encoding', 'bgra', '--resize', 'stretch'],
      ]) {
        const result = await run(place, ['convert', from!, '-o', to!, '--quiet', ...more], {
          cwd: folder,
        });
        expect(result).toMatchObject({ code: 0, stderr: '' });
      }
    }
    const files = listFiles(join(folder, 'with'));
    expect(files.length).toBeGreaterThan(50);
    expect(listFiles(join(folder, 'without'))).toEqual(files);
    let different = 0;
    for (const file of files) {
      const [one, other] = ['with', 'without'].map((name) => join(folder, name, file));
      expect({ file, ...readPngHash(one!) }).toEqual({ file, ...readPngHash(other!) });
      if (!readFileSync(one!).equals(readFileSync(other!))) different++;
    }
    // Had sharp been found in both places, or in neither, the files would be the same.
    expect(different).toBeGreaterThan(50);
    expect(snapshot(join(folder, 'with-blp'))).toEqual(snapshot(join(folder, 'without-blp')));
  }, 120_000);
});
