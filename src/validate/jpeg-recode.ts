// A JPEG stream → a baseline one with the same coefficients, so that every texel stays as it was.

import {
  fillCodes,
  frameSegment,
  type HuffmanTable,
  huffmanSegment,
  huffmanTable,
  quantisationSegment,
  scanSegment,
} from '../encode/jpeg-tables.js';
import { BlpError } from '../errors.js';
import { decodeScan } from './jpeg-scan.js';
import { type Component, type Frame, walkSegments } from './jpeg-segments.js';

/** The coefficients of a stream. */
export function readCoefficients(stream: Uint8Array): Frame {
  return walkSegments(stream, (scan, frame) => decodeScan(stream, scan, frame));
}

/**
 * Makes every sample of a component 255 by its coefficients alone: a DC value, and nothing else.
 * The inverse transform gives DC × step / 8 + 128; rounding up is clamped to 255.
 */
export function fillComponent(component: Component): void {
  const step = component.steps?.[0] ?? 1;
  component.coefficients.fill(0);
  const dc = Math.ceil(((255 - 128) * 8) / step);
  for (let at = 0; at < component.coefficients.length; at += 64) component.coefficients[at] = dc;
}

/**
 * Writes coefficients as a baseline stream: one scan of all components, Huffman tables fitted to it.
 *
 * @throws BlpError `unsupported` where baseline cannot hold them
 */
export function writeBaseline(frame: Frame): Uint8Array {
  const { components } = frame;
  const blocksPerMcu = components.reduce((sum, c) => sum + c.horizontal * c.vertical, 0);
  if (components.length > 1 && blocksPerMcu > 10) throw cannot(`${blocksPerMcu} blocks in an MCU`);
  const writer = new EntropyWriter();
  const counts = { dc: new Uint32Array(256), ac: new Uint32Array(256) };
  codeBlocks(frame, (kind, symbol) => counts[kind][symbol]++);
  const dc = encodingTable(counts.dc);
  const ac = encodingTable(counts.ac);
  const tables = { dc: dc.codes, ac: ac.codes };
  codeBlocks(frame, (kind, symbol, value, size) => {
    const code = tables[kind][symbol];
    writer.put(code >> 8, code & 255);
    writer.put(value, size);
  });
  return Uint8Array.from([
    ...[0xff, 0xd8],
    ...stepSegments(components),
    ...huffmanSegment('dc', 0, dc.table),
    ...huffmanSegment('ac', 0, ac.table),
    ...frameSegment(frame.width, frame.height, components),
    ...scanSegment(components.map(({ id }) => ({ id, tablesId: 0 }))),
    ...writer.finish(),
    ...[0xff, 0xd9],
  ]);
}

function cannot(what: string): BlpError {
  return new BlpError('unsupported', `the JPEG stream cannot be written as baseline: ${what}`);
}

function encodingTable(counts: Uint32Array): { table: HuffmanTable; codes: Uint32Array } {
  const codes = new Uint32Array(256);
  const table = huffmanTable(counts);
  fillCodes(table, codes);
  return { table, codes };
}

type Emit = (kind: 'dc' | 'ac', symbol: number, value: number, size: number) => void;

/** Goes through the blocks in the order of an interleaved scan, or of the only component's own rows. */
function codeBlocks({ components, mcusWide, mcusHigh }: Frame, emit: Emit): void {
  const predictions = new Int32Array(components.length);
  const code = (component: Component, index: number, x: number, y: number): void => {
    const at = (y * component.blocksWide + x) * 64;
    const block = component.coefficients.subarray(at, at + 64);
    codeBlock(block, block[0] - predictions[index], emit);
    predictions[index] = block[0];
  };
  if (components.length === 1) {
    const [only] = components;
    for (let y = 0; y < only.usedHigh; y++) {
      for (let x = 0; x < only.usedWide; x++) code(only, 0, x, y);
    }
    return;
  }
  for (let mcu = 0; mcu < mcusWide * mcusHigh; mcu++) {
    const mcuX = mcu % mcusWide;
    const mcuY = Math.floor(mcu / mcusWide);
    components.forEach((component, index) => {
      const { horizontal, vertical } = component;
      for (let y = mcuY * vertical; y < (mcuY + 1) * vertical; y++) {
        for (let x = mcuX * horizontal; x < (mcuX + 1) * horizontal; x++) {
          code(component, index, x, y);
        }
      }
    });
  }
}

/** F.1.2: the difference of DC, then runs of zeros and values. */
function codeBlock(block: Int16Array, difference: number, emit: Emit): void {
  const dcSize = bitLength(difference);
  if (dcSize > 11) throw cannot(`a DC difference of ${difference}`);
  emit('dc', dcSize, signedBits(difference, dcSize), dcSize);
  let run = 0;
  for (let k = 1; k < 64; k++) {
    const value = block[k];
    if (value === 0) {
      run++;
      continue;
    }
    for (; run > 15; run -= 16) emit('ac', 0xf0, 0, 0);
    const size = bitLength(value);
    if (size > 10) throw cannot(`a coefficient of ${value}`);
    emit('ac', (run << 4) | size, signedBits(value, size), size);
    run = 0;
  }
  if (run > 0) emit('ac', 0, 0, 0);
}

function bitLength(value: number): number {
  return 32 - Math.clz32(Math.abs(value));
}

function signedBits(value: number, size: number): number {
  return value < 0 ? value + (1 << size) - 1 : value;
}

/** Packs bits into bytes, with a zero after each 0xFF. */
class EntropyWriter {
  readonly #bytes: number[] = [];
  #bits = 0;
  #count = 0;

  put(value: number, length: number): void {
    for (let n = length - 1; n >= 0; n--) {
      this.#bits = (this.#bits << 1) | ((value >> n) & 1);
      if (++this.#count < 8) continue;
      this.#bytes.push(this.#bits);
      if (this.#bits === 0xff) this.#bytes.push(0);
      this.#bits = 0;
      this.#count = 0;
    }
  }

  /** Fills the last byte up with ones (F.1.2.3). */
  finish(): number[] {
    while (this.#count !== 0) this.put(1, 1);
    return this.#bytes;
  }
}

/** One DQT segment per table; components that share a table keep sharing it. */
function stepSegments(components: readonly Component[]): number[] {
  const written = new Map<number, Uint16Array>();
  for (const { stepsId, steps } of components) {
    if (!steps) throw cannot('a quantisation table is missing');
    const known = written.get(stepsId);
    if (known?.some((step, index) => step !== steps[index])) {
      throw cannot('components share a table that changed between scans');
    }
    if (steps.some((step) => step > 255)) throw cannot('quantisation steps above 255');
    written.set(stepsId, steps);
  }
  return [...written].flatMap(([id, steps]) => quantisationSegment(id, steps));
}
