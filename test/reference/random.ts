// Seeded random numbers: the same seed gives the same tests on every machine, so that a failure can be seen again.

/** Whole numbers from 1 to 2³² - 1 (Marsaglia's xorshift). */
export function randomNumbers(seed: number): () => number {
  // Its state must not be 0.
  let state = (Math.imul(seed, 0x9e3779b1) + 1) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
}

/** Numbers from 0 to below 1. */
export function randomFractions(seed: number): () => number {
  const next = randomNumbers(seed);
  return () => next() / 2 ** 32;
}

/** Numbers from 0 to 255. */
export function randomByteSource(seed: number): () => number {
  const next = randomNumbers(seed);
  return () => next() >>> 24;
}

/** Random bytes. */
export function randomBytes(length: number, next: () => number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at++) bytes[at] = next() >>> 13;
  return bytes;
}
