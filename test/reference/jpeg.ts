// A slow, plain JPEG decoder after ITU-T T.81: baseline and progressive, one bit at a time, libjpeg's accurate integer IDCT.
import { fillPicture, type Picture, type Texel } from './pixels.js';

/** What stands in the way of a stream; never thrown for a sound one. */
export class ReferenceJpegError extends Error {}

interface Component {
  id: number;
  horizontal: number;
  vertical: number;
  quantization: number;
  /** Blocks a row and a column, padded to whole MCUs. */
  blocksWide: number;
  blocksHigh: number;
  /** Blocks that hold samples of the picture: what a scan of this component alone walks. */
  realWide: number;
  realHigh: number;
  /** 64 coefficients a block, natural order. */
  coefficients: Int32Array;
  predictor: number;
}

interface Frame {
  width: number;
  height: number;
  progressive: boolean;
  components: Component[];
  maxHorizontal: number;
  maxVertical: number;
}

/** Code length and code → value. */
type HuffmanTable = Map<number, number>;

/** Raw samples of every component, upsampled by repetition to the frame's sides. */
export interface DecodedJpeg {
  width: number;
  height: number;
  progressive: boolean;
  planes: Uint8Array[];
  /** Adobe marker's transform byte, where there is one. */
  adobeTransform: number | undefined;
}

// Figure A.6 of T.81: the order of coefficients in the stream.
const zigzag = buildZigzag();

function buildZigzag(): number[] {
  const order: number[] = [];
  for (let diagonal = 0; diagonal < 15; diagonal++) {
    const cells: number[] = [];
    for (let row = 0; row < 8; row++) {
      const column = diagonal - row;
      if (column >= 0 && column < 8) cells.push(row * 8 + column);
    }
    // Even diagonals run upwards.
    if (diagonal % 2 === 0) cells.reverse();
    order.push(...cells);
  }
  return order;
}

/** Reads the frame's sides and number of components without decoding. */
export function readFrameSides(
  stream: Uint8Array,
): { width: number; height: number; components: number } | undefined {
  for (const segment of segments(stream)) {
    if (isFrameMarker(segment.marker)) {
      const data = segment.data;
      return {
        height: data[1] * 256 + data[2],
        width: data[3] * 256 + data[4],
        components: data[5],
      };
    }
  }
  return undefined;
}

/**
 * Decodes to raw samples: no colour transform.
 *
 * @throws ReferenceJpegError
 */
export function decodeJpegPlanes(stream: Uint8Array): DecodedJpeg {
  const quantization = new Map<number, number[]>();
  const huffman = new Map<number, HuffmanTable>();
  let frame: Frame | undefined;
  let restartInterval = 0;
  let adobeTransform: number | undefined;
  let scans = 0;
  for (const { marker, data, end } of segments(stream)) {
    if (marker === 0xdb) readQuantization(data, quantization);
    else if (marker === 0xc4) readHuffman(data, huffman);
    else if (marker === 0xdd) restartInterval = data[0] * 256 + data[1];
    else if (marker === 0xee && String.fromCharCode(...data.subarray(0, 5)) === 'Adobe') {
      adobeTransform = data[11];
    } else if (isFrameMarker(marker)) {
      if (frame !== undefined) throw new ReferenceJpegError('a second frame header');
      frame = readFrame(marker, data);
    } else if (marker === 0xda) {
      if (frame === undefined) throw new ReferenceJpegError('a scan before the frame header');
      decodeScan(stream, end, data, frame, huffman, restartInterval);
      scans++;
    }
  }
  if (frame === undefined || scans === 0) throw new ReferenceJpegError('no frame or no scan');
  const { width, height, progressive } = frame;
  const planes = frame.components.map((component) =>
    componentPlane(component, frame, quantization.get(component.quantization) ?? []),
  );
  return { width, height, progressive, planes, adobeTransform };
}

function isFrameMarker(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** Every marker segment up to EOI, skipping entropy-coded data. */
function* segments(
  stream: Uint8Array,
): Generator<{ marker: number; data: Uint8Array; end: number }> {
  let position = 0;
  while (position + 1 < stream.length) {
    const marker = stream[position + 1];
    if (stream[position] !== 0xff || marker === 0 || marker === 0xff) {
      position++;
      continue;
    }
    if (marker === 0xd9) return;
    // SOI, TEM and the restart markers stand alone.
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      position += 2;
      continue;
    }
    const length = stream[position + 2] * 256 + stream[position + 3];
    const end = position + 2 + length;
    if (!(end <= stream.length)) return;
    yield { marker, data: stream.subarray(position + 4, end), end };
    position = end;
  }
}

