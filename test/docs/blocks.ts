// The code in README.md, docs/*.md and TSDoc examples, block by block.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Block {
  /** Path in the project, and the line on which the block begins. */
  file: string;
  line: number;
  language: string;
  /** What follows the language in the first line of the block: `browser`, `browser webgpu`, or nothing for Node. */
  marks: string[];
  text: string;
}

/** What a test of the block is called. */
export function nameOf({ file, line }: Block): string {
  return `${file}:${line}`;
}

/** All code blocks of the pages. */
export function pageBlocks(): Block[] {
  const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  return ['README.md', ...pages.map((name) => `docs/${name}`)].flatMap((file) =>
    blocksIn(file, readFileSync(join(root, file), 'utf8')),
  );
}

/** All code blocks of the TSDoc comments of the sources. */
export function commentBlocks(): Block[] {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.ts') && !name.startsWith(join('kernels', 'generated')))
    .flatMap((name) => {
      const file = join('src', name);
      const text = readFileSync(join(root, file), 'utf8');
      return blocksIn(file, text.replaceAll(/^ *\* ?/gm, ''), true);
    });
}

function blocksIn(file: string, text: string, isComment = false): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^ *```(.*)$/.exec(line);
    if (!open && fence) {
      const [language = '', ...marks] = fence[1]!.split(' ');
      open = { file, line: index + 2, language, marks, text: '' };
    } else if (open && fence) {
      blocks.push(open);
      open = undefined;
    } else if (open) {
      open.text += `${line}\n`;
    }
  }
  // Template literals of sources hold such marks as well, but no comment ends inside a block.
  if (open && !isComment) throw new Error(`${file}:${open.line}: the block has no end`);
  return blocks;
}
