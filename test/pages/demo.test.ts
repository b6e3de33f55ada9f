// The viewer, clicked through as a person would: samples, files, folders, channels, levels, PNG, keys, phone, offline.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decode as decodePng } from 'fast-png';
import { type Browser, type Page, chromium as playwright } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { decode } from '../../src/index.js';
import { chromium } from './chromium.js';
import { serve } from './serve.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const fixture = (name: string): string => `${root}fixtures/${name}`;

let browser: Browser;
let server: Awaited<ReturnType<typeof serve>>;
let page: Page;
let errors: string[];

beforeAll(async () => {
  execFileSync(process.execPath, [`${root}scripts/demo.mjs`]);
  server = await serve(`${root}build/demo`);
  browser = await playwright.launch(chromium);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});
beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(20_000);
  errors = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(server.url);
});
afterEach(async () => {
  await page.context().close();
  expect(errors).toEqual([]);
});

const options = (): ReturnType<Page['locator']> => page.locator('#gallery [role=option]');
const option = (name: string): ReturnType<Page['locator']> => options().filter({ hasText: name });
const spoken = (): Promise<string> => page.locator('#status').innerText();

/** Opens fixtures and waits until all of them are read. */
async function openFiles(...names: string[]): Promise<void> {
  await page.setInputFiles('#pick-files', names.map(fixture));
  await page.waitForFunction(
    (count) =>
      [...document.querySelectorAll('#gallery .facts')].filter(
        ({ textContent }) => textContent !== 'waiting',
      ).length === count,
    names.length,
  );
}

/** The pixels of the stage, which wait for the picture. */
async function stagePixel(x: number, y: number): Promise<number[]> {
  return page.locator('#stage').evaluate(
    (canvas: HTMLCanvasElement, [column, row]) => {
      const context = canvas.getContext('2d') as CanvasRenderingContext2D;
      return [...context.getImageData(canvas.width * column, canvas.height * row, 1, 1).data];
    },
    [x, y],
  );
}

describe('opening', () => {
  test('samples', async () => {
    await page.getByRole('button', { name: 'Try samples' }).click();
    await page.waitForFunction(() => document.querySelectorAll('#gallery .ready').length >= 12);
    expect(await page.locator('#gallery .refused').count()).toBe(0);
    expect(await page.locator('#welcome').isVisible()).toBe(false);
  });

  test('files, one of which is none', async () => {
    writeFileSync(join(tmpdir(), 'model.blp'), 'MDLXVERS and so on, and so on');
    await page.setInputFiles('#pick-files', [
      fixture('blp2-dxt5-alpha8.blp'),
      join(tmpdir(), 'model.blp'),
    ]);
    await page.waitForSelector('#gallery .ready');
    await page.waitForSelector('#gallery .refused');
    expect(await page.locator('#count').innerText()).toBe('2, 1 refused');
    await option('model.blp').click();
    expect(await page.locator('#refusal').innerText()).toContain('MDLX');
    await option('blp2-dxt5').click();
    expect(await page.locator('#refusal').isVisible()).toBe(false);
  });

  test('a folder, with BLP0 and its level files', async () => {
    const folder = join(tmpdir(), 'blp-wasm-folder');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(join(folder, 'inner'), { recursive: true });
    writeFileSync(join(folder, 'readme.txt'), 'no texture');
    for (const extension of ['blp', 'b00', 'b01', 'b02', 'b03', 'b04', 'b05', 'b06']) {
      const bytes = readFileSync(fixture(`blp0-paletted-alpha8.${extension}`));
      writeFileSync(join(folder, 'inner', `old.${extension}`), bytes);
    }
    await page.setInputFiles('#pick-folder', folder);
    await page.waitForSelector('#gallery .ready');
    expect(await options().count()).toBe(1);
    expect(await page.locator('#facts').innerText()).toMatch(/^BLP0 · Palette · .* · 7 levels/);
  });

  test('files dropped on the page', async () => {
    const bytes = [...readFileSync(fixture('blp2-bc5.blp'))];
    await page.evaluate((content) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(content)], 'normal.blp'));
      const event = (type: string): DragEvent => new DragEvent(type, { dataTransfer: transfer });
      dispatchEvent(event('dragenter'));
      dispatchEvent(event('drop'));
    }, bytes);
    await page.waitForSelector('#gallery .ready');
    expect(await page.locator('#name').innerText()).toBe('normal.blp');
    expect(await page.locator('body.dropping').count()).toBe(0);
  });

  test('a file that is cut short is shown as far as it goes', async () => {
    const bytes = readFileSync(fixture('blp2-dxt1-alpha0.blp'));
    writeFileSync(join(tmpdir(), 'cut.blp'), bytes.subarray(0, 2000));
    await page.setInputFiles('#pick-files', join(tmpdir(), 'cut.blp'));
    await page.waitForSelector('.warnings .salvaged');
    expect(await page.locator('.warnings').innerText()).toContain('cut short');
  });
});

