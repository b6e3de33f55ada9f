// Every input that ever failed, and a short run of new ones.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { mutate } from './mutate.js';
import { randomFor } from './random.js';
import { loadSeeds } from './seeds.js';
import { runTargets } from './targets.js';

const folder = new URL('regressions/', import.meta.url);
const regressions = readdirSync(folder).filter((name) => name.endsWith('.blp'));

describe('inputs that once failed', () => {
  test.each(regressions)('%s', async (name) => {
    const bytes = new Uint8Array(readFileSync(new URL(name, folder)));
    for (let number = 0; number < 20; number++) await runTargets(bytes, number);
  });
});

test('a thousand seeded mutations give pixels or a BlpError, alike from both kernels', async () => {
  const seeds = await loadSeeds();
  expect(seeds.length).toBeGreaterThan(20);
  for (let number = 0; number < 1000; number++) {
    const random = randomFor(20_261, number);
    const bytes = mutate(random.pick(seeds), random, seeds);
    await expect(runTargets(bytes, number), `input ${number}`).resolves.toBeUndefined();
  }
});
