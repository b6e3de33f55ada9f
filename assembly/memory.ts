// Where the memory that the host may use begins.

/** First byte after the module's static tables, aligned to 16. */
export function heapBase(): usize {
  return (__heap_base + 15) & ~15;
}