describe('looking', () => {
  test('header, chain and warnings are in tables and words', async () => {
    await openFiles('odd-slot-past-end.blp');
    await page.waitForSelector('.chain tbody tr');
    const rows = await page.locator('.chain tbody tr').allInnerTexts();
    expect(rows.length).toBe(3);
    expect(rows[0]).toMatch(/^0\s+16 × 16\s+148\s+1 024/);
    expect(await page.locator('#warnings').innerText()).toMatch(/past the end of the file/);
    expect(await page.locator('#header').innerText()).toMatch(/Magic\s+BLP2/);
  });

  test('channels apart', async () => {
    await openFiles('blp2-bc5.blp');
    const { data, width, height } = decode(readFileSync(fixture('blp2-bc5.blp')));
    const middle = ((height / 2) * width + width / 2) * 4;
    // The stage's middle is where four texels meet; this is a little to the right and below.
    const point = [0.502, 0.503] as const;
    await expect.poll(() => stagePixel(...point)).toEqual([...data.subarray(middle, middle + 4)]);
    for (const [name, channel] of [
      ['Red', 0],
      ['Green', 1],
      ['Blue', 2],
      ['Alpha', 3],
    ] as const) {
      await page.getByRole('radio', { name }).check();
      const value = data[middle + channel];
      await expect.poll(() => stagePixel(...point)).toEqual([value, value, value, 255]);
    }
  });

  test('a click on the strip shows that level', async () => {
    await openFiles('blp1-paletted-alpha8.blp');
    const strip = page.locator('#levels button');
    await expect.poll(() => strip.count()).toBe(6);
    await strip.nth(3).click();
    expect(await strip.nth(3).getAttribute('aria-pressed')).toBe('true');
    await expect.poll(() => page.locator('.chain [aria-current=true]').innerText()).toMatch(/^3\s/);
    const sides = await strip
      .locator('canvas')
      .evaluateAll((all) => all.map((canvas) => (canvas as HTMLCanvasElement).width));
    expect(sides).toEqual([32, 16, 8, 4, 2, 1]);
  });

  test('zoom by wheel, buttons and double click; the texel under the pointer is named', async () => {
    await openFiles('blp2-bgra-alpha8.blp');
    const zoom = page.locator('#zoom');
    const before = await zoom.innerText();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    expect(Number.parseFloat(await zoom.innerText())).toBe(Number.parseFloat(before) * 2);
    await page.getByRole('button', { name: 'Fit' }).click();
    expect(await zoom.innerText()).toBe(before);
    await page.locator('#stage').hover();
    await page.mouse.wheel(0, -500);
    await expect.poll(() => zoom.innerText()).not.toBe(before);
    expect(await page.locator('#texel').innerText()).toMatch(/R \d+ {2}G \d+ {2}B \d+ {2}A \d+/);
  });

  test('WebAssembly is timed against JavaScript', async () => {
    await openFiles('blp2-dxt5-alpha8.blp');
    await page.getByRole('button', { name: 'Compare with JavaScript' }).click();
    await page.waitForSelector('.chart .bar');
    expect(await page.locator('.chart').innerText()).toMatch(/times as fast/);
    expect(await page.locator('.chart .bar').count()).toBe(2);
  });
});

