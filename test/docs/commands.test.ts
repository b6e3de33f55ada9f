// Every `blp` command line of the pages and of the help runs on files of the names that it uses.
import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nameOf, pageBlocks } from './blocks.js';
import { openWorkspace, run, type Workspace } from './workspace.js';

let workspace: Workspace;
beforeAll(() => {
  workspace = openWorkspace();
}, 120_000);
afterAll(() => workspace?.close());

/** The command of a line, without what explains it. */
function commandOf(line: string): string {
  return line.replace(/\s+#.*$/, '').replace(/(\S) {2,}\S.*$/, '$1');
}

/** Lines of a page that call the command, also through npx. */
function commandsIn(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/^(?:\s*- run: )?npx (?:--yes )?blp-wasm /, 'blp '))
    .filter((line) => line.startsWith('blp '))
    .map(commandOf);
}

/** The examples name the file that they make; nothing may lie there before. */
function removeOutput(line: string, cwd: string): void {
  const [, , input, second] = line.split(' ');
  const output = / -o (\S+)/.exec(line)?.[1] ?? (line.startsWith('blp convert') ? second : input);
  if (output === undefined || output === input) return;
  const path = join(cwd, output);
  if (existsSync(path) && statSync(path).isFile()) rmSync(path);
}

async function check(line: string): Promise<void> {
  const cwd = workspace.files();
  removeOutput(line, cwd);
  const { code, stdout, stderr } = await run(workspace, 'sh', ['-c', line], cwd);
  // What is checked here is broken on purpose: the code 1 says so.
  const allowed = line.startsWith('blp validate') ? [0, 1] : [0];
  expect(allowed, `${line}\n${stdout}${stderr}`).toContain(code);
  expect(stderr).not.toMatch(/^error/m);
}

describe('in the pages', () => {
  const lines = new Map<string, string>();
  for (const block of pageBlocks()) {
    if (!['sh', 'yaml'].includes(block.language)) continue;
    for (const line of commandsIn(block.text)) lines.set(line, nameOf(block));
  }
  it('there are some', () => expect(lines.size).toBeGreaterThan(20));
  it.each([...lines])('%s (%s)', (line) => check(line));
});

describe('in the help', () => {
  it.each(['convert', 'info', 'validate', 'repair'])('of %s', async (name) => {
    const { code, stdout } = await run(workspace, 'blp', ['help', name], workspace.folder);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\nExamples:\n {2}blp /);
    expect(stdout).toMatch(/\nExit codes: 0 /);
    const examples = /\nExamples:\n((?: {2}.*\n)+)/.exec(stdout)![1]!;
    const lines = commandsIn(examples.replaceAll(/^ {2}/gm, ''));
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) await check(line);
  });

  it('names every subcommand, and explains every option', async () => {
    const { stdout } = await run(workspace, 'blp', ['--help'], workspace.folder);
    const examples = commandsIn(stdout.replaceAll(/^ {2}/gm, ''));
    expect(examples.length).toBeGreaterThan(3);
    for (const line of examples) await check(line);
    for (const name of ['convert', 'info', 'validate', 'repair']) {
      expect(stdout).toMatch(new RegExp(`^ {2}${name} .*\\S`, 'm'));
      const { stdout: help } = await run(workspace, 'blp', [name, '--help'], workspace.folder);
      const options = help.match(/^ {2}(?:-\w, )?--.*$/gm) ?? [];
      expect(options.length).toBeGreaterThan(2);
      for (const option of options) {
        const isAlone = /^ {2}(?:-\w, )?--[\w-]+(?: <[^>]+>)?$/.test(option);
        // A long option has its explanation on the next line.
        if (isAlone) expect(help).toMatch(new RegExp(`${literally(option)}\\n {10,}\\S`));
        else expect(option).toMatch(/ {2,}\S.{5,}$/);
      }
    }
  });
});

function literally(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\<>]/g, '\\$&');
}
