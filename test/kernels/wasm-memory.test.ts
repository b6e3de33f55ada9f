// The module as text, and the memory that grows within its limit.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { decodeModule as decodeText } from '../../src/kernels/generated/decode-module.js';
import { encodeModule as encodeText } from '../../src/kernels/generated/encode-module.js';
import { instantiateDecodeModule } from '../../src/kernels/wasm/kernels.js';
import { moduleBytes } from '../../src/kernels/wasm/memory.js';

describe('the module as text', () => {
  test.each([
    ['decode', decodeText],
    ['encode', encodeText],
  ])('%s is the compiled module, byte for byte', (name, text) => {
    const compiled = readFileSync(new URL(`../../build/${name}.wasm`, import.meta.url));
    expect(Buffer.compare(compiled, moduleBytes(text))).toBe(0);
  });

  test('holds no character that a string or a script element would need escaped', () => {
    expect(decodeText + encodeText).toMatch(/^[ !#%&()*+,\-./0-9:;=>?@A-Z[\]^_a-z{|}~]+$/);
  });
});

describe('the memory', () => {
  test('grows to what is asked for, and a view taken afterwards sees what was there', () => {
    const { bytes, ensure, exports } = instantiateDecodeModule();
    const base = exports.heapBase();
    bytes()[base] = 42;
    ensure(5_000_000, 6_000_000);
    expect(bytes().length).toBeGreaterThanOrEqual(5_000_000);
    expect(bytes().length).toBeLessThan(6_000_000);
    expect(bytes()[base]).toBe(42);
  });

  test('refuses more than its limit, and more than the engine has, without growing', () => {
    const { bytes, ensure } = instantiateDecodeModule();
    const before = bytes().length;
    expect(() => ensure(5_000_000, 4_999_999)).toThrow(
      expect.objectContaining({ code: 'limit', message: expect.stringContaining('4999999') }),
    );
    expect(() => ensure(2 ** 33, Number.POSITIVE_INFINITY)).toThrow(
      expect.objectContaining({ code: 'limit' }),
    );
    expect(bytes().length).toBe(before);
  });
});
