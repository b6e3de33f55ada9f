// Findings about the chain as a whole: faults of needed levels, missing ones, the palette block, slots past the end.

import {
  type BlpHeader,
  hasMipsAt,
  levelSlots,
  paletteSize,
  slotPosition,
} from '../container/header.js';
import { type Add, type Inspection, repeatedSlot } from './inspection.js';

/** Turns what was judged into findings: faults one by one, missing levels together. */
export function reportLevels(inspection: Inspection, add: Add): void {
  const { header, levels, needed } = inspection;
  const missing: number[] = [];
  for (const { level, slotAt, fault, isEmpty } of levels.slice(0, needed)) {
    if (fault) add(fault.code, fault.message, { level, ...(slotAt && { offset: slotAt }) });
    else if (isEmpty && level > 0) missing.push(level);
  }
  if (levels[0].isEmpty && !levels[0].bytes) {
    const message = header.version === 0 ? 'the file .b00 is missing or empty' : 'slot 0 is empty';
    add('chain-incomplete', `there is no picture: ${message}`, { level: 0, repairable: false });
  }
  if (header.hasMips === 0) {
    if (needed > 1) {
      const message = 'hasMips is 0, but there are levels past level 0';
      add('has-mips-disagrees', message, { offset: hasMipsAt(header.version) });
    } else if (levels.length > 1) {
      add('no-mipmaps', 'the file has level 0 alone');
    }
  } else if (missing.length > 0) {
    const last = levels.length - 1;
    const message = `the chain ends at level ${last} (1 × 1), but ${listNumbers('level', missing)} missing`;
    add('chain-incomplete', message, { level: missing[0] });
  }
}

/** "level 3 is", "levels 1 and 3 to 5 are" */
function listNumbers(noun: string, numbers: readonly number[]): string {
  const runs: string[] = [];
  for (let at = 0; at < numbers.length; ) {
    let end = at;
    while (end + 1 < numbers.length && numbers[end + 1] === numbers[end] + 1) end++;
    if (end - at > 1) runs.push(`${numbers[at]} to ${numbers[end]}`);
    else runs.push(...numbers.slice(at, end + 1).map(String));
    at = end + 1;
  }
  if (numbers.length === 1) return `${noun} ${runs[0]} is`;
  const last = runs.pop();
  return `${noun}s ${runs.length > 0 ? `${runs.join(', ')} and ` : ''}${last} are`;
}

/** The palette is a part of every file but JPEG ones, whether it is used or not. */
export function checkPalette({ bytes, header, levels, needed }: Inspection, add: Add): void {
  if (header.encoding === 'jpeg') return;
  const end = header.headerSize + paletteSize;
  if (header.version === 0) {
    if (bytes.length >= end) return;
    const present = Math.max(0, bytes.length - header.headerSize);
    add('palette-missing', `the palette has ${present} of ${paletteSize} bytes`);
    return;
  }
  const early = levels.slice(0, needed).find(({ bytes, offset }) => bytes && offset < end);
  if (early === undefined) return;
  const { level, offset } = early;
  const message = `level ${level} begins at ${offset}, inside the palette block, which ends at ${end}`;
  add('palette-missing', message, { level, offset });
}

/** Slots that the game does not need. */
export function checkPastChain(inspection: Inspection, add: Add): void {
  const { bytes, header, levelFiles, needed } = inspection;
  for (let slot = needed; slot < levelSlots; slot++) {
    if (header.version === 0) {
      if (levelFiles[slot]?.length) {
        add('extra-level', `there is a level file ${slot}, which is never read`, { level: slot });
      }
      continue;
    }
    const offset = header.offsets[slot];
    const size = header.sizes[slot];
    const place = { level: slot, offset: slotPosition(header.version, slot) };
    const numbers = `offset ${offset}, size ${size}`;
    // An offset without a size is how the games' own files mark the end.
    if (size === 0) continue;
    if (offset < header.headerSize || offset + size > bytes.length) {
      add(
        'slot-garbage',
        `slot ${slot} is not needed and no level (${numbers}; ${whyGarbage(bytes, header, slot)})`,
        place,
      );
      continue;
    }
    const repeated = repeatedSlot(header, slot);
    if (repeated !== undefined && inspection.game === 'warcraft3') {
      add(
        'slot-duplicated',
        `slot ${slot} is not needed and repeats slot ${repeated} (${numbers})`,
        place,
      );
    } else {
      add('extra-level', `slot ${slot} is not needed, but used (${numbers})`, place);
    }
  }
}

function whyGarbage(bytes: Uint8Array, header: BlpHeader, slot: number): string {
  const offset = header.offsets[slot];
  const size = header.sizes[slot];
  if (offset === 0) {
    return size === header.sizes[0]
      ? 'the size is that of slot 0, the offset is 0'
      : 'the offset is 0';
  }
  if (offset < header.headerSize) return 'it lies in the header';
  if (offset + size === 2 ** 32) return 'offset and size add up to 2³²';
  return `the file has ${bytes.length} bytes`;
}
