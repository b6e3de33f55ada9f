// The examples of README.md and docs/ that are for pages run in one, and print what their comments say.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { type Browser, chromium as playwright } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Block, nameOf, pageBlocks, root } from '../docs/blocks.js';
import { openWorkspace, type Workspace } from '../docs/workspace.js';
import { chromiumWithWebGL } from './chromium.js';
import { serve } from './serve.js';

const folder = mkdtempSync(join(tmpdir(), 'blp-wasm-docs-'));
const blocks = pageBlocks().filter(({ marks }) => marks.includes('browser'));
const pages = pageBlocks().filter(({ language }) => language === 'html');

/** What the examples look for in their page. */
const body = '<canvas></canvas><input type="file" multiple><progress></progress>';
/** WebGPU on the processor, with what makes it work there. */
const withWebGPU = ['--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'];

let workspace: Workspace;
let browser: Browser;
let server: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
  mkdirSync(join(folder, 'Textures'));
  cpSync(`${root}fixtures/blp2-dxt5-alpha8.blp`, join(folder, 'icon.blp'));
  cpSync(`${root}fixtures/blp2-dxt1-alpha0.blp`, join(folder, 'Textures/grass.blp'));
  workspace = openWorkspace();
  const built = join(workspace.folder, 'node_modules/blp-wasm/dist/esm');
  cpSync(built, join(folder, 'dist/esm'), { recursive: true });
  // Beside the bundle, where the pool looks for it, and under the name of the page on installing.
  cpSync(join(built, 'pool/worker.js'), join(folder, 'worker.js'));
  cpSync(join(built, 'pool/worker.js'), join(folder, 'blp-worker.js'));
  browser = await playwright.launch({
    ...chromiumWithWebGL,
    args: [...chromiumWithWebGL.args, ...withWebGPU, '--enable-features=Vulkan,WebGPU'],
  });
  server = await serve(folder);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await server?.close();
  workspace?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens a page and waits for its end; the lines that it logged. */
async function open(name: string): Promise<string[]> {
  const page = await browser.newPage();
  try {
    const problems: string[] = [];
    const lines: string[] = [];
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('console', (message) => {
      if (message.type() === 'log') lines.push(message.text());
      // WebGL and WebGPU tell here what was wrong with a call, and throw nothing. One example asks for a file in vain.
      else if (!message.text().includes('missing.blp')) problems.push(message.text());
    });
    // The network of the page without a bundler is this build.
    await page.route('https://cdn.jsdelivr.net/npm/blp-wasm@*/**', async (route) => {
      const path = new URL(route.request().url()).pathname.replace(/^\/npm\/blp-wasm@[^/]+\//, '');
      await route.fulfill({
        path: join(folder, path),
        headers: { 'access-control-allow-origin': '*' },
      });
    });
    await page.goto(server.url + name);
    const ended = page.waitForFunction(() => document.title === 'ended', undefined, {
      timeout: 30_000,
    });
    await ended.catch(() => problems.push('it did not come to its end'));
    expect(problems).toEqual([]);
    return lines;
  } finally {
    await page.close();
  }
}

const fileName = ({ file, line }: Block): string => `${file.replaceAll(/\W/g, '-')}-${line}`;

test.each(blocks.map((block) => [nameOf(block), block] as const))('%s', async (_, block) => {
  const name = fileName(block);
  await build({
    stdin: {
      contents: `${block.text}\ndocument.title = 'ended';\n`,
      loader: 'ts',
      resolveDir: workspace.folder,
    },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    outfile: join(folder, `${name}.js`),
  });
  const script = `<script type="module" src="${name}.js"></script>`;
  writeFileSync(join(folder, `${name}.html`), `<!doctype html>${body}${script}`);
  const lines = await open(`${name}.html`);
  const promised = [...block.text.matchAll(/console\.log\(.*\);? \/\/ (.*)$/gm)].map(
    ([, said]) => said,
  );
  if (promised.length > 0) expect(lines).toEqual(promised);
});

test.each(pages.map((block) => [nameOf(block), block] as const))('%s', async (_, block) => {
  const name = `${fileName(block)}.html`;
  const scripts = block.text.split('</script>');
  expect(scripts.length).toBeGreaterThan(1);
  // At the end of the last script, which is the page's module.
  scripts[scripts.length - 2] += "document.title = 'ended';";
  writeFileSync(join(folder, name), scripts.join('</script>'));
  await open(name);
});
