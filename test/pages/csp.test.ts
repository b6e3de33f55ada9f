// Content security policies: without 'wasm-unsafe-eval' the JavaScript kernels decode, and the page learns why.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type Browser, chromium as playwright } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KernelsInUse } from '../../src/index.js';
import { chromium } from './chromium.js';
import { serve } from './serve.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'blp-wasm-csp-'));
const names = [
  'blp2-dxt5-alpha8.blp',
  'blp1-paletted-alpha8.blp',
  'blp2-bgra-alpha8.blp',
  'blp1-jpeg-alpha8.blp',
];
const expected: { name: string; levels: [number, number, string][] }[] = JSON.parse(
  readFileSync(`${root}fixtures/expected.json`, 'utf8'),
);
let browser: Browser;

/** What the page below leaves in its title. */
interface Answer {
  kernels: KernelsInUse;
  hashes: Record<string, string>;
}

const page = `
import { decode, kernelsInUse } from ${JSON.stringify(`${root}src/index.ts`)};
const hashes = {};
for (const name of ${JSON.stringify(names)}) {
  const { data } = decode(await (await fetch(name)).arrayBuffer());
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', data));
  hashes[name] = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
document.title = JSON.stringify({ kernels: kernelsInUse(), hashes });
`;

beforeAll(async () => {
  await build({
    stdin: { contents: page, resolveDir: root },
    bundle: true,
    format: 'esm',
    outfile: join(folder, 'page.js'),
  });
  writeFileSync(join(folder, 'index.html'), '<script type="module" src="page.js"></script>');
  for (const name of names) cpSync(`${root}fixtures/${name}`, join(folder, name));
  browser = await playwright.launch(chromium);
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

async function open(policy: string): Promise<Answer> {
  const server = await serve(folder, { 'content-security-policy': policy });
  const tab = await browser.newPage();
  try {
    const failed = new Promise<never>((_, reject) => tab.on('pageerror', reject));
    await tab.goto(server.url);
    const title = tab.waitForFunction(() => document.title.startsWith('{') && document.title);
    const handle = await Promise.race([title, failed]);
    return JSON.parse((await handle.jsonValue()) as string);
  } finally {
    await tab.close();
    await server.close();
  }
}

const hashOf = (name: string): string => {
  const fixture = expected.find((entry) => entry.name === name);
  if (!fixture) throw new Error(`expected.json has no ${name}`);
  return fixture.levels[0][2];
};

describe('content security policy', () => {
  test("script-src 'self': JavaScript decodes, and says that the policy is why", async () => {
    const { kernels, hashes } = await open("default-src 'self'; script-src 'self'");
    expect(kernels.name).toBe('javascript');
    expect(kernels.reason).toMatch(/content security policy/i);
    expect(hashes).toEqual(Object.fromEntries(names.map((name) => [name, hashOf(name)])));
  });

  test("with 'wasm-unsafe-eval' WebAssembly decodes", async () => {
    const { kernels, hashes } = await open(
      "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'",
    );
    expect(kernels).toEqual({ name: 'wasm', reason: 'the SIMD module compiled' });
    expect(hashes).toEqual(Object.fromEntries(names.map((name) => [name, hashOf(name)])));
  });
});
