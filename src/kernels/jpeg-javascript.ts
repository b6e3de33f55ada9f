// JPEG through jpeg-js: not there yet.
import { BlpError } from '../errors.js';

function refuse(): never {
  throw new BlpError('unsupported', 'JPEG content is not decoded yet');
}

export { refuse as jpeg, refuse as jpegAlphaPlane };
