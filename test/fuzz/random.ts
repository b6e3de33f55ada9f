// A seeded generator: the same seed gives the same inputs on every machine.

import { randomNumbers } from '../reference/random.js';

/** Pseudo-random numbers of one sequence. */
export interface Random {
  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number;
  /** True once in `n` times. */
  oneIn(n: number): boolean;
  pick<T>(values: readonly T[]): T;
}

/** The sequence of one input, told apart by the run's seed and the input's number. */
export function randomFor(seed: number, number: number): Random {
  const next = randomNumbers(
    Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(number + 1, 0xc2b2ae35),
  );
  for (let i = 0; i < 8; i++) next();
  const below = (limit: number): number => Math.floor((next() / 0x100000000) * limit);
  return { below, oneIn: (n) => below(n) === 0, pick: (values) => values[below(values.length)] };
}
