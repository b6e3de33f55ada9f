// Validation and repair of the matrix of faulty files: exactly the right code, clean after repair, good texels kept.

import { describe, expect, it } from 'vitest';
import { fullChainLength } from '../../src/container/sides.js';
import type { LevelFiles } from '../../src/container/slots.js';
import { parse } from '../../src/texture.js';
import { codes, type Finding } from '../../src/validate/codes.js';
import { repair } from '../../src/validate/repair.js';
import { type ValidateOptions, validate } from '../../src/validate/validate.js';
import type { FaultyFile } from './faulty.js';
import { goodFiles } from './good-files.js';
import { matrix, noted } from './matrix.js';
import { edit } from './support.js';

function faults(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ severity }) => severity !== 'note');
}

function optionsOf({ game, levelFiles, maxPixels }: FaultyFile) {
  return {
    game,
    ...(levelFiles && { levelFiles }),
    ...(maxPixels && { limits: { maxPixels } }),
  };
}

/** RGBA of every level that is there. */
function decodeAll(bytes: Uint8Array, levelFiles?: LevelFiles): Uint8ClampedArray[] {
  const texture = parse(bytes, levelFiles ? { levelFiles } : {});
  return texture.levels.map(({ level }) => texture.decode({ level }).data);
}

describe('files without fault', () => {
  it.each(Object.entries(goodFiles))('%s: neither error nor warning', (_, { game, bytes }) => {
    expect(faults(validate(bytes, { game }))).toEqual([]);
    const { bytes: same, actions } = repair(bytes, { game });
    expect(same).toBe(bytes);
    expect(actions).toEqual([]);
  });

  it.each(Object.entries(noted))('%s: a note and nothing else', (_, { game, code, bytes }) => {
    const findings = validate(bytes, { game });
    expect(faults(findings)).toEqual([]);
    expect(findings.map((finding) => finding.code)).toContain(code);
    expect(repair(bytes, { game }).bytes).toBe(bytes);
  });
});

describe('the matrix of faulty files', () => {
  it.each(matrix.map((file) => [`${file.code}: ${file.name}`, file] as const))('%s', (_, file) => {
    const found = faults(validate(file.bytes, optionsOf(file)));
    expect(found.map(({ code, severity, repairable }) => ({ code, severity, repairable }))).toEqual(
      [{ code: file.code, severity: file.severity, repairable: file.mendable }],
    );
    const result = repair(file.bytes, optionsOf(file));
    if (!file.mendable) {
      expect(result.bytes).toBe(file.bytes);
      expect(result.actions).toEqual([]);
      expect(faults(result.remaining).map(({ code }) => code)).toEqual([file.code]);
      return;
    }
    expect(faults(result.remaining)).toEqual([]);
    expect(result.actions.map(({ code }) => code)).toEqual([file.code]);

    const files = result.levelFiles ? { levelFiles: result.levelFiles } : {};
    const again = repair(result.bytes, { ...optionsOf(file), ...files });
    expect(again.bytes).toBe(result.bytes);
    expect(again.actions).toEqual([]);

    const repaired = decodeAll(result.bytes, result.levelFiles);
    const { width, height, header } = parse(result.bytes, files);
    expect(repaired.length).toBe(header.hasMips === 0 ? 1 : fullChainLength(width, height));
    if (!file.good) return;
    decodeAll(file.good, file.goodLevels).forEach((texels, level) => {
      if (file.lost?.includes(level)) return;
      expect(Buffer.compare(Buffer.from(repaired[level].buffer), Buffer.from(texels.buffer))).toBe(
        0,
      );
    });
  });

  it('shows every code', () => {
    const shown = new Set([
      ...matrix.map(({ code }) => code),
      ...Object.values(noted).map(({ code }) => code),
    ]);
    expect([...shown].sort()).toEqual(Object.keys(codes).sort());
  });
});

describe('options', () => {
  it('takes the game from the version', () => {
    const { dxt5, jpeg } = goodFiles;
    expect(faults(validate(dxt5.bytes))).toEqual([]);
    expect(faults(validate(jpeg.bytes))).toEqual([]);
    expect(faults(validate(jpeg.bytes, { game: 'any' }))).toEqual([]);
  });

  it('reports what would cost more than the limits allow, and leaves it alone', () => {
    const header = goodFiles.jpeg.bytes.slice();
    new DataView(header.buffer).setUint32(0x0c, 65535, true);
    new DataView(header.buffer).setUint32(0x10, 65535, true);
    const blp0 = matrix.find(({ levelFiles }) => levelFiles !== undefined)!;
    const cases: [Uint8Array, ValidateOptions][] = [
      [header, { limits: { maxPixels: 65535 ** 2 } }],
      [goodFiles.dxt5.bytes, { limits: { maxOutputBytes: 10 } }],
      [goodFiles.jpeg.bytes, { limits: { maxWasmMemory: 1000 } }],
      [blp0.bytes, { ...optionsOf(blp0), limits: { maxInputBytes: blp0.bytes.length } }],
    ];
    for (const [bytes, options] of cases) {
      expect(validate(bytes, options)).toMatchObject([
        { code: 'over-limit', severity: 'error', repairable: false },
      ]);
      const repaired = repair(bytes, options);
      expect(repaired.actions).toEqual([]);
      expect(repaired.bytes).toEqual(bytes);
    }
  });

  it('refuses what it does not know', () => {
    const { bytes } = goodFiles.dxt5;
    expect(() => validate(bytes, { game: 'diablo' as 'wow' })).toThrow(/game must be/);
    expect(() => validate('icon.blp' as unknown as Uint8Array)).toThrow(/bytes must be/);
    expect(() => repair(bytes, { limits: { maxPixel: 1 } as object })).toThrow(/maxPixel/);
  });
});

describe('limits', () => {
  it('hold for the repaired file', () => {
    const file = edit(goodFiles.dxt5.bytes, ({ setSlot }) => setSlot(5, 0, 0));
    const limits = { maxInputBytes: file.length };
    const { bytes, actions, remaining } = repair(file, { limits });
    expect(bytes).toBe(file);
    expect(actions).toEqual([]);
    expect(remaining.map(({ code }) => code)).toEqual(['chain-incomplete']);
    expect(repair(file).actions.map(({ code }) => code)).toEqual(['chain-incomplete']);
  });
});
