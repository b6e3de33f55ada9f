// The picture on its background: zoom, pan, a grid between large texels, and the texel under the pointer.

import { type Channels, toImageBitmap } from '../src/browser.js';
import type { Image } from '../src/index.js';

export type Background = 'checkerboard' | 'dark' | 'light';

/** What the pointer is over. */
export interface Texel {
  x: number;
  y: number;
  rgba: [number, number, number, number];
}

export interface StageEvents {
  onZoom: (zoom: number) => void;
  onTexel: (texel: Texel | undefined) => void;
}

export interface Stage {
  /** Shows a level of a texture whose level 0 has these sides: all levels take the same room. */
  show(image: Image, width: number, height: number): Promise<void>;
  clear(): void;
  setChannels(channels: Channels): Promise<void>;
  setBackground(background: Background): void;
  /** Multiplies the zoom, around the middle of the stage. */
  zoomBy(factor: number): void;
  zoomTo(zoom: number): void;
  /** Shows all of the picture. */
  fit(): void;
  panBy(x: number, y: number): void;
}

const minZoom = 1 / 64;
const maxZoom = 64;
/** From this zoom on, lines between the texels help more than they hide. */
const gridZoom = 14;
/** Pictures smaller than the stage are enlarged up to this much when they are fitted. */
const maxFit = 16;
const margin = 28;

export function createStage(canvas: HTMLCanvasElement, events: StageEvents): Stage {
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  let image: Image | undefined;
  let bitmap: ImageBitmap | undefined;
  let channels: Channels = 'rgba';
  let background: Background = 'checkerboard';
  /** Sides of level 0, which zoom counts in. */
  let [width, height] = [0, 0];
  /** Of the stage, in CSS pixels. */
  let [stageWidth, stageHeight] = [1, 1];
  let zoom = 1;
  /** Where the picture's corner is, in CSS pixels. */
  let [left, top] = [0, 0];
  let fitted = true;
  let frame = 0;

  function requestDraw(): void {
    if (frame !== 0) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      draw();
    });
  }

  function draw(): void {
    const ratio = canvas.width / stageWidth;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    if (!bitmap) return;
    // Whole device pixels, so that the texels of a picture at 100 % are not smeared.
    const x = Math.round(left * ratio);
    const y = Math.round(top * ratio);
    const w = Math.max(1, Math.round(width * zoom * ratio));
    const h = Math.max(1, Math.round(height * zoom * ratio));
    context.save();
    context.beginPath();
    context.rect(x, y, w, h);
    context.clip();
    drawBackground(ratio);
    const scale = w / bitmap.width;
    context.imageSmoothingEnabled = scale < 1;
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, x, y, w, h);
    if (scale / ratio >= gridZoom) drawGrid(x, y, w, h, bitmap.width, bitmap.height);
    context.restore();
    context.strokeStyle = getComputedStyle(canvas).getPropertyValue('--edge');
    context.strokeRect(x - 0.5, y - 0.5, w + 1, h + 1);
  }

  function drawBackground(ratio: number): void {
    if (background !== 'checkerboard') {
      context.fillStyle = background === 'dark' ? '#000' : '#fff';
      context.fillRect(0, 0, canvas.width, canvas.height);
      return;
    }
    const style = getComputedStyle(canvas);
    context.fillStyle = style.getPropertyValue('--check-a');
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = checkerboard(style.getPropertyValue('--check-b'), Math.round(10 * ratio));
    context.fillRect(0, 0, canvas.width, canvas.height);
  }

  function checkerboard(color: string, side: number): CanvasPattern {
    const tile = new OffscreenCanvas(side * 2, side * 2);
    const tileContext = tile.getContext('2d') as OffscreenCanvasRenderingContext2D;
    tileContext.fillStyle = color;
    tileContext.fillRect(0, 0, side, side);
    tileContext.fillRect(side, side, side, side);
    return context.createPattern(tile, 'repeat') as CanvasPattern;
  }

  function drawGrid(
    x: number,
    y: number,
    w: number,
    h: number,
    columns: number,
    rows: number,
  ): void {
    context.beginPath();
    for (let column = 1; column < columns; column++) {
      const at = Math.round(x + (w * column) / columns) + 0.5;
      context.moveTo(at, Math.max(0, y));
      context.lineTo(at, Math.min(canvas.height, y + h));
    }
    for (let row = 1; row < rows; row++) {
      const at = Math.round(y + (h * row) / rows) + 0.5;
      context.moveTo(Math.max(0, x), at);
      context.lineTo(Math.min(canvas.width, x + w), at);
    }
    context.strokeStyle = 'rgb(128 128 128 / 0.35)';
    context.stroke();
  }

  function setZoom(next: number, x = stageWidth / 2, y = stageHeight / 2): void {
    const limited = Math.min(maxZoom, Math.max(minZoom, next));
    // The point at x, y stays where it is.
    left = x - ((x - left) * limited) / zoom;
    top = y - ((y - top) * limited) / zoom;
    zoom = limited;
    fitted = false;
    keepInSight();
    events.onZoom(zoom);
    requestDraw();
  }

  /** At least a corner of the picture stays on the stage. */
  function keepInSight(): void {
    const rest = 48;
    left = Math.min(stageWidth - rest, Math.max(rest - width * zoom, left));
    top = Math.min(stageHeight - rest, Math.max(rest - height * zoom, top));
  }

  function fitPicture(): void {
    if (width === 0) return;
    const room = Math.min((stageWidth - margin * 2) / width, (stageHeight - margin * 2) / height);
    // Whole multiples keep all texels the same size.
    zoom = room >= 1 ? Math.min(maxFit, Math.floor(room)) : Math.max(minZoom, room);
    left = (stageWidth - width * zoom) / 2;
    top = (stageHeight - height * zoom) / 2;
    fitted = true;
    events.onZoom(zoom);
    requestDraw();
  }

  function panBy(x: number, y: number): void {
    left += x;
    top += y;
    fitted = false;
    keepInSight();
    requestDraw();
  }

  function texelAt(x: number, y: number): Texel | undefined {
    if (!image) return undefined;
    const column = Math.floor(((x - left) / (width * zoom)) * image.width);
    const row = Math.floor(((y - top) / (height * zoom)) * image.height);
    if (column < 0 || row < 0 || column >= image.width || row >= image.height) return undefined;
    const at = (row * image.width + column) * 4;
    const [red, green, blue, alpha] = image.data.subarray(at, at + 4);
    return { x: column, y: row, rgba: [red, green, blue, alpha] };
  }

  async function update(): Promise<void> {
    const shown = image;
    if (!shown) return;
    const next = await toImageBitmap(shown, { channels });
    // Another picture was chosen meanwhile.
    if (shown !== image) {
      next.close();
      return;
    }
    bitmap?.close();
    bitmap = next;
    requestDraw();
  }

  new ResizeObserver(() => {
    const ratio = window.devicePixelRatio;
    [stageWidth, stageHeight] = [canvas.clientWidth || 1, canvas.clientHeight || 1];
    canvas.width = Math.round(stageWidth * ratio);
    canvas.height = Math.round(stageHeight * ratio);
    if (fitted) fitPicture();
    // Setting the sides has cleared the canvas.
    draw();
  }).observe(canvas);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', requestDraw);

  listen(canvas, {
    zoomAt: (factor, x, y) => setZoom(zoom * factor, x, y),
    panBy,
    point: (x, y) => events.onTexel(x === undefined ? undefined : texelAt(x, y as number)),
    toggle: (x, y) => (fitted ? setZoom(zoom < 1 ? 1 : zoom * 4, x, y) : fitPicture()),
  });

  return {
    show: async (next, fullWidth, fullHeight) => {
      const sameTexture = fullWidth === width && fullHeight === height && !fitted;
      image = next;
      [width, height] = [fullWidth, fullHeight];
      if (!sameTexture) fitPicture();
      await update();
    },
    clear: () => {
      bitmap?.close();
      [image, bitmap] = [undefined, undefined];
      [width, height] = [0, 0];
      fitted = true;
      requestDraw();
    },
    setChannels: (next) => {
      channels = next;
      return update();
    },
    setBackground: (next) => {
      background = next;
      requestDraw();
    },
    zoomBy: (factor) => setZoom(zoom * factor),
    zoomTo: (next) => setZoom(next),
    fit: fitPicture,
    panBy,
  };
}

