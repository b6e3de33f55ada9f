// Hostile files through the command: each is refused with its code or converted, and none stops the others.
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findRealTextures } from '../reference/files.js';
import { outcomes } from '../reference/hostile.js';
import { openWorkshop, run } from './support.js';

const { folder, missing, note } = findRealTextures('adversarial');

describe.skipIf(missing)(`hostile files through the command${note}`, () => {
  const workshop = openWorkshop();

  it('ends each as it must, in one run', async () => {
    const out = workshop.folder();
    const { code, stdout } = await run(workshop, [
      'convert',
      folder,
      '-o',
      out,
      '--json',
      '--jobs',
      '2',
    ]);
    expect(code).toBe(1);
    const report = JSON.parse(stdout) as {
      files: { input: string; status: string; error?: { code: string } }[];
    };
    const results = Object.fromEntries(
      report.files.map(({ input, error }) => [basename(input, '.blp'), error?.code ?? 'decoded']),
    );
    const expected = Object.entries(outcomes).map(([name, { result }]) => [name, result]);
    expect(results).toEqual(Object.fromEntries(expected));
    for (const [name, result] of expected) {
      expect(existsSync(join(out, `${name}.png`)), name).toBe(result === 'decoded');
    }
  });
});
