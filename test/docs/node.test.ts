// The pages' examples for Node run, and print what their comments say.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nameOf, pageBlocks } from './blocks.js';
import { definitions, givenInPages } from './given.js';
import { openWorkspace, run, type Workspace } from './workspace.js';

const blocks = pageBlocks().filter(
  ({ language, marks }) => (language === 'ts' || language === 'js') && marks.length === 0,
);

let workspace: Workspace;
beforeAll(() => {
  workspace = openWorkspace();
  writeFileSync(join(workspace.folder, 'given.mjs'), definitions(givenInPages));
}, 120_000);
afterAll(() => workspace?.close());

/** What `console.log(…); // like this` promises. */
function promised(text: string): string[] {
  return [...text.matchAll(/console\.log\(.*\);? \/\/ (.*)$/gm)].map(([, words]) => words!);
}

it('finds them', () => {
  expect(blocks.length).toBeGreaterThan(20);
});

it.each(blocks.map((block) => [nameOf(block), block] as const))('%s', async (_, block) => {
  const isCommonJs = /\brequire\(/.test(block.text) && !/^import /m.test(block.text);
  const { code: script } = await transform(block.text, { loader: 'ts', target: 'node20' });
  const name = `${block.file.replaceAll(/\W/g, '-')}-${block.line}.${isCommonJs ? 'cjs' : 'mjs'}`;
  const path = join(workspace.folder, name);
  writeFileSync(path, script);
  const given = join(workspace.folder, 'given.mjs');
  const args = ['--import', given, path];
  const { code, stdout, stderr } = await run(workspace, process.execPath, args, workspace.files());
  expect(stderr).toBe('');
  expect(code).toBe(0);
  const lines = promised(block.text);
  if (lines.length > 0) expect(stdout.trimEnd().split('\n')).toEqual(lines);
});