interface Gestures {
  zoomAt: (factor: number, x: number, y: number) => void;
  panBy: (x: number, y: number) => void;
  /** The pointer is here, or has left. */
  point: (x?: number, y?: number) => void;
  toggle: (x: number, y: number) => void;
}

/** Wheel, drag, pinch with two fingers, double click. */
function listen(canvas: HTMLCanvasElement, gestures: Gestures): void {
  const pointers = new Map<number, { x: number; y: number }>();

  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      // Pixels, lines or pages; a notch of a wheel is about 100 pixels.
      const pixels = event.deltaY * [1, 33, 400][event.deltaMode];
      gestures.zoomAt(2 ** (-pixels / 250), event.offsetX, event.offsetY);
    },
    { passive: false },
  );
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button > 1) return;
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    canvas.classList.add('dragging');
  });
  canvas.addEventListener('pointermove', (event) => {
    const { offsetX: x, offsetY: y } = event;
    gestures.point(x, y);
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const distance = (point: { x: number; y: number }): number =>
        Math.max(1, Math.hypot(point.x - other.x, point.y - other.y));
      gestures.panBy((x - before.x) / 2, (y - before.y) / 2);
      gestures.zoomAt(distance({ x, y }) / distance(before), (x + other.x) / 2, (y + other.y) / 2);
    } else {
      gestures.panBy(x - before.x, y - before.y);
    }
    pointers.set(event.pointerId, { x, y });
  });
  const release = (event: PointerEvent): void => {
    pointers.delete(event.pointerId);
    if (pointers.size === 0) canvas.classList.remove('dragging');
  };
  canvas.addEventListener('pointerup', release);
  canvas.addEventListener('pointercancel', release);
  canvas.addEventListener('pointerleave', () => gestures.point());
  canvas.addEventListener('dblclick', (event) => gestures.toggle(event.offsetX, event.offsetY));
}
