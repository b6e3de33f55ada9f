// What can go wrong around a texture, as opposed to in it: reading its file, time, the worker itself.

/**
 * - `read`: the source could not be read (the message names the reason)
 * - `timeout`: one file took longer than the `timeout` option allows
 * - `crash`: the worker that held the file died twice
 */
export type PoolErrorCode = 'read' | 'timeout' | 'crash';

/**
 * A failure of the pool rather than of a texture.
 *
 * @example
 * ```ts
 * for await (const { source, error } of decodeMany(paths)) {
 *   if (error instanceof PoolError && error.code === 'timeout') slow.push(source);
 * }
 * ```
 */
export class PoolError extends Error {
  override readonly name = 'PoolError';
  /** Stable identifier of the kind of failure. */
  readonly code: PoolErrorCode;

  constructor(code: PoolErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