function readQuantization(data: Uint8Array, tables: Map<number, number[]>): void {
  let at = 0;
  while (at < data.length) {
    const wide = data[at] >= 16;
    const id = data[at] % 16;
    at++;
    const table = new Array<number>(64).fill(0);
    for (let k = 0; k < 64; k++) {
      table[zigzag[k]] = wide ? data[at] * 256 + data[at + 1] : data[at];
      at += wide ? 2 : 1;
    }
    tables.set(id, table);
  }
}

/** Codes are handed out in order, one bit longer at each length (T.81, C.2). The key is a 1 bit followed by the code. */
function readHuffman(data: Uint8Array, tables: Map<number, HuffmanTable>): void {
  let at = 0;
  while (at < data.length) {
    const id = data[at];
    const counts = data.subarray(at + 1, at + 17);
    at += 17;
    const table: HuffmanTable = new Map();
    let code = 0;
    counts.forEach((count, index) => {
      for (let n = 0; n < count; n++) table.set(2 ** (index + 1) + code++, data[at++]);
      code *= 2;
    });
    tables.set(id, table);
  }
}

function readFrame(marker: number, data: Uint8Array): Frame {
  if (marker > 0xc2) throw new ReferenceJpegError(`frame type ${marker.toString(16)}`);
  if (data[0] !== 8) throw new ReferenceJpegError(`${data[0]} bits per sample`);
  const height = data[1] * 256 + data[2];
  const width = data[3] * 256 + data[4];
  const described = Array.from({ length: data[5] }, (_, index) => ({
    id: data[6 + index * 3],
    horizontal: Math.floor(data[7 + index * 3] / 16),
    vertical: data[7 + index * 3] % 16,
    quantization: data[8 + index * 3],
  }));
  if (described.some(({ horizontal, vertical }) => horizontal * vertical === 0)) {
    throw new ReferenceJpegError('a sampling factor of 0');
  }
  const maxHorizontal = Math.max(...described.map((component) => component.horizontal));
  const maxVertical = Math.max(...described.map((component) => component.vertical));
  const mcusWide = Math.ceil(width / (8 * maxHorizontal));
  const mcusHigh = Math.ceil(height / (8 * maxVertical));
  const components = described.map((component) => {
    const blocksWide = mcusWide * component.horizontal;
    const blocksHigh = mcusHigh * component.vertical;
    return {
      ...component,
      blocksWide,
      blocksHigh,
      realWide: Math.ceil(Math.ceil((width * component.horizontal) / maxHorizontal) / 8),
      realHigh: Math.ceil(Math.ceil((height * component.vertical) / maxVertical) / 8),
      coefficients: new Int32Array(blocksWide * blocksHigh * 64),
      predictor: 0,
    };
  });
  return { width, height, progressive: marker === 0xc2, components, maxHorizontal, maxVertical };
}

/** Entropy-coded bits, with stuffed zeros removed; past a marker or the end only zeros come. */
class BitReader {
  position: number;
  private left = 0;
  private byte = 0;
  constructor(
    private readonly stream: Uint8Array,
    start: number,
  ) {
    this.position = start;
  }
  bit(): number {
    if (this.left === 0) {
      this.byte = this.stream[this.position] ?? 0;
      if (this.byte === 0xff && this.stream[this.position + 1] !== 0) this.byte = 0;
      else this.position += this.byte === 0xff ? 2 : 1;
      this.left = 8;
    }
    this.left--;
    return (this.byte >> this.left) & 1;
  }
  bits(count: number): number {
    let value = 0;
    for (let n = 0; n < count; n++) value = value * 2 + this.bit();
    return value;
  }
  /** T.81, F.2.2.1: the upper half of the range is positive, the lower negative. */
  signed(count: number): number {
    const value = this.bits(count);
    return count > 0 && value < 2 ** (count - 1) ? value - 2 ** count + 1 : value;
  }
  symbol(table: HuffmanTable | undefined): number {
    let code = 1;
    for (let length = 1; length <= 16; length++) {
      code = code * 2 + this.bit();
      const value = table?.get(code);
      if (value !== undefined) return value;
    }
    throw new ReferenceJpegError('no such Huffman code');
  }
  /** Drops the rest of the byte and a restart marker, if one is there. */
  restart(): void {
    this.left = 0;
    if (this.stream[this.position] === 0xff) this.position += 2;
  }
}

interface ScanState {
  reader: BitReader;
  spectralStart: number;
  spectralEnd: number;
  approximationHigh: number;
  approximationLow: number;
  endOfBandRun: number;
}

