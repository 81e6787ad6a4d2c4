import type { CropBox, PageGeometry } from './types.ts';

/** A part of a page as it is seen: fractions of its width and height, from the upper left corner. */
export type Box = { x: number; y: number; w: number; h: number };

/** How a box's own points (from its lower left corner as seen, upwards) lie on the page: [a b c d e f] of ISO 32000-1, 8.3.3. */
export type Matrix = [a: number, b: number, c: number, d: number, e: number, f: number];

/** Where a box lies: its size as seen in points, its matrix, and the rectangle that it takes of the page's own space. */
export type Place = { width: number; height: number; matrix: Matrix; rectangle: CropBox };

/** Width and height of a page as it is seen, in points. */
export function seenSize({
  crop_box: [x0, y0, x1, y1],
  rotation,
}: PageGeometry): [width: number, height: number] {
  const [width, height] = [x1 - x0, y1 - y0];
  return rotation === 90 || rotation === 270 ? [height, width] : [width, height];
}

/** Where a box of a page lies in the page's own space, so that what is drawn in it stands upright as seen. */
export function placeOf(page: PageGeometry, { x, y, w, h }: Box): Place {
  const [seen_width, seen_height] = seenSize(page);
  const [width, height] = [w * seen_width, h * seen_height];
  const left = x * seen_width;
  const below = (y + h) * seen_height;
  const matrix = matrixOf(page, left, below);
  const [a, b, c, d, e, f] = matrix;
  const across = [e, e + a * width + c * height];
  const up = [f, f + b * width + d * height];
  const rectangle: CropBox = [Math.min(...across), Math.min(...up), Math.max(...across), Math.max(...up)];
  return { width, height, matrix, rectangle };
}

/** `left` and `below`: points as seen from the upper left corner of the page to the lower left one of the box. */
function matrixOf(
  { crop_box: [x0, y0, x1, y1], rotation }: PageGeometry,
  left: number,
  below: number,
): Matrix {
  switch (rotation) {
    case 0:
      return [1, 0, 0, 1, x0 + left, y1 - below];
    case 90:
      return [0, 1, -1, 0, x0 + below, y0 + left];
    case 180:
      return [-1, 0, 0, -1, x1 - left, y0 + below];
    case 270:
      return [0, -1, 1, 0, x1 - below, y1 - left];
  }
}
