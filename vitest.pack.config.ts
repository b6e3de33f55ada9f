// How the packed package is tested: installed in a scratch project, used by everything that consumes packages.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/pack/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