describe('saving', () => {
  test('the PNG has every texel as decoded, also colours under alpha 0', async () => {
    await openFiles('blp2-bgra-alpha8.blp');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download PNG' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('blp2-bgra-alpha8.png');
    const png = decodePng(readFileSync(await file.path()));
    const { width, height, data } = decode(readFileSync(fixture('blp2-bgra-alpha8.blp')));
    expect([png.width, png.height]).toEqual([width, height]);
    expect(Buffer.compare(Buffer.from(png.data.buffer), Buffer.from(data.buffer))).toBe(0);
  });
});

describe('without a mouse', () => {
  test('keys walk through textures, levels and channels', async () => {
    await openFiles('blp1-paletted-alpha8.blp', 'blp2-bc5.blp', 'blp2-dxt5-alpha8.blp');
    await expect.poll(spoken).toContain('blp1-paletted-alpha8.blp, Palette, 32 by 32, 6 levels');
    await page.keyboard.press('ArrowDown');
    await expect.poll(spoken).toContain('blp2-bc5.blp, BC5');
    await page.keyboard.press('End');
    await expect.poll(spoken).toContain('blp2-dxt5-alpha8.blp');
    const selected = page.locator('[role=option][aria-selected=true]');
    expect(await selected.count()).toBe(1);
    expect(await selected.getAttribute('id')).toBe(
      await page.locator('#gallery').getAttribute('aria-activedescendant'),
    );
    await page.keyboard.press(']');
    await expect.poll(() => page.locator('.chain [aria-current=true]').innerText()).toMatch(/^1\s/);
    await page.keyboard.press('6');
    expect(await page.getByRole('radio', { name: 'Alpha' }).isChecked()).toBe(true);
    await page.keyboard.press('?');
    expect(await page.getByRole('dialog', { name: 'Keys' }).isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog', { name: 'Keys' }).isVisible()).toBe(false);
  });

  test('everything that can be operated has a name', async () => {
    await openFiles('blp2-dxt5-alpha8.blp');
    await page.waitForSelector('#levels button');
    const nameless = await page
      .locator('button, input:not([hidden]), canvas[tabindex]')
      .evaluateAll((all) =>
        all
          .filter((one) => {
            const label = one.getAttribute('aria-label') ?? one.closest('label')?.textContent;
            return !(label || one.textContent)?.trim();
          })
          .map((one) => one.outerHTML),
      );
    expect(nameless).toEqual([]);
  });

  test('the filter hides what does not match', async () => {
    await openFiles('blp1-paletted-alpha8.blp', 'blp2-bc5.blp');
    await page.getByRole('searchbox').fill('bc5');
    expect(await options().filter({ visible: true }).count()).toBe(1);
    await page.getByRole('searchbox').fill('');
    expect(await options().filter({ visible: true }).count()).toBe(2);
    await page.getByRole('button', { name: 'Clear' }).click();
    expect(await page.getByText('Drop BLP textures here').isVisible()).toBe(true);
  });
});

describe('elsewhere', () => {
  test("on a phone's width nothing is cut off", async () => {
    await page.setViewportSize({ width: 375, height: 740 });
    const welcome = await page.locator('#welcome').boundingBox();
    expect(welcome && welcome.x >= 0 && welcome.x + welcome.width <= 375).toBe(true);
    await openFiles('blp1-paletted-alpha8.blp', 'blp2-bc5.blp');
    await page.waitForSelector('#levels button');
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBe(375);
    await option('blp2-bc5').click();
    expect(await page.locator('#name').innerText()).toBe('blp2-bc5.blp');
    await page.getByRole('button', { name: 'Download PNG' }).scrollIntoViewIfNeeded();
  });

  test('without a network, after one visit', async () => {
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.context().setOffline(true);
    await page.reload();
    await page.getByRole('button', { name: 'Try samples' }).click();
    await page.waitForFunction(() => document.querySelectorAll('#gallery .ready').length >= 12);
  });
});
