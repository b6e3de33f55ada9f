// Turns a good file into one that is a little, or very, wrong: aware of the structure, and blind.

import type { Random } from './random.js';

/** Changes the bytes, in place or by returning others. */
type Mutation = (bytes: Uint8Array, random: Random, others: readonly Uint8Array[]) => Uint8Array;

/** One to four mutations after each other. */
export function mutate(
  seed: Uint8Array,
  random: Random,
  others: readonly Uint8Array[],
): Uint8Array<ArrayBuffer> {
  let bytes: Uint8Array = seed.slice();
  const count = 1 + random.below(4);
  for (let i = 0; i < count && bytes.length > 0; i++) {
    bytes = random.pick(mutations)(bytes, random, others);
  }
  return new Uint8Array(bytes);
}

/** Values at which arithmetic breaks. */
const edges = [
  0, 1, 2, 3, 4, 7, 8, 11, 15, 16, 72, 136, 148, 155, 156, 255, 256, 624, 625, 1023, 1024, 1172,
  1180, 4095, 8191, 8192, 8193, 65535, 65536, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff,
];

function isBlp2(bytes: Uint8Array): boolean {
  return bytes[3] === 0x32;
}

function setWord(bytes: Uint8Array, offset: number, value: number): void {
  if (offset + 4 > bytes.length) return;
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(offset, value, true);
}

function getWord(bytes: Uint8Array, offset: number): number {
  if (offset + 4 > bytes.length) return 0;
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(offset, true);
}

const headerField: Mutation = (bytes, random) => {
  const value = random.oneIn(3) ? random.below(0x100000000) : random.pick(edges);
  if (isBlp2(bytes) && random.oneIn(2)) bytes[random.pick([8, 9, 10, 11])] = value;
  else setWord(bytes, random.pick([0x04, 0x08, 0x0c, 0x10, 0x14, 0x18, 0x94, 0x9c]), value);
  return bytes;
};

/** Small sides keep the file decodable for longer than random ones. */
const side: Mutation = (bytes, random) => {
  setWord(bytes, random.pick([0x0c, 0x10]), 1 + random.below(300));
  return bytes;
};

const slot: Mutation = (bytes, random) => {
  const [offsets, sizes] = isBlp2(bytes) ? [0x14, 0x54] : [0x1c, 0x5c];
  const level = random.below(16) * 4;
  const other = random.below(16) * 4;
  const values = [
    getWord(bytes, offsets + other),
    getWord(bytes, sizes + other),
    getWord(bytes, offsets + level) + random.below(64) - 32,
    getWord(bytes, sizes + level) + random.below(64) - 32,
    bytes.length,
    bytes.length - 1,
    bytes.length - getWord(bytes, offsets + level),
    2 ** 32 - getWord(bytes, offsets + level),
    random.pick(edges),
  ];
  setWord(bytes, (random.oneIn(2) ? offsets : sizes) + level, random.pick(values));
  return bytes;
};

/** Offsets of JPEG markers, those inside entropy-coded data included. */
function markers(bytes: Uint8Array): number[] {
  const found: number[] = [];
  for (let i = 0; i + 1 < bytes.length && found.length < 2000; i++) {
    if (bytes[i] === 0xff && bytes[i + 1] >= 0xc0 && bytes[i + 1] < 0xff) found.push(i);
  }
  return found;
}

const jpegSegment: Mutation = (bytes, random) => {
  const found = markers(bytes);
  if (found.length === 0) return flipBytes(bytes, random, []);
  const at = random.pick(found);
  switch (random.below(5)) {
    case 0:
      bytes[at + 1] = 0xc0 + random.below(64);
      return bytes;
    case 1:
      // The segment's length
      bytes[at + 2 + random.below(2)] = random.below(256);
      return bytes;
    case 2:
      // One of its fields
      bytes[at + 4 + random.below(24)] = random.oneIn(2) ? random.pick(edges) : random.below(256);
      return bytes;
    case 3: {
      const length = 2 + ((bytes[at + 2] << 8) | bytes[at + 3]);
      return splice(bytes, at, Math.min(length, 4096), new Uint8Array(0));
    }
    default: {
      const length = 2 + ((bytes[at + 2] << 8) | bytes[at + 3]);
      const copy = bytes.slice(at, at + Math.min(length, 4096));
      return splice(bytes, random.pick(found), 0, copy);
    }
  }
};

function splice(bytes: Uint8Array, at: number, removed: number, inserted: Uint8Array): Uint8Array {
  const tail = bytes.subarray(Math.min(bytes.length, at + removed));
  const result = new Uint8Array(at + inserted.length + tail.length);
  result.set(bytes.subarray(0, at));
  result.set(inserted, at);
  result.set(tail, at + inserted.length);
  return result;
}

const flipBytes: Mutation = (bytes, random) => {
  const count = 1 + random.below(8);
  for (let i = 0; i < count; i++) bytes[random.below(bytes.length)] = random.below(256);
  return bytes;
};

const flipBits: Mutation = (bytes, random) => {
  const count = 1 + random.below(8);
  for (let i = 0; i < count; i++) bytes[random.below(bytes.length)] ^= 1 << random.below(8);
  return bytes;
};

/** Most of what matters stands in the first bytes. */
const flipHead: Mutation = (bytes, random) => {
  bytes[random.below(Math.min(bytes.length, 200))] = random.below(256);
  return bytes;
};

const fill: Mutation = (bytes, random) => {
  const at = random.below(bytes.length);
  bytes.fill(random.pick([0, 0xff, random.below(256)]), at, at + random.below(300));
  return bytes;
};

const truncate: Mutation = (bytes, random) => bytes.slice(0, random.below(bytes.length));

const cut: Mutation = (bytes, random) =>
  splice(bytes, random.below(bytes.length), random.below(64), new Uint8Array(0));

const insert: Mutation = (bytes, random) => {
  const inserted = new Uint8Array(1 + random.below(32));
  for (let i = 0; i < inserted.length; i++) inserted[i] = random.below(256);
  return splice(bytes, random.below(bytes.length), 0, inserted);
};

const cross: Mutation = (bytes, random, others) => {
  if (others.length === 0) return bytes;
  const other = random.pick(others);
  const at = random.below(Math.min(bytes.length, other.length));
  return random.oneIn(2)
    ? splice(bytes, at, 64, other.subarray(at, at + 64))
    : splice(bytes, at, bytes.length, other.subarray(at));
};

const mutations: readonly Mutation[] = [
  headerField,
  headerField,
  side,
  slot,
  slot,
  jpegSegment,
  jpegSegment,
  flipBytes,
  flipBits,
  flipHead,
  fill,
  truncate,
  cut,
  insert,
  cross,
];
