// Every example, in the pages and in TSDoc comments, compiles under strict.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as browser from '../../src/browser.js';
import * as index from '../../src/index.js';
import * as pool from '../../src/pool/index.js';
import { type Block, commentBlocks, pageBlocks, root } from './blocks.js';
import { checkTypes } from './check-types.js';
import { declarations, givenInComments, givenInPages } from './given.js';

const isCode = ({ language }: Block): boolean => language === 'ts' || language === 'js';

it('compiles the examples of the pages', () => {
  const blocks = pageBlocks().filter(isCode);
  expect(blocks.length).toBeGreaterThan(30);
  expect(checkTypes(blocks, declarations(givenInPages))).toEqual({});
}, 120_000);

const entries = { 'blp-wasm': index, 'blp-wasm/browser': browser, 'blp-wasm/pool': pool };

/** Comments leave the imports out: what is public is there, and what the file itself exports. */
function withImports({ file, text }: Block): string {
  const isNeeded = (name: string): boolean =>
    new RegExp(`(?<![.\\w])${name}\\b`).test(text) &&
    !new RegExp(`import .*\\b${name}\\b`).test(text);
  const found = new Map<string, string>();
  for (const [entry, exported] of Object.entries(entries)) {
    for (const name of Object.keys(exported)) found.set(name, entry);
  }
  const source = readFileSync(join(root, file), 'utf8');
  for (const [, name] of source.matchAll(
    /^export (?:async )?(?:function\*?|class|const) (\w+)/gm,
  )) {
    if (!found.has(name!)) found.set(name!, join(root, file.replace(/\.ts$/, '.js')));
  }
  const imports = [...found]
    .filter(([name]) => isNeeded(name))
    .map(([name, entry]) => `import { ${name} } from '${entry}';`);
  return `${imports.join(' ')} ${text}`;
}

it('compiles the examples of TSDoc comments', () => {
  const blocks = commentBlocks().filter(isCode);
  expect(blocks.length).toBeGreaterThan(20);
  expect(checkTypes(blocks, declarations(givenInComments), withImports)).toEqual({});
}, 120_000);
