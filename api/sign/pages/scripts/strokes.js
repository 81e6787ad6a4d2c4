// A drawing of the pad as it stands in the box of a field: whole, undistorted and in the middle, whatever the box's shape.

/** The pad's width, where its height is 1. */
export const PAD = 3;
/** The free edge in the box, in parts of its shorter side, and how much larger than on the pad anything becomes. */
const EDGE = 0.06;
const LARGEST = 3;

/** Strokes of the pad as strokes of a box whose width is `aspect` where its height is 1: points from 0 to 1 in either. */
export function fitted(strokes, aspect) {
  const points = strokes.flat().map(([x, y]) => [x * PAD, y]);
  if (points.length === 0) return [];
  const [left, right] = [Math.min(...points.map(([x]) => x)), Math.max(...points.map(([x]) => x))];
  const [top, bottom] = [Math.min(...points.map(([, y]) => y)), Math.max(...points.map(([, y]) => y))];
  const edges = 2 * EDGE * Math.min(aspect, 1);
  const room = [aspect - edges, 1 - edges];
  const scale = Math.min(room[0] / (right - left), room[1] / (bottom - top), LARGEST);
  const place = (at, middle, whole) => Number(Math.min(1, Math.max(0, ((at - middle) * scale) / whole + 0.5)).toFixed(4));
  return strokes.map((stroke) =>
    stroke.map(([x, y]) => [place(x * PAD, (left + right) / 2, aspect), place(y, (top + bottom) / 2, 1)]),
  );
}

/** The shape of a page that is not drawn: A4, upright. */
const A4 = 210 / 297;

/** The width of a field's box where its height is 1, on its page as it is seen. */
export function aspectOf({ page, w, h }) {
  const place = document.querySelector(`.page[data-page="${page}"]`);
  const shape = place?.clientHeight ? place.clientWidth / place.clientHeight : A4;
  return (w * shape) / h;
}
