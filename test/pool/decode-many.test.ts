// decodeMany of the built package: every kind of source, results as decode gives them, ES modules and CommonJS.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { BlpError, decode } from '../../src/index.js';
import type { decodeMany as DecodeMany, DecodeResult, DecodeSource } from '../../src/pool/index.js';
import { openWorkshop } from '../cli/support.js';
import { fixturesFolder } from '../reference/files.js';

const workshop = openWorkshop();

async function load(): Promise<typeof DecodeMany> {
  const url = pathToFileURL(join(workshop.package, 'esm/pool/index.js')).href;
  return ((await import(/* @vite-ignore */ url)) as { decodeMany: typeof DecodeMany }).decodeMany;
}

async function collect<Source>(
  results: AsyncIterable<DecodeResult<Source>>,
): Promise<DecodeResult<Source>[]> {
  const collected: DecodeResult<Source>[] = [];
  for await (const result of results) collected.push(result);
  return collected;
}

const fixture = (name: string) => join(fixturesFolder, name);
const dxt5 = fixture('blp2-dxt5-alpha8.blp');

describe('decodeMany', () => {
  it('decodes every fixture as decode does', async () => {
    const decodeMany = await load();
    const paths = readdirSync(fixturesFolder)
      .filter((name) => /^(blp[12]|odd).*\.blp$/.test(name))
      .map(fixture);
    const results = await collect(decodeMany(paths, { concurrency: 2 }));
    expect(results.map(({ source }) => source)).toEqual(paths);
    for (const { source, image } of results) {
      const { width, height, data } = decode(readFileSync(source));
      expect([source, image!.width, image!.height]).toEqual([source, width, height]);
      expect(Buffer.from(image!.data.buffer).equals(Buffer.from(data.buffer))).toBe(true);
    }
  });

  it('takes paths, URLs, blobs, bytes and parts of buffers, and leaves the bytes alone', async () => {
    const decodeMany = await load();
    const bytes = new Uint8Array(readFileSync(dxt5));
    const padded = new Uint8Array(bytes.length + 20);
    padded.set(bytes, 10);
    const view = padded.subarray(10, 10 + bytes.length);
    const sources: DecodeSource[] = [
      dxt5,
      pathToFileURL(dxt5),
      new Blob([bytes]),
      bytes,
      bytes.buffer,
      view,
      { bytes },
      `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`,
    ];
    const results = await collect(decodeMany(sources, { level: 1, concurrency: 1 }));
    const expected = decode(bytes, { level: 1 });
    expect(results.map(({ error }) => error)).toEqual(sources.map(() => undefined));
    for (const { image } of results) expect([...image!.data]).toEqual([...expected.data]);
    expect(bytes.length).toBeGreaterThan(0);
    expect(padded.length).toBe(bytes.length + 20);
  });

  it('finds the level files of BLP0 beside a path, or takes them', async () => {
    const decodeMany = await load();
    const path = fixture('blp0-jpeg-alpha8.blp');
    const levelFiles = [0, 1, 2, 3, 4, 5, 6].map((level) => {
      return new Uint8Array(readFileSync(fixture(`blp0-jpeg-alpha8.b0${level}`)));
    });
    const bytes = new Uint8Array(readFileSync(path));
    const expected = decode(bytes, { levelFiles });
    const results = await collect(decodeMany([path, { bytes, levelFiles }, bytes]));
    for (const { image } of results.slice(0, 2)) {
      expect([...image!.data]).toEqual([...expected.data]);
    }
    expect(results[2]!.error).toMatchObject({ code: 'truncated' });
  });

  it('reports what cannot be decoded and goes on', async () => {
    const decodeMany = await load();
    const detached = new Uint8Array(8);
    structuredClone(detached.buffer, { transfer: [detached.buffer] });
    const sources = [
      '/nowhere/at/all.blp',
      Buffer.from('DDS 0123'),
      undefined as unknown as string,
      detached,
      dxt5,
    ];
    const results = await collect(decodeMany(sources));
    expect(
      results.map(({ error }) => [error?.name, (error as BlpError | undefined)?.code]),
    ).toEqual([
      ['PoolError', 'read'],
      ['BlpError', 'not-blp'],
      ['BlpError', 'argument'],
      ['BlpError', 'argument'],
      [undefined, undefined],
    ]);
    expect(results[1]!.error!.message).toContain('a DDS texture');
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a number', 7],
    ['a URL without a host', 'http://'],
    ['a file URL of another machine', 'file://host/x.blp'],
    ['the same as a URL', new URL('file://host/x.blp')],
    ['level files that are none', { bytes: new Uint8Array(8), levelFiles: [5] }],
    [
      'an object whose bytes throw',
      {
        get bytes() {
          throw new Error('gone');
        },
      },
    ],
  ])('gives %s its own error', async (_, bad) => {
    const decodeMany = await load();
    const results = await collect(decodeMany([bad as string, dxt5], { concurrency: 1 }));
    expect(results.map(({ source }) => source)).toEqual([bad, dxt5]);
    expect(results[0]!.error).toMatchObject({ name: 'BlpError', code: 'argument' });
    expect(results[1]!.image).toBeDefined();
  });

  it('holds level files and fetched files to the limit of bytes', async () => {
    const decodeMany = await load();
    const folder = workshop.folder();
    const header = readFileSync(fixture('blp0-jpeg-alpha8.blp'));
    writeFileSync(join(folder, 'big.blp'), header);
    writeFileSync(join(folder, 'big.b00'), new Uint8Array(5000));
    let sent = 0;
    const server = createServer((request, response) => {
      if (request.url === '/announced.blp') response.setHeader('content-length', 1 << 30);
      const timer = setInterval(() => {
        // Without an end: whoever takes it all never comes back.
        if (response.writableNeedDrain) return;
        sent += 1 << 16;
        response.write(new Uint8Array(1 << 16));
      }, 1);
      response.on('close', () => clearInterval(timer));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const web = `http://127.0.0.1:${port}`;
    const maxInputBytes = 4096;
    expect(header.length).toBeLessThan(maxInputBytes);
    const data = `data:application/octet-stream;base64,${header.toString('base64')}`;
    const sources = [join(folder, 'big.blp'), `${web}/announced.blp`, `${web}/endless.blp`, data];
    const results = await collect(
      decodeMany(sources, { limits: { maxInputBytes }, timeout: 20_000 }),
    );
    server.closeAllConnections();
    server.close();
    const errors = results.map(({ error }) => error!);
    expect(errors.map(({ name, code }) => [name, code])).toEqual([
      ['BlpError', 'limit'],
      ['BlpError', 'limit'],
      ['BlpError', 'limit'],
      ['BlpError', 'truncated'],
    ]);
    const total = header.length + 5000;
    expect(errors[0]!.message).toContain(
      `big.b00 the texture has ${total} bytes, allowed are 4096`,
    );
    expect(errors[1]!.message).toContain('1073741824 bytes');
    expect(sent).toBeLessThan(64 << 20);
  });

  it('passes warnings and options on', async () => {
    const decodeMany = await load();
    const cut = readFileSync(dxt5).subarray(0, 1500);
    const options = { salvage: true, region: { x: 4, y: 4, width: 8, height: 8 } };
    const [result] = await collect(decodeMany([cut], options));
    expect([result!.image!.width, result!.image!.height]).toEqual([8, 8]);
    expect(result!.warnings!.map(({ code }) => code)).toContain('truncated');
    const [limited] = await collect(decodeMany([cut], { limits: { maxPixels: 10 } }));
    expect(limited!.error).toMatchObject({ code: 'limit' });
  });

  it('refuses wrong options at once', async () => {
    const decodeMany = await load();
    for (const options of [
      { concurrency: 0 },
      { timeout: -1 },
      { order: 'random' as 'input' },
      { limits: { maxPixel: 3 } as object },
    ]) {
      expect(() => decodeMany([], options)).toThrow(
        expect.objectContaining({ name: 'BlpError', code: 'argument' }),
      );
    }
    expect(() => decodeMany(new Uint8Array(3) as never)).toThrow('sources');
  });

  it('ends its workers when the loop is left', async () => {
    const decodeMany = await load();
    function* endless() {
      for (;;) yield dxt5;
    }
    // Every running thread has a port of its own to this one.
    const ports = () =>
      process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
    const before = ports();
    for await (const { image } of decodeMany(endless(), { concurrency: 2 })) {
      expect(image).toBeDefined();
      expect(ports()).toBeGreaterThan(before);
      break;
    }
    await expect.poll(ports, { timeout: 5000 }).toBe(before);
  });

  it('works in CommonJS, with the one BlpError of the package', async () => {
    const require = createRequire(import.meta.url);
    const pool = require(join(workshop.package, 'cjs/pool/index.js'));
    const core = require(join(workshop.package, 'cjs/index.js'));
    const results: DecodeResult<DecodeSource>[] = await collect(
      pool.decodeMany([dxt5, new Uint8Array(3)]),
    );
    expect([...results[0]!.image!.data]).toEqual([...decode(readFileSync(dxt5)).data]);
    expect(results[1]!.error).toBeInstanceOf(core.BlpError);
    expect(BlpError).not.toBe(core.BlpError);
  });
});
