// A pad to draw a signature on, by finger, pen or mouse. What was drawn stands in the form as strokes of points from 0 to 1,
// and once more for each field, as it stands in the field's box.

import { aspectOf, fitted } from './strokes.js';

/** Points that the strokes of one signature may have. */
const MOST_POINTS = 10_000;
/** The least way between two points, in parts of the pad's width: hands tremble. */
const LEAST = 0.002;

/** Starts every pad of the page. */
export function startPads() {
  for (const set of document.querySelectorAll('.signature')) {
    const canvas = set.querySelector('canvas');
    if (canvas) startPad(set, canvas);
  }
}

function startPad(set, canvas) {
  const field = set.querySelector('input[name$="-strokes"]');
  const strokes = field.value ? JSON.parse(field.value) : [];
  let drawing = null;

  const points = () => strokes.reduce((sum, stroke) => sum + stroke.length, 0);

  function keep() {
    field.value = strokes.length > 0 ? JSON.stringify(strokes) : '';
    set.dispatchEvent(new CustomEvent('drawn', { bubbles: true }));
    draw();
  }

  function draw() {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (width === 0) return;
    const sharp = devicePixelRatio || 1;
    canvas.width = width * sharp;
    canvas.height = height * sharp;
    const pen = canvas.getContext('2d');
    Object.assign(pen, { lineWidth: 2.5 * sharp, lineCap: 'round', lineJoin: 'round', strokeStyle: '#16202e' });
    for (const stroke of strokes) {
      pen.beginPath();
      for (const [x, y] of stroke) pen.lineTo(x * canvas.width, y * canvas.height);
      pen.stroke();
    }
  }

  function pointOf({ offsetX, offsetY }) {
    const share = (part, whole) => Number(Math.min(1, Math.max(0, part / whole)).toFixed(4));
    return [share(offsetX, canvas.clientWidth), share(offsetY, canvas.clientHeight)];
  }

  canvas.addEventListener('pointerdown', (event) => {
    // A second finger zooms the page.
    if (event.button !== 0 || !event.isPrimary) return;
    event.preventDefault();
    canvas.setPointerCapture(event.pointerId);
    const [x, y] = pointOf(event);
    // A dot is a stroke too: a line needs a second point.
    drawing = [[x, y], [Math.min(1, x + LEAST), y]];
    strokes.push(drawing);
    draw();
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!drawing) return;
    for (const each of event.getCoalescedEvents?.() ?? [event]) {
      const [x, y] = pointOf(each);
      const [lastX, lastY] = drawing.at(-1);
      if (Math.hypot(x - lastX, y - lastY) >= LEAST && points() < MOST_POINTS) drawing.push([x, y]);
    }
    draw();
  });
  const end = () => {
    if (drawing) keep();
    drawing = null;
  };
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', () => {
    if (drawing) strokes.splice(strokes.indexOf(drawing), 1);
    drawing = null;
    draw();
  });

  set.querySelector('[data-pad="clear"]').addEventListener('click', () => {
    strokes.length = 0;
    keep();
  });
  set.querySelector('[data-pad="undo"]').addEventListener('click', () => {
    strokes.pop();
    keep();
  });
  new ResizeObserver(draw).observe(canvas);
  set.closest('form').addEventListener('submit', () => {
    const spots = JSON.parse(set.closest('[data-places]').dataset.places);
    const placed = spots.map((spot) => [spot.id, fitted(strokes, aspectOf(spot))]);
    set.querySelector('input[name$="-placed"]').value = JSON.stringify(Object.fromEntries(placed));
  });
}