function decodeScan(
  stream: Uint8Array,
  start: number,
  data: Uint8Array,
  frame: Frame,
  huffman: Map<number, HuffmanTable>,
  restartInterval: number,
): void {
  const count = data[0];
  const members = Array.from({ length: count }, (_, index) => {
    const component = frame.components.find(({ id }) => id === data[1 + index * 2]);
    if (component === undefined) throw new ReferenceJpegError('a scan of an unknown component');
    const selectors = data[2 + index * 2];
    return {
      component,
      dc: huffman.get(Math.floor(selectors / 16)),
      ac: huffman.get(16 + (selectors % 16)),
    };
  });
  const rest = data.subarray(1 + count * 2);
  const state: ScanState = {
    reader: new BitReader(stream, start),
    spectralStart: rest[0],
    spectralEnd: rest[1],
    approximationHigh: Math.floor(rest[2] / 16),
    approximationLow: rest[2] % 16,
    endOfBandRun: 0,
  };
  const restart = (): void => {
    state.endOfBandRun = 0;
    for (const { component } of members) component.predictor = 0;
  };
  const decode = (member: (typeof members)[number], row: number, column: number): void => {
    const { component } = member;
    const at = (row * component.blocksWide + column) * 64;
    const target = component.coefficients.subarray(at, at + 64);
    decodeBlock(frame.progressive, state, member, target);
  };
  restart();
  const alone = count === 1 ? members[0] : undefined;
  const wide = alone?.component.realWide ?? Math.ceil(frame.width / (8 * frame.maxHorizontal));
  const high = alone?.component.realHigh ?? Math.ceil(frame.height / (8 * frame.maxVertical));
  for (let mcu = 0; mcu < wide * high; mcu++) {
    if (restartInterval > 0 && mcu > 0 && mcu % restartInterval === 0) {
      state.reader.restart();
      restart();
    }
    const column = mcu % wide;
    const row = Math.floor(mcu / wide);
    if (alone !== undefined) {
      decode(alone, row, column);
      continue;
    }
    for (const member of members) {
      const { horizontal, vertical } = member.component;
      for (let v = 0; v < vertical; v++) {
        for (let h = 0; h < horizontal; h++) {
          decode(member, row * vertical + v, column * horizontal + h);
        }
      }
    }
  }
}

function decodeBlock(
  progressive: boolean,
  state: ScanState,
  member: { component: Component; dc: HuffmanTable | undefined; ac: HuffmanTable | undefined },
  target: Int32Array,
): void {
  const { reader } = state;
  const { component, dc, ac } = member;
  const unit = 2 ** state.approximationLow;
  if (!progressive) {
    component.predictor += reader.signed(reader.symbol(dc));
    target[0] = component.predictor;
    for (let k = 1; k < 64; k++) {
      const symbol = reader.symbol(ac);
      const size = symbol % 16;
      if (symbol === 0) break;
      k += Math.floor(symbol / 16);
      const value = reader.signed(size);
      if (k < 64) target[zigzag[k]] = value;
    }
  } else if (state.spectralStart === 0) {
    if (state.approximationHigh === 0) {
      component.predictor += reader.signed(reader.symbol(dc));
      target[0] = component.predictor * unit;
    } else if (reader.bit() === 1) {
      target[0] = target[0] | unit;
    }
  } else if (state.approximationHigh === 0) {
    firstBand(state, ac, target, unit);
  } else {
    refineBand(state, ac, target, unit);
  }
}

/** T.81, G.1.2.2. */
function firstBand(
  state: ScanState,
  ac: HuffmanTable | undefined,
  target: Int32Array,
  unit: number,
): void {
  const { reader } = state;
  if (state.endOfBandRun > 0) {
    state.endOfBandRun--;
    return;
  }
  for (let k = state.spectralStart; k <= state.spectralEnd; k++) {
    const symbol = reader.symbol(ac);
    const run = Math.floor(symbol / 16);
    const size = symbol % 16;
    if (size === 0 && run < 15) {
      state.endOfBandRun = 2 ** run + reader.bits(run) - 1;
      return;
    }
    k += run;
    const value = reader.signed(size);
    if (size > 0 && k < 64) target[zigzag[k]] = value * unit;
  }
}

/** T.81, G.1.2.3: a run counts zero coefficients only; each non-zero one that it passes takes a correction bit. */
function refineBand(
  state: ScanState,
  ac: HuffmanTable | undefined,
  target: Int32Array,
  unit: number,
): void {
  const { reader } = state;
  const correct = (index: number): void => {
    const value = target[index];
    if (reader.bit() === 1) target[index] = value > 0 ? value + unit : value - unit;
  };
  let k = state.spectralStart;
  while (k <= state.spectralEnd && state.endOfBandRun === 0) {
    const symbol = reader.symbol(ac);
    let run = Math.floor(symbol / 16);
    const size = symbol % 16;
    if (size === 0 && run < 15) {
      state.endOfBandRun = 2 ** run + reader.bits(run);
      break;
    }
    const value = size === 0 ? 0 : reader.bit() === 1 ? unit : -unit;
    for (; k <= state.spectralEnd; k++) {
      const index = zigzag[k];
      if (target[index] !== 0) correct(index);
      else if (run === 0) {
        target[index] = value;
        k++;
        break;
      } else run--;
    }
  }
  if (state.endOfBandRun > 0) {
    for (; k <= state.spectralEnd; k++) {
      if (target[zigzag[k]] !== 0) correct(zigzag[k]);
    }
    state.endOfBandRun--;
  }
}

