// The table of kernels in headless Chromium.

import { build } from 'esbuild';
import { chromium as playwright } from 'playwright';
import { chromium } from '../test/pages/chromium.js';
import { writeResults } from './results.js';

const { outputFiles } = await build({
  entryPoints: [new URL('kernels-page.ts', import.meta.url).pathname],
  bundle: true,
  write: false,
  format: 'iife',
  target: 'es2022',
});
const browser = await playwright.launch(chromium);
try {
  const page = await browser.newPage();
  page.on('console', (message) => console.log(message.text()));
  // Only isolated pages have a clock of 5 microseconds; others see steps of 100.
  const headers = {
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
  };
  await page.route('**/*', (route) =>
    route.fulfill({
      headers,
      contentType: 'text/html',
      body: '<!doctype html><title>bench</title>',
    }),
  );
  await page.goto('https://localhost/');
  if (!(await page.evaluate('crossOriginIsolated'))) throw new Error('the page is not isolated');
  await page.addScriptTag({ content: outputFiles[0].text });
  const sections = await page.evaluate<string[]>('kernelTables');
  const heading = `Chromium ${browser.version()}`;
  writeResults('kernels-browser', sections, [heading, ...sections].join('\n\n'));
} finally {
  await browser.close();
}
