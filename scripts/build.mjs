// Builds the package: the library as ES modules and CommonJS with types, the workers, the command.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../', import.meta.url));
const { values: options } = parseArgs({
  options: {
    outdir: { type: 'string', default: `${root}dist` },
    'no-types': { type: 'boolean', default: false },
    'source-maps': { type: 'boolean', default: false },
  },
});
const out = options.outdir;

if (!existsSync(`${root}src/kernels/generated/decode-module.ts`)) {
  throw new Error('the WebAssembly modules are missing: run "npm run build:wasm" first');
}

/** What package.json's exports name. */
const entries = ['src/index.ts', 'src/browser.ts', 'src/pool/index.ts', 'src/three.ts'];

const shared = {
  absWorkingDir: root,
  bundle: true,
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'inline',
  logLevel: 'warning',
  metafile: true,
  sourcemap: options['source-maps'],
};

/** Other files of the library stay imports; packages are built into the file that imports them. */
const keepOwnModules = {
  name: 'keep-own-modules',
  setup(bundler) {
    bundler.onResolve({ filter: /^\./ }, ({ path, importer, kind }) => {
      if (kind === 'entry-point' || importer.includes('node_modules')) return undefined;
      return { path, external: true };
    });
  },
};

/** Packages ask for Node's modules by require, which ES modules lack and bundlers for browsers stumble over. */
const lazyNodeModules = {
  name: 'lazy-node-modules',
  setup(bundler) {
    bundler.onResolve(
      { filter: /^(node:)?(worker_threads|child_process|os|net)$/ },
      ({ path }) => ({
        path: path.replace('node:', ''),
        namespace: 'node-module',
      }),
    );
    bundler.onLoad({ filter: /.*/, namespace: 'node-module' }, ({ path }) => ({
      contents: `module.exports = globalThis.process?.getBuiltinModule?.('node:${path}');`,
    }));
    // The pool's own worker as a text, for pools without a script: never used here.
    bundler.onLoad({ filter: /workerpool.src.generated.embeddedWorker/ }, () => ({
      contents: 'module.exports = "";',
    }));
  },
};

/** The small entry stands on shorter twins of three modules. */
const twins = {
  'src/container/identify.js': 'src/core/identify.ts',
  'src/kernels/javascript/halve.js': 'src/core/halve.ts',
  'src/kernels/javascript/jpeg.js': 'src/core/jpeg-javascript.ts',
};
const smallTwins = {
  name: 'small-twins',
  setup(bundler) {
    bundler.onResolve({ filter: /\/(jpeg|halve|identify)\.js$/ }, ({ path, resolveDir }) => {
      const twin = twins[relative(root, join(resolveDir, path)).replaceAll('\\', '/')];
      return twin && { path: `${root}${twin}` };
    });
  },
};

const neutral = {
  ...shared,
  platform: 'neutral',
  mainFields: ['module', 'main'],
  // three is what the loader is for; sharp is optional.
  external: ['three', 'three/*', 'sharp'],
  plugins: [lazyNodeModules],
};

/** Every module of the library becomes one file, so that bundlers drop what is not used. */
const reached = await build({ ...neutral, entryPoints: entries, write: false, outdir: out });
const library = {
  ...neutral,
  entryPoints: Object.keys(reached.metafile.inputs).filter((file) => file.startsWith('src/')),
  outbase: `${root}src`,
  plugins: [keepOwnModules, lazyNodeModules],
};

rmSync(out, { recursive: true, force: true });
for (const [folder, type] of [
  ['esm', 'module'],
  ['cjs', 'commonjs'],
]) {
  mkdirSync(`${out}/${folder}`, { recursive: true });
  const description = { type, sideEffects: false };
  writeFileSync(`${out}/${folder}/package.json`, `${JSON.stringify(description, null, 2)}\n`);
}

await Promise.all([
  build({ ...library, format: 'esm', outdir: `${out}/esm` }),
  build({
    ...library,
    format: 'cjs',
    outdir: `${out}/cjs`,
    // The one thing of ES modules that CommonJS has no form for.
    define: { 'import.meta.url': 'moduleUrl' },
    inject: ['scripts/module-url.js'],
  }),
  ...['esm', 'cjs'].map((format) =>
    build({
      ...neutral,
      format,
      minify: true,
      entryPoints: ['src/core.ts'],
      outfile: `${out}/${format}/core.js`,
      plugins: [smallTwins],
    }),
  ),
  // One file without imports or exports: it runs as a module, as a classic script and in Node's threads.
  ...['esm', 'cjs'].map((folder) =>
    build({
      ...neutral,
      format: 'iife',
      entryPoints: ['src/pool/worker.ts'],
      outfile: `${out}/${folder}/pool/worker.js`,
    }),
  ),
  build({
    ...shared,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['sharp'],
    entryPoints: { index: 'src/cli/index.ts', worker: 'src/cli/worker.ts' },
    outdir: `${out}/cli`,
    splitting: true,
    chunkNames: 'chunk-[hash]',
    // Packages in CommonJS that are built in call require.
    banner: {
      js: "import { createRequire as toRequire } from 'node:module';\nconst require = toRequire(import.meta.url);",
    },
  }),
]);
writeFileSync(`${out}/cli/package.json`, `${JSON.stringify({ type: 'module' }, null, 2)}\n`);

if (!options['no-types']) {
  const typescript = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  execFileSync(
    process.execPath,
    [typescript, '-p', 'scripts/tsconfig.types.json', '--outDir', `${out}/esm`],
    { cwd: root, stdio: 'inherit' },
  );
  // The compiler leaves out declarations that were written by hand.
  const byHand = 'kernels/generated/jpeg-js.d.ts';
  cpSync(`${root}src/${byHand}`, `${out}/esm/${byHand}`);
  for (const file of filesUnder(`${out}/esm`).filter((name) => name.endsWith('.d.ts'))) {
    cpSync(`${out}/esm/${file}`, `${out}/cjs/${file}`);
  }
}

/** All files, by their path from there with forward slashes. */
function filesUnder(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
    .map((file) => file.replaceAll('\\', '/'));
}