// One pass of the accurate integer IDCT is linear before it rounds, so it is one matrix in 1/8192ths: row n gives
// sample n from coefficients 0 to 7. The numbers are sums of the algorithm's thirteen-bit constants, which is why some
// differ by one from the rounded cosine.
const inverseMatrix: readonly (readonly number[])[] = mirrored([
  [8192, 11363, 10703, 9633, 8192, 6437, 4433, 2260],
  [8192, 9633, 4433, -2259, -8192, -11362, -10704, -6436],
  [8192, 6437, -4433, -11362, -8192, 2261, 10704, 9633],
  [8192, 2260, -10703, -6436, 8192, 9633, -4433, -11363],
]);

/** Sample 7 - n is sample n with the odd coefficients' signs turned. */
function mirrored(half: number[][]): number[][] {
  const turned = half.map((row) => row.map((value, k) => (k % 2 === 0 ? value : -value)));
  return [...half, ...turned.reverse()];
}

/** 64 dequantized coefficients → 64 samples. */
export function inverseTransform(coefficients: ArrayLike<number>): number[] {
  const columns = new Array<number>(64).fill(0);
  const samples = new Array<number>(64).fill(0);
  for (let x = 0; x < 8; x++) {
    for (let n = 0; n < 8; n++) {
      let sum = 0;
      for (let k = 0; k < 8; k++) sum += inverseMatrix[n][k] * coefficients[k * 8 + x];
      // Two fraction bits stay for the second pass.
      columns[n * 8 + x] = Math.floor((sum + 1024) / 2048);
    }
  }
  for (let y = 0; y < 8; y++) {
    for (let n = 0; n < 8; n++) {
      let sum = 0;
      for (let k = 0; k < 8; k++) sum += inverseMatrix[n][k] * columns[y * 8 + k];
      const value = Math.floor((sum + 131072) / 262144) + 128;
      samples[y * 8 + n] = Math.min(255, Math.max(0, value));
    }
  }
  return samples;
}

function componentPlane(component: Component, frame: Frame, quantization: number[]): Uint8Array {
  const stride = component.blocksWide * 8;
  const samples = new Uint8Array(stride * component.blocksHigh * 8);
  for (let block = 0; block < component.blocksWide * component.blocksHigh; block++) {
    const left = (block % component.blocksWide) * 8;
    const top = Math.floor(block / component.blocksWide) * 8;
    const stored = component.coefficients.subarray(block * 64, block * 64 + 64);
    const values = inverseTransform(quantization.map((step, k) => step * stored[k]));
    for (let y = 0; y < 8; y++) {
      samples.set(values.slice(y * 8, y * 8 + 8), (top + y) * stride + left);
    }
  }
  const plane = new Uint8Array(frame.width * frame.height);
  for (let y = 0; y < frame.height; y++) {
    for (let x = 0; x < frame.width; x++) {
      const row = Math.floor((y * component.vertical) / frame.maxVertical);
      const column = Math.floor((x * component.horizontal) / frame.maxHorizontal);
      plane[y * frame.width + x] = samples[row * stride + column];
    }
  }
  return plane;
}

/** The frame as RGBA: four components are B, G, R, A as they stand; one is grey; three are YCbCr unless marked as RGB. */
export function jpegPicture(jpeg: DecodedJpeg): Picture {
  const { width, height, planes } = jpeg;
  return fillPicture(width, height, (x, y) => {
    const values = planes.map((plane) => plane[y * width + x]);
    return texelFromComponents(values, jpeg.adobeTransform);
  });
}

function texelFromComponents(values: number[], adobeTransform: number | undefined): Texel {
  if (values.length === 4) return [values[2], values[1], values[0], values[3]];
  if (values.length === 1) return [values[0], values[0], values[0], 255];
  if (values.length !== 3) throw new ReferenceJpegError(`${values.length} components`);
  if (adobeTransform === 0) return [values[0], values[1], values[2], 255];
  // T.871's matrix in 1/65536ths, rounded to nearest.
  const [luma, blue, red] = [values[0], values[1] - 128, values[2] - 128];
  const rounded = (scaled: number): number =>
    Math.min(255, Math.max(0, luma + Math.floor((scaled + 32768) / 65536)));
  return [rounded(91881 * red), rounded(-22554 * blue - 46802 * red), rounded(116130 * blue), 255];
}
