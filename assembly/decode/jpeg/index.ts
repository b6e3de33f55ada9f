// What the host calls and reads of the JPEG decoder.

export {
  jpegCoefficientBytes,
  jpegOpen,
  jpegRows,
  jpegScans,
  jpegStart,
  jpegWorkspaceBytes,
} from './decoder';
export {
  fault as jpegFault,
  faultAddress as jpegFaultAddress,
  faultDetail as jpegFaultDetail,
} from './fault';
export {
  componentCount as jpegComponents,
  height as jpegHeight,
  maxVertical as jpegMaxVertical,
  width as jpegWidth,
} from './frame';
export { alphaState as jpegAlphaState } from './output';
