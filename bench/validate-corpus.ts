// What validation finds in real textures, and what repair leaves: prints the table of docs/validation.md.

import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { parse } from '../src/texture.js';
import type { Severity } from '../src/validate/codes.js';
import { repair } from '../src/validate/repair.js';
import { validate } from '../src/validate/validate.js';
import { findRealTextures } from '../test/reference/files.js';

interface Row {
  severity: Severity;
  /** Files with the code, by version; and findings in all of them. */
  files: { BLP1: number; BLP2: number };
  findings: number;
  mended: number;
}

const rows = new Map<string, Row>();
const totals = { files: 0, decodable: 0, clean: 0, cleanAfter: 0 };
let milliseconds = 0;

for (const path of (['corpus', 'textures'] as const).flatMap(listTextures)) {
  const bytes = new Uint8Array(readFileSync(path));
  const start = performance.now();
  const findings = validate(bytes);
  milliseconds += performance.now() - start;
  const { remaining } = repair(bytes);
  totals.files++;
  const isClean = findings.every(({ severity }) => severity === 'note');
  const isCleanAfter = remaining.every(({ severity }) => severity === 'note');
  if (isClean) totals.clean++;
  if (isDecodable(bytes)) {
    totals.decodable++;
    if (isCleanAfter) totals.cleanAfter++;
    else console.log(`left: ${path}: ${remaining.map(({ code }) => code).join(', ')}`);
  }
  const version = bytes[3] === 0x32 ? 'BLP2' : 'BLP1';
  for (const code of new Set(findings.map((finding) => finding.code))) {
    const same = findings.filter((finding) => finding.code === code);
    const row: Row = rows.get(`${code} ${same[0].severity}`) ?? {
      ...{ severity: same[0].severity, files: { BLP1: 0, BLP2: 0 }, findings: 0, mended: 0 },
    };
    rows.set(`${code} ${same[0].severity}`, row);
    row.files[version]++;
    row.findings += same.length;
    if (remaining.every((finding) => finding.code !== code)) row.mended++;
  }
}

console.log('| code | severity | BLP1 files | BLP2 files | findings | files mended |');
console.log('|---|---|---:|---:|---:|---:|');
const order: Severity[] = ['error', 'warning', 'note'];
const sorted = [...rows].sort(
  ([, a], [, b]) =>
    order.indexOf(a.severity) - order.indexOf(b.severity) || b.findings - a.findings,
);
for (const [key, { severity, files, findings, mended }] of sorted) {
  const [code] = key.split(' ');
  const done = severity === 'note' ? '' : mended;
  console.log(
    `| \`${code}\` | ${severity} | ${files.BLP1} | ${files.BLP2} | ${findings} | ${done} |`,
  );
}
console.log(totals);
console.log(`validated in ${Math.round(milliseconds)} ms`);

function listTextures(name: 'corpus' | 'textures'): string[] {
  const { folder, missing } = findRealTextures(name);
  if (missing) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => extname(name).toLowerCase() === '.blp')
    .sort()
    .map((name) => join(folder, name));
}

function isDecodable(bytes: Uint8Array): boolean {
  try {
    parse(bytes).decode();
    return true;
  } catch {
    return false;
  }
}
