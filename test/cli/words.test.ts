// Numbers in words, and the progress of a run on a terminal and in a log.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { inOptions, limitsFor } from '../../src/cli/limits.js';
import { createProgress } from '../../src/cli/progress.js';
import { formatBytes, formatRate, formatSeconds, plural, tally } from '../../src/cli/words.js';
import { type BlpError, defaultLimits, parse } from '../../src/index.js';

describe('words', () => {
  it.each([
    [0, '0.00'],
    [1.23456, '1.23'],
    [45.678, '45.7'],
    [123.6, '124'],
    [98765, '98765'],
    [Number.POSITIVE_INFINITY, '0'],
    [Number.NaN, '0'],
  ])('rate %d', (value, text) => expect(formatRate(value)).toBe(text));

  it.each([
    [0, '0.0 s'],
    [59.94, '59.9 s'],
    [59.96, '1 min 00 s'],
    [185, '3 min 05 s'],
    [3599, '59 min 59 s'],
    [8040, '2 h 14 min'],
  ])('%d seconds', (value, text) => expect(formatSeconds(value)).toBe(text));

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.00 kB'],
    [1_250_000, '1.25 MB'],
    [999_600, '1.00 MB'],
    [3.2e12, '3.20 TB'],
    [5e15, '5.00e+3 TB'],
  ])('%d bytes', (value, text) => expect(formatBytes(value)).toBe(text));

  it('counts', () => {
    expect([0, 1, 2].map((count) => plural(count, 'file'))).toEqual([
      '0 files',
      '1 file',
      '2 files',
    ]);
    expect(tally(new Map(Object.entries({ b: 1, a: 1, many: 12 })))).toBe('many 12, a 1, b 1');
  });
});

describe('limits of the command', () => {
  it('grow with --max-pixels and never shrink below the defaults', () => {
    const { maxJpegScans: _, ...defaults } = defaultLimits;
    expect(limitsFor(100)).toEqual({ ...defaults, maxPixels: 100 });
    const large = limitsFor(1e9);
    expect(large.maxOutputBytes).toBe(4e9);
    expect(large.maxInputBytes).toBe(6e9);
    expect(large.maxWasmMemory).toBe(1e10);
  });

  it('are named by their option', () => {
    const header = Buffer.alloc(156);
    header.write('BLP1', 'latin1');
    header.writeUInt32LE(1, 4);
    header.writeUInt32LE(300, 12);
    header.writeUInt32LE(200, 16);
    const message = (limits: object) => {
      try {
        parse(header, { limits });
      } catch (error) {
        return inOptions((error as BlpError).message);
      }
      return undefined;
    };
    expect(message({ maxPixels: 5 })).toBe(
      '300 × 200 texels are 60000, allowed are 5 (--max-pixels)',
    );
    expect(message({ maxInputBytes: 5 })).toBe(
      'the file has 156 bytes, allowed are 5 (raised by --max-pixels)',
    );
    expect(inOptions('at least 101 scans, allowed are 100 (limits.maxJpegScans)')).toBe(
      'at least 101 scans, allowed are 100',
    );
  });
});

describe('progress', () => {
  afterEach(() => vi.restoreAllMocks());

  function capture(isTTY: boolean): () => string {
    let text = '';
    vi.spyOn(process.stderr, 'write').mockImplementation((part) => {
      text += part;
      return true;
    });
    const before = process.stderr.isTTY;
    process.stderr.isTTY = isTTY;
    return () => {
      process.stderr.isTTY = before;
      return text;
    };
  }

  it('is a bar on a terminal, with lines above it', async () => {
    const text = capture(true);
    const progress = createProgress(2, false);
    progress.add(1e6);
    progress.line('failed: a.blp');
    await new Promise((resolve) => setTimeout(resolve, 300));
    progress.add(1e6);
    progress.end();
    const printed = text();
    expect(printed).toContain('failed: a.blp\n');
    expect(printed).toMatch(/1\/2 files \| [\d.]+ files\/s \| [\d.]+ MPix\/s \| [\d.]+ s left/);
  });

  it('is a line every ten seconds in a log, and none at the end', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const text = capture(false);
    const progress = createProgress(4, false);
    for (const seconds of [4, 7, 3]) {
      vi.advanceTimersByTime(seconds * 1000);
      progress.add(5.5e6);
    }
    vi.advanceTimersByTime(20_000);
    progress.add(0);
    progress.end();
    vi.useRealTimers();
    expect(text()).toBe('2 of 4 files, 0.182 files/s, 1.00 MPix/s, 11.0 s left\n');
  });

  it('is nothing but failures when quiet', () => {
    const text = capture(true);
    const progress = createProgress(2, true);
    progress.add(1e6);
    progress.line('failed: a.blp');
    progress.end();
    expect(text()).toBe('failed: a.blp\n');
  });
});
