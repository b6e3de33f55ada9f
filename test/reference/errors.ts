// Catches what a call throws, and insists that it is this package's error.
import { BlpError } from '../../src/errors.js';

/** The `BlpError` that the call throws; anything else, or nothing, is a failure. */
export function errorOf(call: () => unknown): BlpError {
  try {
    call();
  } catch (error) {
    if (error instanceof BlpError) return error;
    throw error;
  }
  throw new Error('the call was expected to throw a BlpError and did not');
}
