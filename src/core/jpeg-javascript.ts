// Stands in for the JavaScript JPEG kernel in the small entry, which leaves jpeg-js out.

import { BlpError } from '../errors.js';

function refuse(): never {
  throw new BlpError(
    'unsupported',
    'this page does not allow WebAssembly, and blp-wasm/core decodes JPEG with it alone; import blp-wasm instead',
  );
}

export { refuse as jpeg, refuse as jpegAlphaPlane };
