// Which shard a file belongs to: a stable split by path, so that array jobs can share one tree.

/** One of several runs that share the work. */
export interface Shard {
  /** 1 to `count`. */
  index: number;
  count: number;
}

/**
 * The shard of a path, 1 to `count`, by the path alone: the same on every machine and whatever other files there are.
 *
 * @param path relative to the input folder, with forward slashes.
 */
export function shardOf(path: string, count: number): number {
  // 32-bit FNV-1a of the UTF-8 bytes. Macs decompose accented letters, other systems do not.
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(path.normalize('NFC'))) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  // The lowest bits of FNV-1a hardly mix: every bit is made to depend on every other (MurmurHash3's final step).
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  hash ^= hash >>> 16;
  return ((hash >>> 0) % count) + 1;
}
