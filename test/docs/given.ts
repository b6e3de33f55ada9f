// What examples take for granted: names that they use without saying where the values come from.

interface Given {
  /** Its type, in TypeScript. */
  type: string;
  /** How Node makes it in the workspace; absent where only the type is needed. */
  value?: string;
}

/** For the pages. */
export const givenInPages: Record<string, Given> = {
  bytes: { type: 'Uint8Array<ArrayBuffer>', value: "new Uint8Array(readFileSync('icon.blp'))" },
  image: {
    type: "import('blp-wasm').Image",
    value: "(await import('blp-wasm')).decode(readFileSync('icon.blp'))",
  },
};

/** For the examples of TSDoc comments, which are checked and not run. */
export const givenInComments: Record<string, Given> = {
  bytes: { type: 'Uint8Array<ArrayBuffer>' },
  data: { type: 'Uint8ClampedArray<ArrayBuffer>' },
  image: { type: "import('blp-wasm').Image" },
  texture: { type: "import('blp-wasm').BlpTexture" },
  paths: { type: 'string[]' },
  slow: { type: 'string[]' },
  fields: { type: "import('blp-wasm').WriteFields" },
  levelBytes: { type: 'Uint8Array[]' },
  source: { type: 'Uint8Array' },
  ddsLevels: { type: 'Uint8Array[]' },
  context: { type: 'CanvasRenderingContext2D' },
  gl: { type: 'WebGL2RenderingContext' },
  cancelButton: { type: 'HTMLButtonElement' },
  progress: { type: 'HTMLProgressElement' },
  askForASmallerFile: { type: '(message: string) => void' },
  show: {
    type: '(width: number, height: number, data: Uint8ClampedArray<ArrayBuffer>) => void',
  },
  renderer: { type: "import('three').WebGLRenderer" },
  MeshStandardMaterial: { type: "typeof import('three').MeshStandardMaterial" },
  SRGBColorSpace: { type: "typeof import('three').SRGBColorSpace" },
  readFile: { type: "typeof import('node:fs/promises').readFile" },
  writeFile: { type: "typeof import('node:fs/promises').writeFile" },
};

/** Declarations of the names. */
export function declarations(given: Record<string, Given>): string {
  return Object.entries(given)
    .map(([name, { type }]) => `declare const ${name}: ${type};\n`)
    .join('');
}

/** A module that defines them for all others. */
export function definitions(given: Record<string, Given>): string {
  const lines = Object.entries(given).map(
    ([name, { value }]) => `globalThis[${JSON.stringify(name)}] = ${value};\n`,
  );
  return `import { readFileSync } from 'node:fs';\n${lines.join('')}`;
}
