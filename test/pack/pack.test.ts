// The packed package in the hands of its consumers: Node, Bun, Deno, TypeScript, bundlers, and pages without any.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build as buildWithEsbuild } from 'esbuild';
import { type Browser, chromium as playwright } from 'playwright';
import { publint } from 'publint';
import { build as buildWithVite } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import webpack from 'webpack';
import { chromium } from '../pages/chromium.js';
import { serve } from '../pages/serve.js';
import { findRuntime } from './runtimes.js';
import {
  createScratch,
  expectedHashes,
  fixtures,
  link,
  root,
  run,
  type Scratch,
} from './scratch.js';

let scratch: Scratch;
const hashes = expectedHashes();
const bin = (name: string): string => join(root, 'node_modules', '.bin', name);

beforeAll(async () => {
  scratch = await createScratch();
});
afterAll(() => {
  if (scratch) rmSync(scratch.folder, { recursive: true, force: true });
});

describe('the tarball', () => {
  test('holds what is needed and no sources, tests or textures', async () => {
    const listed = await run('tar', ['-tzf', scratch.tarball], scratch.folder);
    const files = listed
      .trim()
      .split('\n')
      .map((name) => name.replace('package/', ''));
    expect(files).toContain('package.json');
    expect(files).toContain('dist/esm/index.d.ts');
    expect(files).toContain('THIRD-PARTY.md');
    expect(
      files.filter((name) => /^(src|test|assembly|fixtures|bench|demo)\/|\.blp$/i.test(name)),
    ).toEqual([]);
  });

  test('publint has nothing to say', async () => {
    const { messages } = await publint({
      strict: true,
      pack: { tarball: new Uint8Array(readFileSync(scratch.tarball)).buffer },
    });
    expect(messages).toEqual([]);
  });

  test('are the types wrong? They are not', async () => {
    // The worker script is started by its address, never imported.
    const args = [scratch.tarball, '--exclude-entrypoints', './worker'];
    expect(await run(bin('attw'), args, scratch.folder)).toContain('No problems found');
  });

  test('declarations compile under strict, without skipping libraries', async () => {
    link(scratch.folder, ['three', '@types/three', '@types/node', 'undici-types']);
    const { folder } = scratch;
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          module: 'nodenext',
          target: 'es2022',
          lib: ['es2022', 'dom', 'dom.iterable'],
          types: [],
        },
        files: ['types.ts'],
      }),
    );
    const output = await run(bin('tsc'), ['-p', folder], folder).catch(({ stdout }) =>
      String(stdout),
    );
    // three's own declarations are not ours to mend.
    const ours = output.split('\n').filter((line) => /^(types\.ts|.*blp-wasm)/.test(line));
    expect(ours).toEqual([]);
  });
});

const expectHashes = (output: string): void => {
  expect(JSON.parse(output)).toEqual({ kernels: 'wasm', here: hashes, inWorkers: hashes });
};

describe('without a browser', () => {
  test('Node, ES modules', async () => {
    expectHashes(await run(process.execPath, ['node.mjs', ...fixtures], scratch.folder));
  });

  test('Node, CommonJS', async () => {
    expectHashes(await run(process.execPath, ['node.cjs', ...fixtures], scratch.folder));
  });

  test('Bun', async ({ skip }) => {
    const bun = await findRuntime('bun');
    if (!bun) return skip('Bun is not to be had');
    expectHashes(await run(bun, ['node.mjs', ...fixtures], scratch.folder));
  });

  test('Deno', async ({ skip }) => {
    const deno = await findRuntime('deno');
    if (!deno) return skip('Deno is not to be had');
    const args = ['run', '--allow-all', '--node-modules-dir=manual', 'node.mjs', ...fixtures];
    expectHashes(await run(deno, args, scratch.folder));
  });

  test('the command', async () => {
    const blp = join(scratch.folder, 'node_modules', '.bin', 'blp');
    const output = await run(blp, ['info', `public/${fixtures[0]}`], scratch.folder);
    expect(output).toMatch(/dxt5/i);
  });
});

