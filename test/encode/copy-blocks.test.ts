// Ready blocks wrapped into BLP2: bit for bit, whatever the length of the chain.
import { describe, expect, it } from 'vitest';
import { copyBlocks } from '../../src/encode/copy-blocks.js';
import { parse } from '../../src/index.js';
import { errorOf } from '../reference/errors.js';
import { randomByteSource } from '../reference/random.js';

function blocks(count: number, blockBytes: number): Uint8Array {
  return Uint8Array.from({ length: count * blockBytes }, randomByteSource(count));
}

describe('copied blocks', () => {
  it.each([
    ['dxt1', 8, undefined, 0],
    ['dxt1', 8, 1, 1],
    ['dxt3', 16, undefined, 8],
    ['dxt3', 16, 4, 4],
    ['dxt5', 16, undefined, 8],
    ['dxt5', 16, 0, 0],
    ['bc5', 16, undefined, 0],
  ] as const)('%s of %i bytes with alphaBits %s', (format, blockBytes, alphaBits, stored) => {
    // 10 × 6 texels and below: 3 × 2 blocks, 2 × 1, 1, 1.
    const levels = [6, 2, 1, 1].map((count) => blocks(count, blockBytes));
    const texture = parse(copyBlocks({ format, width: 10, height: 6, alphaBits }, levels));
    expect(texture.encoding).toBe(format);
    expect(texture.alphaBits).toBe(stored);
    expect(texture.levels.map(({ bytes }) => [...bytes])).toEqual(
      levels.map((level) => [...level]),
    );
    expect(texture.warnings).toEqual([]);
  });

  it('single levels are declared as such', () => {
    const file = copyBlocks({ format: 'dxt1', width: 64, height: 64 }, [blocks(256, 8)]);
    expect(parse(file).warnings).toEqual([]);
    expect(parse(file).header.hasMips).toBe(0);
  });

  it.each([
    ['too few blocks', { format: 'dxt1', width: 8, height: 8 }, 'level 0 has 24 bytes'],
    ['alpha bits', { format: 'dxt1', width: 4, height: 4, alphaBits: 8 }, '0, 1'],
    ['names', { format: 'toString', width: 4, height: 4 }, 'format is toString'],
    ['formats', { format: 'bc7', width: 4, height: 4 }, 'dxt1, dxt3, dxt5, bc5'],
  ])('refuses wrong %s', (_, description, message) => {
    const error = errorOf(() =>
      copyBlocks(description as Parameters<typeof copyBlocks>[0], [blocks(3, 8)]),
    );
    expect(error.code).toBe('argument');
    expect(error.message).toContain(message);
  });
});
