// Type-checks examples as a user's compiler would, against the sources.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { type Block, nameOf, root } from './blocks.js';

/** The part of WebGPU that the examples use, of which TypeScript's own libraries know nothing. */
const webgpu = `
interface Navigator { readonly gpu: { requestAdapter(): Promise<GPUAdapter | null> } }
interface GPUAdapter { requestDevice(options: { requiredFeatures: string[] }): Promise<GPUDevice> }
interface GPUTexture { readonly label: string }
interface GPUDevice {
  createTexture(options: {
    size: number[]; format: string; mipLevelCount: number; usage: number;
  }): GPUTexture;
  readonly queue: {
    writeTexture(
      destination: { texture: GPUTexture; mipLevel: number },
      data: ArrayBufferView,
      layout: { bytesPerRow: number; rowsPerImage: number },
      size: number[],
    ): void;
  };
}
declare const GPUTextureUsage: { readonly TEXTURE_BINDING: number; readonly COPY_DST: number };
`;

const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowJs: true,
  checkJs: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['ES2022', 'ESNext.Disposable', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'].map(
    (name) => `lib.${name.toLowerCase()}.d.ts`,
  ),
  types: ['node'],
  paths: {
    'blp-wasm': [join(root, 'src/index.ts')],
    'blp-wasm/browser': [join(root, 'src/browser.ts')],
    'blp-wasm/pool': [join(root, 'src/pool/index.ts')],
    'blp-wasm/three': [join(root, 'src/three.ts')],
  },
};

/**
 * Checks all blocks in one go.
 *
 * @param globals declarations of what the blocks take for granted
 * @param textOf what is checked instead of the block's own text; it may not begin with other lines
 * @returns for each block that has errors its name and what is wrong with it
 */
export function checkTypes(
  blocks: readonly Block[],
  globals: string,
  textOf: (block: Block) => string = ({ text }) => text,
): Record<string, string[]> {
  mkdirSync(join(root, 'build'), { recursive: true });
  const folder = mkdtempSync(join(root, 'build', 'docs-types-'));
  try {
    const given = join(folder, 'given.d.ts');
    writeFileSync(given, globals + webgpu);
    const paths = new Map<string, Block>();
    for (const [index, block] of blocks.entries()) {
      const isCommonJs = /\brequire\(/.test(block.text) && !/^import /m.test(block.text);
      const path = join(folder, `block-${index}.${isCommonJs ? 'cjs' : block.language}`);
      // A module even where it imports nothing, so that blocks do not see each other's names.
      writeFileSync(path, isCommonJs ? block.text : `${textOf(block)}\nexport {};\n`);
      paths.set(path, block);
    }
    const program = ts.createProgram([given, ...paths.keys()], options);
    const problems: Record<string, string[]> = {};
    for (const [path, block] of paths) {
      const source = program.getSourceFile(path);
      const found = [
        ...program.getSyntacticDiagnostics(source),
        ...program.getSemanticDiagnostics(source),
      ].map(({ start = 0, messageText }) => {
        const { line } = ts.getLineAndCharacterOfPosition(source!, start);
        return `line ${block.line + line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
      });
      if (found.length > 0) problems[nameOf(block)] = found;
    }
    return problems;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
