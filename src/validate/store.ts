// Repaired fields and levels → a file: patched where the old data can stay in place, otherwise written anew.

import { concatenate } from '../bytes.js';
import { levelSlots, sizesAfterOffsets, slotPosition } from '../container/header.js';
import { setFlags } from '../container/write.js';
import type { Inspection } from './inspection.js';

/** What the file is to hold. */
export interface Content {
  /** Final values of the fields that repair may change. */
  fields: { alphaBits: number; hasMips: number };
  /** What comes between header and levels where that changes: palette, or JPEG header chunk with its size. */
  preamble?: Uint8Array;
  /** The needed levels. */
  levels: readonly Uint8Array[];
  /** Levels whose bytes are not where they were. */
  isMoved: (level: number) => boolean;
  /** Slots past the needed levels that stay, with their bytes. */
  extras: readonly { slot: number; bytes: Uint8Array }[];
}

export interface StoredFile {
  bytes: Uint8Array;
  /** BLP0: the level files. */
  levelFiles?: (Uint8Array | undefined)[];
}

/** Puts everything in its place. Whatever the content does not mention stays as it was. */
export function storeFile(inspection: Inspection, content: Content): StoredFile {
  const { bytes, header } = inspection;
  if (header.version === 0) return storeFiles(inspection, content);
  if (content.preamble !== undefined) return { bytes: writeAnew(inspection, content) };
  const moved = content.levels.filter((_, level) => content.isMoved(level));
  const file = new Uint8Array(moved.reduce((sum, level) => sum + level.length, bytes.length));
  file.set(bytes);
  const view = writeFields(inspection, content, file);
  let end = bytes.length;
  content.levels.forEach((level, slot) => {
    if (content.isMoved(slot)) {
      file.set(level, end);
      writeSlot(inspection, view, slot, end, level.length);
      end += level.length;
    } else {
      writeSlot(inspection, view, slot, header.offsets[slot], level.length);
    }
  });
  clearSlots(inspection, content, view);
  return { bytes: file };
}

function storeFiles(
  { bytes, header, levelFiles, ...rest }: Inspection,
  content: Content,
): StoredFile {
  const { preamble, levels, extras } = content;
  const head = preamble
    ? concatenate([bytes.subarray(0, header.headerSize), preamble])
    : bytes.slice();
  writeFields({ bytes, header, levelFiles, ...rest }, content, head);
  const files: (Uint8Array | undefined)[] = [...levels];
  for (const { slot, bytes: extra } of extras) files[slot] = extra;
  return { bytes: head, levelFiles: files };
}

/** Header, preamble, levels in order, extra slots. */
function writeAnew(inspection: Inspection, content: Content): Uint8Array {
  const { bytes, header } = inspection;
  const { preamble = new Uint8Array(0), levels, extras } = content;
  const file = concatenate([
    bytes.subarray(0, header.headerSize),
    preamble,
    ...levels,
    ...extras.map((extra) => extra.bytes),
  ]);
  const view = writeFields(inspection, content, file);
  let offset = header.headerSize + preamble.length;
  const place = (slot: number, size: number): void => {
    writeSlot(inspection, view, slot, offset, size);
    offset += size;
  };
  levels.forEach((level, slot) => {
    place(slot, level.length);
  });
  for (const { slot, bytes: extra } of extras) place(slot, extra.length);
  clearSlots(inspection, content, view);
  return file;
}

function writeFields({ header }: Inspection, { fields }: Content, file: Uint8Array): DataView {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  setFlags(view, header.version, fields.alphaBits, fields.hasMips);
  return view;
}

function writeSlot(
  { header }: Inspection,
  view: DataView,
  slot: number,
  offset: number,
  size: number,
): void {
  const at = slotPosition(header.version, slot);
  view.setUint32(at, offset, true);
  view.setUint32(at + sizesAfterOffsets, size, true);
}

/** Slots that hold neither a level nor an extra. An offset without a size, as the games write it, stays. */
function clearSlots(inspection: Inspection, { levels, extras }: Content, view: DataView): void {
  for (let slot = levels.length; slot < levelSlots; slot++) {
    if (extras.some((extra) => extra.slot === slot)) continue;
    if (inspection.header.sizes[slot] !== 0) writeSlot(inspection, view, slot, 0, 0);
  }
}
