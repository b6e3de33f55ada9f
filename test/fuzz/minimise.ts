// Makes a failing input as short and as plain as it goes while it still fails in the same way.

/**
 * Cuts chunks out, halving their size, then puts bytes to 0.
 *
 * @param fails tells whether an input still shows the failure
 */
export async function minimise(
  input: Uint8Array,
  fails: (bytes: Uint8Array) => Promise<boolean>,
  milliseconds = 20_000,
): Promise<Uint8Array> {
  const end = performance.now() + milliseconds;
  let best = input;
  for (let chunk = best.length >> 1; chunk >= 1; chunk >>= 1) {
    for (let at = 0; at + chunk <= best.length && performance.now() < end; ) {
      const shorter = new Uint8Array(best.length - chunk);
      shorter.set(best.subarray(0, at));
      shorter.set(best.subarray(at + chunk), at);
      if (await fails(shorter)) best = shorter;
      else at += chunk;
    }
  }
  for (let at = 0; at < best.length && performance.now() < end; at++) {
    if (best[at] === 0) continue;
    const plainer = best.slice();
    plainer[at] = 0;
    if (await fails(plainer)) best = plainer;
  }
  return best;
}