describe('in a page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await playwright.launch(chromium);
  });
  afterAll(() => browser?.close());

  /** Opens the page of a folder and returns what its title tells. */
  async function open(folder: string): Promise<unknown> {
    const server = await serve(folder);
    const page = await browser.newPage();
    try {
      const problems: string[] = [];
      page.on('pageerror', ({ message }) => problems.push(message));
      const query = fixtures.map((name) => `name=${name}`).join('&');
      await page.goto(`${server.url}?${query}`);
      const wait = page.waitForFunction(() => document.title.startsWith('{') && document.title);
      const title = await wait.catch(() => {
        throw new Error(`the page told nothing: ${problems.join('; ')}`);
      });
      return JSON.parse((await title.jsonValue()) as string);
    } finally {
      await page.close();
      await server.close();
    }
  }

  const expected = { kernels: 'wasm', here: hashes, inWorkers: hashes, inOwnWorker: hashes };
  const addFixtures = (folder: string): void => {
    cpSync(join(scratch.folder, 'public'), folder, { recursive: true });
  };

  test('Vite', async () => {
    const outDir = join(scratch.folder, 'out-vite');
    await buildWithVite({
      root: scratch.folder,
      configFile: false,
      logLevel: 'warn',
      worker: { format: 'es' },
      build: { outDir, target: 'es2022' },
    });
    expect(await open(outDir)).toEqual(expected);
  });

  test('webpack', async () => {
    const path = join(scratch.folder, 'out-webpack');
    const stats = await new Promise<webpack.Stats>((resolve, reject) => {
      webpack(
        {
          mode: 'production',
          context: scratch.folder,
          entry: './page.js',
          output: { path, filename: 'page.js', publicPath: 'auto' },
          performance: { hints: false },
        },
        (error, result) => (result ? resolve(result) : reject(error)),
      );
    });
    expect(stats.toJson({ errors: true, warnings: true })).toMatchObject({
      errors: [],
      warnings: [],
    });
    cpSync(join(scratch.folder, 'index.html'), join(path, 'index.html'));
    addFixtures(path);
    expect(await open(path)).toEqual(expected);
  });

  test('esbuild, which leaves the worker of the pool to be copied', async () => {
    const outdir = join(scratch.folder, 'out-esbuild');
    await buildWithEsbuild({
      absWorkingDir: scratch.folder,
      entryPoints: ['page.js', 'worker.js'],
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      logLevel: 'error',
      outdir,
    });
    const worker = join(scratch.folder, 'node_modules/blp-wasm/dist/cjs/pool/worker.js');
    cpSync(worker, join(outdir, 'pool-worker.js'));
    writeFileSync(
      join(outdir, 'index.html'),
      `<!doctype html><script>var poolWorker = 'pool-worker.js';</script>
<script type="module" src="page.js"></script>`,
    );
    addFixtures(outdir);
    expect(await open(outdir)).toEqual(expected);
  });

  test('an import map and no bundler', async () => {
    const folder = join(scratch.folder, 'out-plain');
    const library = join(folder, 'blp-wasm');
    mkdirSync(dirname(library), { recursive: true });
    cpSync(join(scratch.folder, 'node_modules/blp-wasm/dist/esm'), library, { recursive: true });
    const imports = {
      'blp-wasm': './blp-wasm/index.js',
      'blp-wasm/browser': './blp-wasm/browser.js',
      'blp-wasm/pool': './blp-wasm/pool/index.js',
    };
    writeFileSync(
      join(folder, 'index.html'),
      `<!doctype html><script type="importmap">${JSON.stringify({ imports })}</script>
<script type="module" src="page.js"></script>`,
    );
    cpSync(join(scratch.folder, 'page.js'), join(folder, 'page.js'));
    // Import maps do not reach into workers.
    const worker = readFileSync(join(scratch.folder, 'worker.js'), 'utf8');
    writeFileSync(join(folder, 'worker.js'), worker.replace("'blp-wasm'", "'./blp-wasm/index.js'"));
    addFixtures(folder);
    expect(await open(folder)).toEqual(expected);
  });
});

test('size limits', async () => {
  const results: { name: string; size: number; passed: boolean }[] = JSON.parse(
    await run(bin('size-limit'), ['--json'], root).catch(({ stdout }) => String(stdout)),
  );
  expect(results.length).toBeGreaterThan(0);
  for (const { name, size, passed } of results) expect(passed, `${name}: ${size} bytes`).toBe(true);
});
