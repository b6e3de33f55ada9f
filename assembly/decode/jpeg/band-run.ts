// Runs of empty bands (ITU-T T.81 G.1.2.2), which lead from block to block until a restart.

import { restart, restartInterval, restartsLeft, takeMcu } from './entropy';

/** Blocks that the current run of empty bands still covers. */
export let endOfBandRun: i32 = 0;

export function setEndOfBandRun(blocks: i32): void {
  endOfBandRun = blocks;
}

/** Goes to the next restart interval where it is due: true when the reader has moved. */
export function restartIfDue(): bool {
  if (!restartInterval) return false;
  const isDue = restartsLeft == 0;
  if (isDue) {
    endOfBandRun = 0;
    restart();
  }
  takeMcu();
  return isDue;
}
