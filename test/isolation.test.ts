// No state between decodes: the same bytes give the same texels after any history, and never another texture's.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BlpError, parse } from '../src/index.js';
import type { Kernels } from '../src/kernels/kernels.js';
import { createWasmKernels, instantiateDecodeModule } from '../src/kernels/wasm/kernels.js';
import { mutate } from './fuzz/mutate.js';
import { randomFor } from './fuzz/random.js';
import { fixturesFolder } from './reference/files.js';

const files = readdirSync(fixturesFolder)
  .filter((name) => name.endsWith('.blp'))
  .map((name) => ({ name, bytes: new Uint8Array(readFileSync(join(fixturesFolder, name))) }));

/** The texels of every level, or the code of the refusal. */
function decodeAll(bytes: Uint8Array, kernels: Kernels, salvage = false): (string | Uint8Array)[] {
  const attempt = (run: () => Uint8Array): string | Uint8Array => {
    try {
      return run();
    } catch (error) {
      if (error instanceof BlpError) return error.code;
      throw error;
    }
  };
  try {
    const texture = parse(bytes, { salvage });
    return texture.levels.map(({ level }) =>
      attempt(() => new Uint8Array(texture.decode({ level, kernels }).data)),
    );
  } catch (error) {
    if (error instanceof BlpError) return [error.code];
    throw error;
  }
}

const fresh = files.map(({ bytes }) => decodeAll(bytes, createWasmKernels()));

describe('one instance of the kernels', () => {
  test('gives the same texels after any sequence of damaged and good files', () => {
    const kernels = createWasmKernels();
    const step = fc.record({ file: fc.nat(files.length - 1), damage: fc.nat(1_000_000) });
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.nat(files.length - 1),
        (history, last) => {
          for (const { file, damage } of history) {
            const random = randomFor(damage, file);
            decodeAll(mutate(files[file].bytes, random, []), kernels, random.oneIn(2));
          }
          expect(decodeAll(files[last].bytes, kernels)).toEqual(fresh[last]);
        },
      ),
      { numRuns: 30 },
    );
  });

  test('two instances do not meet', () => {
    const one = createWasmKernels();
    const other = createWasmKernels();
    files.forEach(({ bytes }, i) => {
      const neighbour = (i * 7 + 3) % files.length;
      const first = decodeAll(bytes, one);
      const second = decodeAll(files[neighbour].bytes, other);
      expect(first).toEqual(fresh[i]);
      expect(second).toEqual(fresh[neighbour]);
    });
  });
});

describe('no bytes of one texture appear in another', () => {
  /** Decodes with the whole free WebAssembly memory and the target filled with `poison` before. */
  function decodePoisoned(
    bytes: Uint8Array,
    poison: number,
    salvage: boolean,
  ): (string | Uint8Array)[] {
    const runtime = instantiateDecodeModule();
    const kernels = createWasmKernels(runtime);
    // The module's tables lie below; what is above is free between calls.
    const free = runtime.exports.heapBase();
    const poisonAll = () => runtime.bytes().fill(poison, free);
    const wrapped: Kernels = {
      ...kernels,
      blocks: (...args) => {
        poisonAll();
        return kernels.blocks(...args);
      },
      paletted: (...args) => {
        poisonAll();
        return kernels.paletted(...args);
      },
      bgra: (...args) => {
        poisonAll();
        return kernels.bgra(...args);
      },
      jpeg: (...args) => {
        poisonAll();
        return kernels.jpeg(...args);
      },
      jpegAlphaPlane: (...args) => {
        poisonAll();
        return kernels.jpegAlphaPlane(...args);
      },
    };
    try {
      const texture = parse(bytes, { salvage });
      return texture.levels.map(({ level, width, height }) => {
        const into = new Uint8Array(width * height * 4).fill(poison);
        try {
          return new Uint8Array(texture.decode({ level, kernels: wrapped, into }).data);
        } catch (error) {
          if (error instanceof BlpError) return error.code;
          throw error;
        }
      });
    } catch (error) {
      if (error instanceof BlpError) return [error.code];
      throw error;
    }
  }

  test('memory and target poisoned with 0x55 and 0xAA give the same texels', () => {
    for (const { name, bytes } of files) {
      expect(decodePoisoned(bytes, 0x55, false), name).toEqual(decodePoisoned(bytes, 0xaa, false));
    }
  });

  test('so do damaged files, strict and salvaged', () => {
    fc.assert(
      fc.property(
        fc.nat(files.length - 1),
        fc.nat(1_000_000),
        fc.boolean(),
        (file, damage, salvage) => {
          const bytes = mutate(files[file].bytes, randomFor(damage, file), []);
          expect(decodePoisoned(bytes, 0x55, salvage)).toEqual(
            decodePoisoned(bytes, 0xaa, salvage),
          );
        },
      ),
      { numRuns: 60 },
    );
  });
});
