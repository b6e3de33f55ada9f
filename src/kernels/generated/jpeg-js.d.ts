// The part of jpeg-js's decoder class that is used here.
export interface JpegComponent {
  lines: Uint8Array[];
  scaleX: number;
  scaleY: number;
}
export class JpegImage {
  opts: {
    colorTransform?: boolean;
    tolerantDecoding?: boolean;
    maxResolutionInMP?: number;
    maxMemoryUsageInMB?: number;
  };
  width: number;
  height: number;
  components: JpegComponent[];
  parse(data: Uint8Array): void;
  static resetMaxMemoryUsage(bytes: number): void;
}
