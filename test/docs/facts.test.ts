// What the pages say of the code is so: links, codes, limits, sizes, notices, figures.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fill, plots } from '../../bench/readme.js';
import { defaultLimits } from '../../src/limits.js';
import { root } from './blocks.js';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** GitHub's name of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .replaceAll(' ', '-');
}

it.each(pages)('the links of %s lead somewhere', (page) => {
  const lost = [...read(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)]
    .map(([link, path, anchor]) => ({ link, path, anchor }))
    .filter(({ path, anchor }) => {
      const target = path === '' ? page : join(dirname(page), path!);
      if (!existsSync(join(root, target))) return true;
      if (anchor === undefined) return false;
      const headings = [...read(target).matchAll(/^#+ (.*)$/gm)].map(([, words]) =>
        anchorOf(words!),
      );
      return !headings.includes(anchor);
    })
    .map(({ link }) => link);
  expect(lost).toEqual([]);
});

it('every page is named in the README', () => {
  const readme = read('README.md');
  for (const page of pages.filter((name) => name.startsWith('docs/'))) {
    expect(readme, page).toContain(`](${page})`);
  }
});

it('docs/architecture.md names every folder of the sources', () => {
  const page = read('docs/architecture.md');
  for (const entry of readdirSync(join(root, 'src'), { withFileTypes: true })) {
    if (entry.isDirectory()) expect(page).toContain(`\`src/${entry.name}/\``);
  }
});

/** The members of a union of strings, as its source lists them. */
function members(path: string, type: string): string[] {
  const union = new RegExp(`export type ${type} =([^;]*);`).exec(read(path))![1]!;
  return [...union.matchAll(/'([^']+)'/g)].map(([, name]) => name!);
}

describe('docs/format.md', () => {
  const page = read('docs/format.md');
  it('explains every warning and no other', () => {
    const codes = members('src/warnings.ts', 'WarningCode');
    expect(codes.length).toBeGreaterThan(10);
    for (const code of codes) expect(page, code).toContain(`\`${code}\``);
    const named = [...page.matchAll(/`((?:level|palette|alpha|jpeg)-[a-z-]+)`/g)].map(
      ([, code]) => code!,
    );
    expect(codes).toEqual(expect.arrayContaining(named));
  });

  it('and docs/decode.md explain every error', () => {
    for (const code of members('src/errors.ts', 'BlpErrorCode')) {
      expect(page, code).toMatch(new RegExp(`^\\| \`${code}\` +\\|`, 'm'));
      expect(read('docs/decode.md'), code).toMatch(new RegExp(`^\\| \`${code}\` +\\|`, 'm'));
    }
  });
});

it('docs/security.md names every limit with its default', () => {
  const rows = [...read('docs/security.md').matchAll(/^\| `(max\w+)` +\| ([^|]+) \|/gm)];
  const limits = rows.map(([, name, value]) => {
    const [first, second] = value!.match(/\d+/g)!.map(Number);
    return [
      name,
      value!.includes('×') ? first! * second! : value!.includes('MiB') ? first! << 20 : first,
    ];
  });
  expect(Object.fromEntries(limits)).toEqual(defaultLimits);
});

it('docs/encode.md names every option', () => {
  const source = read('src/encode/options.ts');
  const body = /export interface EncodeOptions \{([\s\S]*?)\n\}/.exec(source)![1]!;
  const options = [...body.matchAll(/^ {2}(\w+)\?:/gm)].map(([, name]) => name!);
  const named = [...read('docs/encode.md').matchAll(/^\| `(\w+)` +\|/gm)].map(([, name]) => name!);
  expect(options.length).toBeGreaterThan(5);
  expect(named).toEqual(expect.arrayContaining(options));
});

it('README.md names the sizes that the build is held to', () => {
  const limits: { path: string; limit: string }[] = JSON.parse(read('.size-limit.json'));
  const limitOf = (name: string): string => limits.find(({ path }) => path.endsWith(name))!.limit;
  const words = read('README.md').replaceAll(/\s+/g, ' ');
  expect(words).toContain(`at most ${limitOf('index.js')} to a page after brotli`);
  expect(words).toMatch(new RegExp(`blp-wasm/core.*at most ${limitOf('core.js')}`));
});

it('CHANGELOG.md begins with this version', () => {
  const { version } = JSON.parse(read('package.json'));
  expect(/^## (.*)$/m.exec(read('CHANGELOG.md'))?.[1]).toBe(version);
  expect(read('docs/install.md')).toContain(`blp-wasm@${version}/`);
});

it('THIRD-PARTY.md holds the notices of what is built in', () => {
  const args = [join(root, 'scripts/third-party.mjs'), '--check'];
  expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('');
});

describe('figures', () => {
  it('of README.md are those of bench/results', () => {
    const page = read('README.md');
    const isFilled = /<!-- table:\w+ -->\n\|/.test(page);
    if (isFilled) expect(page).toBe(fill(page));
  });

  it.each(Object.entries(plots()))('of the plot %s as well', (name, { svg }) => {
    const path = join(root, `docs/images/${name}.svg`);
    if (existsSync(path)) expect(readFileSync(path, 'utf8')).toBe(svg);
  });
});
