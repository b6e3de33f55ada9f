// One scan's entropy-coded data → quantised coefficients: baseline, and the four kinds of progressive scan.

import { BlpError } from '../errors.js';
import type { Component, DecodingTable, Frame, Scan } from './jpeg-segments.js';

/** Reads bits from entropy-coded data; past its end come zeros, as encoders may leave out the last ones. */
class BitReader {
  position: number;
  readonly #bytes: Uint8Array;
  #bits = 0;
  #count = 0;

  constructor(bytes: Uint8Array, position: number) {
    this.#bytes = bytes;
    this.position = position;
  }

  bit(): number {
    if (this.#count === 0) {
      const byte = this.#bytes[this.position];
      const isMarker = byte === 0xff && this.#bytes[this.position + 1] !== 0;
      if (byte === undefined || isMarker) {
        this.#bits = 0;
      } else {
        this.#bits = byte;
        this.position += byte === 0xff ? 2 : 1;
      }
      this.#count = 8;
    }
    return (this.#bits >> --this.#count) & 1;
  }

  bits(length: number): number {
    let value = 0;
    for (let n = 0; n < length; n++) value = (value << 1) | this.bit();
    return value;
  }

  /** A value of `length` bits with its sign (ITU-T T.81, F.2.2.1). */
  signed(length: number): number {
    if (length === 0) return 0;
    const value = this.bits(length);
    return value < 1 << (length - 1) ? value - (1 << length) + 1 : value;
  }

  symbol(table: DecodingTable | undefined): number {
    if (!table) throw new BlpError('damaged', 'a scan uses a Huffman table that is not there');
    let code = 0;
    for (let length = 1; length <= 16; length++) {
      code = (code << 1) | this.bit();
      const index = code - table.firstCode[length];
      if (index < table.counts[length - 1]) return table.symbols[table.firstIndex[length] + index];
    }
    throw new BlpError('damaged', 'the entropy-coded data holds a code that no table has');
  }

  /** Drops the rest of the byte and steps over the restart marker. */
  restart(): void {
    this.#count = 0;
    const bytes = this.#bytes;
    let at = this.position;
    while (
      at + 1 < bytes.length &&
      !(bytes[at] === 0xff && bytes[at + 1] >= 0xd0 && bytes[at + 1] <= 0xd7)
    ) {
      if (bytes[at] === 0xff && bytes[at + 1] !== 0 && bytes[at + 1] !== 0xff) return;
      at++;
    }
    this.position = at + 2;
  }
}

/** What is carried from block to block within a scan, and forgotten at a restart marker. */
interface Carry {
  predictions: Int32Array;
  endOfBand: number;
}

type BlockDecoder = (
  reader: BitReader,
  block: Int16Array,
  entry: Scan['components'][number],
  index: number,
  carry: Carry,
  scan: Scan,
) => void;

/** Decodes a scan into its components' coefficients and returns where its data ends. */
export function decodeScan(stream: Uint8Array, scan: Scan, frame: Frame): number {
  const reader = new BitReader(stream, scan.position);
  const carry: Carry = { predictions: new Int32Array(scan.components.length), endOfBand: 0 };
  const decode = frame.progressive ? progressiveDecoder(scan) : decodeSequential;
  const single = scan.components.length === 1;
  const [{ component: only }] = scan.components;
  const units = single ? only.usedWide * only.usedHigh : frame.mcusWide * frame.mcusHigh;
  for (let unit = 0; unit < units; unit++) {
    if (scan.restartInterval > 0 && unit > 0 && unit % scan.restartInterval === 0) {
      reader.restart();
      carry.predictions.fill(0);
      carry.endOfBand = 0;
    }
    if (single) {
      const x = unit % only.usedWide;
      const y = Math.floor(unit / only.usedWide);
      decode(reader, blockAt(only, x, y), scan.components[0], 0, carry, scan);
      continue;
    }
    const mcuX = unit % frame.mcusWide;
    const mcuY = Math.floor(unit / frame.mcusWide);
    scan.components.forEach((entry, index) => {
      const { horizontal, vertical } = entry.component;
      for (let y = mcuY * vertical; y < (mcuY + 1) * vertical; y++) {
        for (let x = mcuX * horizontal; x < (mcuX + 1) * horizontal; x++) {
          decode(reader, blockAt(entry.component, x, y), entry, index, carry, scan);
        }
      }
    });
  }
  return reader.position;
}

function blockAt({ coefficients, blocksWide }: Component, x: number, y: number): Int16Array {
  const at = (y * blocksWide + x) * 64;
  return coefficients.subarray(at, at + 64);
}

function progressiveDecoder({ spectralStart, approximationHigh }: Scan): BlockDecoder {
  if (spectralStart === 0) return approximationHigh === 0 ? decodeDcFirst : refineDc;
  return approximationHigh === 0 ? decodeAcFirst : refineAc;
}

function decodeSequential(
  ...[reader, block, { dc, ac }, index, carry]: Parameters<BlockDecoder>
): void {
  carry.predictions[index] += reader.signed(reader.symbol(dc));
  block[0] = carry.predictions[index];
  for (let k = 1; k < 64; k++) {
    const symbol = reader.symbol(ac);
    const size = symbol & 15;
    if (size === 0) {
      if (symbol !== 0xf0) break;
      k += 15;
      continue;
    }
    k += symbol >> 4;
    if (k > 63) throw new BlpError('damaged', 'a block has more than 64 coefficients');
    block[k] = reader.signed(size);
  }
}

function decodeDcFirst(
  ...[reader, block, { dc }, index, carry, scan]: Parameters<BlockDecoder>
): void {
  carry.predictions[index] += reader.signed(reader.symbol(dc));
  block[0] = carry.predictions[index] << scan.approximationLow;
}

function refineDc(...[reader, block, , , , scan]: Parameters<BlockDecoder>): void {
  if (reader.bit()) block[0] |= 1 << scan.approximationLow;
}

function decodeAcFirst(...[reader, block, { ac }, , carry, scan]: Parameters<BlockDecoder>): void {
  if (carry.endOfBand > 0) {
    carry.endOfBand--;
    return;
  }
  for (let k = scan.spectralStart; k <= scan.spectralEnd; k++) {
    const symbol = reader.symbol(ac);
    const run = symbol >> 4;
    const size = symbol & 15;
    if (size === 0 && run < 15) {
      carry.endOfBand = (1 << run) - 1 + reader.bits(run);
      return;
    }
    k += run;
    if (k > 63) throw new BlpError('damaged', 'a block has more than 64 coefficients');
    if (size > 0) block[k] = reader.signed(size) * (1 << scan.approximationLow);
  }
}

/** G.1.2.3: known coefficients get one more bit each as they are passed; new ones arise as ±1 at this precision. */
function refineAc(...[reader, block, { ac }, , carry, scan]: Parameters<BlockDecoder>): void {
  const { spectralStart, spectralEnd } = scan;
  const one = 1 << scan.approximationLow;
  let k = spectralStart;
  const refineKnown = (): void => {
    // The bit lengthens the magnitude, whatever the sign; where it is set already, the stream repeats itself.
    if (reader.bit() && (Math.abs(block[k]) & one) === 0) block[k] += block[k] > 0 ? one : -one;
  };
  if (carry.endOfBand === 0) {
    for (; k <= spectralEnd; k++) {
      const symbol = reader.symbol(ac);
      let run = symbol >> 4;
      const size = symbol & 15;
      let value = 0;
      if (size === 0) {
        if (run < 15) {
          carry.endOfBand = (1 << run) + reader.bits(run);
          break;
        }
      } else {
        value = reader.bit() ? one : -one;
      }
      for (; k <= spectralEnd; k++) {
        if (block[k] !== 0) refineKnown();
        else if (run-- === 0) break;
      }
      if (value !== 0 && k <= spectralEnd) block[k] = value;
    }
  }
  if (carry.endOfBand === 0) return;
  for (; k <= spectralEnd; k++) if (block[k] !== 0) refineKnown();
  carry.endOfBand--;
}
