// Builds the demo page into build/demo; serves it with `serve`, at the port given or 8321.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { context } from 'esbuild';

const root = fileURLToPath(new URL('../', import.meta.url));
const out = `${root}build/demo`;

/** Of each encoding one, and some with oddities to show. */
const samples = [
  'blp1-jpeg-alpha8.blp',
  'blp1-jpeg-progressive.blp',
  'blp1-paletted-alpha8.blp',
  'blp2-paletted-alpha4.blp',
  'blp2-dxt1-alpha1.blp',
  'blp2-dxt3-alpha8.blp',
  'blp2-dxt5-alpha8.blp',
  'blp2-dxt5-odd-sides.blp',
  'blp2-bc5.blp',
  'blp2-bgra-alpha8.blp',
  'odd-paletted-short-palette.blp',
  'odd-slot-past-end.blp',
];

mkdirSync(`${out}/samples`, { recursive: true });
for (const file of ['index.html', 'style.css', 'icon.svg']) {
  cpSync(`${root}demo/${file}`, `${out}/${file}`);
}
for (const name of samples) cpSync(`${root}fixtures/${name}`, `${out}/samples/${name}`);
writeFileSync(`${out}/samples/list.json`, JSON.stringify(samples));

const build = await context({
  entryPoints: ['main', 'worker', 'offline'].map((name) => `${root}demo/${name}.ts`),
  outdir: out,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  logLevel: 'warning',
});
await build.rebuild();
const [, , command, port] = process.argv;
if (command === 'serve') {
  const { port: taken } = await build.serve({ servedir: out, port: Number(port ?? 8321) });
  console.log(`The viewer is at http://localhost:${taken}/`);
} else {
  await build.dispose();
}
