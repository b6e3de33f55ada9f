// Good files to break, and small tools to break them with.

import { levelSlots, readHeader } from '../../src/container/header.js';
import { encode } from '../../src/encode/encode.js';
import type { EncodeOptions, RgbaImage } from '../../src/encode/options.js';

/** Soft colours, so that JPEG levels stay small, and alpha of the asked kind. */
export function picture(
  width: number,
  height: number,
  alpha: 'opaque' | 'graded' | 'zero' = 'graded',
): RgbaImage {
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const value = { opaque: 255, graded: 40 + ((x * 5 + y * 3) % 200), zero: 0 }[alpha];
      data.set([(x * 7) & 255, (y * 11) & 255, ((x + y) * 4) & 255, value], (y * width + x) * 4);
    }
  }
  return { width, height, data };
}

/** A file without fault: 32 × 16, six levels. */
export function goodFile(
  options: EncodeOptions,
  alpha: 'opaque' | 'graded' | 'zero' = 'graded',
): Uint8Array {
  return encode(picture(32, 16, alpha), options);
}

/** A copy of a file that is open for changes. */
export interface Editor {
  bytes: Uint8Array;
  view: DataView;
  /** Offset and size of a slot. */
  slot(index: number): { offset: number; size: number };
  setSlot(index: number, offset: number, size: number): void;
}

export function edit(file: Uint8Array, change: (editor: Editor) => void): Uint8Array {
  const bytes = file.slice();
  const view = new DataView(bytes.buffer);
  const at = (index: number): number => (bytes[3] === 0x32 ? 0x14 : 0x1c) + index * 4;
  change({
    bytes,
    view,
    slot: (index) => ({
      offset: view.getUint32(at(index), true),
      size: view.getUint32(at(index) + levelSlots * 4, true),
    }),
    setSlot: (index, offset, size) => {
      view.setUint32(at(index), offset, true);
      view.setUint32(at(index) + levelSlots * 4, size, true);
    },
  });
  return bytes;
}

/** The file with more bytes at its end. */
export function append(file: Uint8Array, more: Uint8Array): Uint8Array {
  const whole = new Uint8Array(file.length + more.length);
  whole.set(file);
  whole.set(more, file.length);
  return whole;
}

/** Puts bytes in, or takes some out where `insert` is negative; slots that lie behind move along. */
export function shift(file: Uint8Array, at: number, insert: number | Uint8Array): Uint8Array {
  const added = typeof insert === 'number' ? new Uint8Array(0) : insert;
  const removed = typeof insert === 'number' ? -insert : 0;
  const moved = append(append(file.slice(0, at), added), file.subarray(at + removed));
  const { offsets } = readHeader(file);
  return edit(moved, ({ slot, setSlot }) => {
    offsets.forEach((offset, index) => {
      if (offset >= at) setSlot(index, offset + added.length - removed, slot(index).size);
    });
  });
}

/** Makes the JPEG header chunk longer by a comment after the start-of-image marker. */
export function lengthenChunk(file: Uint8Array, by: number): Uint8Array {
  const comment = new Uint8Array(by);
  comment.set([0xff, 0xfe, (by - 2) >> 8, (by - 2) & 255]);
  const { jpegHeaderOffset = 0, jpegHeaderSize = 0 } = readHeader(file);
  return edit(shift(file, jpegHeaderOffset + 2, comment), ({ view }) => {
    view.setUint32(jpegHeaderOffset - 4, jpegHeaderSize + by, true);
  });
}
