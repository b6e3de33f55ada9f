// The one error type of the package: a stable code, the byte offset where it helps, a message for people.

/**
 * Whose fault it is, in one word:
 *
 * - `not-blp`: the bytes are something else (the message names what was found)
 * - `truncated`: the file ends before data that it must hold
 * - `unsupported`: a valid file of a kind that this package does not read
 * - `limit`: the work would exceed a limit of {@link Limits}
 * - `damaged`: the data contradicts itself
 * - `argument`: the caller passed something wrong
 */
export type BlpErrorCode =
  | 'not-blp'
  | 'truncated'
  | 'unsupported'
  | 'limit'
  | 'damaged'
  | 'argument';

/**
 * Every refusal of this package.
 *
 * @example
 * ```ts
 * try {
 *   decode(bytes);
 * } catch (error) {
 *   if (error instanceof BlpError && error.code === 'limit') askForASmallerFile(error.message);
 * }
 * ```
 */
export class BlpError extends Error {
  override readonly name = 'BlpError';
  /** Stable identifier of the kind of failure. */
  readonly code: BlpErrorCode;
  /** Byte offset in the input at which the failure was noticed, where that is known. */
  readonly offset: number | undefined;

  constructor(code: BlpErrorCode, message: string, offset?: number) {
    super(message);
    this.code = code;
    this.offset = offset;
  }
}
