// How the tests run in Node.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**', 'test/pack/**'],
    testTimeout: 60_000,
    pool: 'threads',
    maxWorkers: 2,
  },
});
