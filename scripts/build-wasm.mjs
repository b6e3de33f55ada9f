// Compiles the AssemblyScript modules and writes them, with the adapted jpeg-js decoder, as importable sources.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const root = new URL('../', import.meta.url).pathname;
const require = createRequire(import.meta.url);
const asc = require.resolve('assemblyscript/bin/asc.js');
const generated = `${root}src/kernels/generated/`;

/** The modules: decoding and encoding apart, so that those who only decode do not carry the encoder. */
const modules = [
  { name: 'decode', entry: 'assembly/index.ts' },
  { name: 'encode', entry: 'assembly/encode/index.ts' },
];

mkdirSync(`${root}build`, { recursive: true });
mkdirSync(generated, { recursive: true });

const wanted = process.argv.slice(2);
for (const { name, entry } of modules) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  execFileSync(process.execPath, [asc, entry, '--config', 'asconfig.json', '--target', name], {
    cwd: root,
    stdio: 'inherit',
  });
  const text = moduleText(readFileSync(`${root}build/${name}.wasm`));
  writeFileSync(
    `${generated}${name}-module.ts`,
    `// The compiled ${name} module as text, written by scripts/build-wasm.mjs, read by src/kernels/wasm-memory.ts.\nexport default '${text}';\n`,
  );
}

/**
 * Bytes as ASCII text: the alphabet, then a character for each byte below 87, two for each of the others.
 * Unlike base64 it keeps bytes whole, so that a compressor finds what repeats: the text of the decode module takes
 * 9.3 KB after brotli, its base64 13.3, the module itself 8.9.
 */
function moduleText(bytes) {
  let alphabet = '';
  for (let code = 32; code < 127; code++) {
    const character = String.fromCharCode(code);
    // What would have to be escaped in a string or a script element.
    if (!'"\'\\`<$'.includes(character)) alphabet += character;
  }
  const base = alphabet.length - 2;
  let text = alphabet;
  for (const byte of bytes) {
    const shift = Math.floor(byte / base);
    if (shift > 0) text += alphabet[base + shift - 1];
    text += alphabet[byte % base];
  }
  return text;
}

// jpeg-js returns finished pictures only; its decoder class has the raw components that BLP needs.
const decoder = readFileSync(require.resolve('jpeg-js/lib/decoder.js'), 'utf8');
const start = decoder.indexOf('var JpegImage');
const end = decoder.indexOf('if (typeof module');
if (start < 0 || end < start)
  throw new Error('jpeg-js/lib/decoder.js has changed; adapt scripts/build-wasm.mjs');
writeFileSync(
  `${generated}jpeg-js.js`,
  `// jpeg-js 0.4.4's decoder class (BSD-3-Clause and Apache-2.0), exported by scripts/build-wasm.mjs.\n${decoder.slice(start, end)}\nexport { JpegImage };\n`,
);
writeFileSync(
  `${generated}jpeg-js.d.ts`,
  `// The part of jpeg-js's decoder class that is used here.
export interface JpegComponent {
  lines: Uint8Array[];
  scaleX: number;
  scaleY: number;
}
export class JpegImage {
  opts: {
    colorTransform?: boolean;
    tolerantDecoding?: boolean;
    maxResolutionInMP?: number;
    maxMemoryUsageInMB?: number;
  };
  width: number;
  height: number;
  components: JpegComponent[];
  parse(data: Uint8Array): void;
  static resetMaxMemoryUsage(bytes: number): void;
}
`,
);
