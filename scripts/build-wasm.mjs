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
    `// The compiled ${name} module as text, written by scripts/build-wasm.mjs, read by src/kernels/wasm/memory.ts.\nexport const ${name}Module = '${text}';\n`,
  );
}

/**
 * Bytes as ASCII text: the alphabet, then a character for each byte below 87, two for each of the others.
 * Unlike base64 it keeps bytes whole, so that a compressor finds what repeats: the text of the decode module takes
 * 9.8 kB after brotli, its base64 13.5, the module itself 9.2.
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

/** The part of `text` from `start` on, up to `end`; both must occur, in that order. */
function between(text, start, end) {
  const from = text.indexOf(start);
  const to = text.indexOf(end, from);
  if (from < 0 || to < from) throw new Error(`jpeg-js has changed: no ${start} before ${end}`);
  return text.slice(from, to);
}

/** `text` with `found`, which must occur once, replaced. */
function replaceOnce(text, found, replacement) {
  const pieces = text.split(found);
  if (pieces.length !== 2) throw new Error(`jpeg-js has changed: ${found} is there not once`);
  return pieces.join(replacement);
}

// jpeg-js returns finished pictures only. Its decoder class reads the coefficients that BLP needs; what turns them
// into pictures, its transform and its colours, is left out.
const jpegJs = readFileSync(require.resolve('jpeg-js/lib/decoder.js'), 'utf8');
const jpegJsParse = replaceOnce(
  between(jpegJs, 'parse: function parse', 'getData: function'),
  'lines: buildComponentData(frame, component)',
  'blocks: component.blocks',
);
// In scans of one component it would decode past the end where the last restart interval is a short one.
const jpegJsScans = replaceOnce(
  between(jpegJs, 'var JpegImage', 'function buildComponentData'),
  'decodeBlock(component, decodeFn, mcu);\n          mcu++;',
  'decodeBlock(component, decodeFn, mcu);\n          mcu++;\n          if (mcu === mcuExpected) break;',
);
// A run of sixteen zeros may go past the end of a band, as in libjpeg: jpeg-js would go on with it in the next block.
const jpegJsRuns = replaceOnce(
  jpegJsScans,
  'if (successiveACState === 4) {',
  `if (successiveACState === 2 || successiveACState === 3)
        throw new Error("a run past the end of a block");
      if (successiveACState === 1)
        successiveACState = 0;
      if (successiveACState === 4) {`,
);
writeFileSync(
  `${generated}jpeg-js.js`,
  `// jpeg-js 0.4.4's decoder class (BSD-3-Clause and Apache-2.0), cut to size by scripts/build-wasm.mjs.
${jpegJsRuns}
  constructor.prototype = {
    ${jpegJsParse}
  };
${between(jpegJs, '  // We cap the amount of memory', 'if (typeof module')}
export { JpegImage };
`,
);
writeFileSync(
  `${generated}jpeg-js.d.ts`,
  `// The part of jpeg-js's decoder class that is used here.
export interface JpegComponent {
  /** By row and column, 64 coefficients each in natural order. */
  blocks: Int32Array[][];
}
export class JpegImage {
  opts: {
    maxResolutionInMP?: number;
  };
  /** In the order of the frame header. */
  components: JpegComponent[];
  parse(data: Uint8Array): void;
  static resetMaxMemoryUsage(bytes: number): void;
}
`,
);
