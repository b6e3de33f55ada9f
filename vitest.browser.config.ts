// How the tests run in headless Chromium: modules inside a page, and whole pages driven from outside.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { chromiumWithWebGL } from './test/pages/chromium.js';

const root = fileURLToPath(new URL('.', import.meta.url));
/** Holds textures/ and corpus/, which are not part of the project. */
const realTextures =
  process.env.BLP_TEXTURES ?? fileURLToPath(new URL('../shared', import.meta.url));
const present = existsSync(`${realTextures}/textures`) && existsSync(`${realTextures}/corpus`);
if (!present) console.warn(`no real textures in ${realTextures}: their tests are skipped`);

export default defineConfig({
  test: {
    projects: [
      {
        server: { fs: { allow: [root, realTextures] } },
        optimizeDeps: { include: ['three'] },
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          testTimeout: 60_000,
          provide: { realTextures: present ? `/@fs${realTextures}` : '' },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: chromiumWithWebGL }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
      {
        test: {
          name: 'pages',
          include: ['test/pages/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
