// Writes THIRD-PARTY.md, the notices for the packages that are built into the published files; --check only compares.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../', import.meta.url));
const page = `${root}THIRD-PARTY.md`;

/** What is published: the library's entries and its worker, the command and its worker. */
const entryPoints = [
  ...[
    'src/index.ts',
    'src/browser.ts',
    'src/core.ts',
    'src/pool/index.ts',
    'src/three.ts',
    'src/pool/worker.ts',
  ],
  ...['src/cli/index.ts', 'src/cli/worker.ts'],
];

/** Files of other packages that scripts/build-wasm.mjs takes over, which a bundler does not see. */
const takenOver = { 'src/kernels/generated/jpeg-js.js': 'node_modules/jpeg-js' };

/** What the licence file of a package does not say. */
const remarks = {
  'jpeg-js': {
    text:
      'Only its decoder is used, cut to size by `scripts/build-wasm.mjs`. That file has its own notice: ' +
      '"Copyright 2011 notmasteryet. Licensed under the Apache License, Version 2.0". The file was changed: the ' +
      'transform and the colours are left out, and the end of scans of one component is mended.',
    licence: 'node_modules/assemblyscript/LICENSE',
  },
};

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints,
  bundle: true,
  write: false,
  metafile: true,
  format: 'esm',
  platform: 'node',
  outdir: 'build',
  external: ['three', 'sharp'],
  logLevel: 'error',
});
const folders = new Set(
  Object.keys(metafile.inputs).flatMap((input) => {
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
    return takenOver[input] ?? folder ?? [];
  }),
);

const sections = [...folders]
  .map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${root}${folder}/package.json`));
    const file = readdirSync(root + folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`${name} has no licence file`);
    const remark = remarks[name];
    const parts = [`## ${name} ${version} (${license})`, quote(`${folder}/${file}`)];
    if (remark) parts.push(remark.text, quote(remark.licence));
    return { name, text: parts.join('\n\n') };
  })
  .sort((a, b) => (a.name < b.name ? -1 : 1))
  .map(({ text }) => text);

const text = `# Third-party notices

The published files contain code of the packages below. This page is written by \`npm run third-party\`.

${sections.join('\n\n')}
`;

if (!process.argv.includes('--check')) {
  writeFileSync(page, text);
} else if (readFileSync(page, 'utf8') !== text) {
  console.error('THIRD-PARTY.md is out of date: run "npm run third-party"');
  process.exitCode = 1;
}

/** A file's text as a block, without white space at the ends of lines. */
function quote(path) {
  const lines = readFileSync(root + path, 'utf8')
    .trim()
    .split(/\r?\n/);
  return ['```text', ...lines.map((line) => line.trimEnd()), '```'].join('\n');
}
