// Table (a) in headless Chromium.

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
  await page.addScriptTag({ content: outputFiles[0].text });
  const sections = await page.evaluate<string[]>('kernelTables');
  const heading = `Chromium ${browser.version()}`;
  writeResults('kernels-browser', sections, [heading, ...sections].join('\n\n'));
} finally {
  await browser.close();
}
