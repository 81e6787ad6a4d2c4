// The fields on the pages: each box shows the value of its input in the form, and leads to it. It has no value of its own.

import { aspectOf, fitted } from './strokes.js';

/** Puts a box on the page for each place of each input. */
export function showBoxes({ frame, places }) {
  for (const input of document.querySelectorAll('[data-places]')) {
    const boxes = JSON.parse(input.dataset.places).map((spot) => boxOf(input, spot));
    for (const { box, spot } of boxes) places.get(spot.page)?.append(box);
    const show = () => {
      for (const { box, spot } of boxes) fill(box, input, spot);
    };
    input.addEventListener('input', show);
    input.addEventListener('change', show);
    input.addEventListener('drawn', show);
    input.addEventListener('focusin', () => lookAt(frame, input, boxes));
    show();
  }
}

function boxOf(input, spot) {
  const { x, y, w, h } = spot;
  const target = input.querySelector('input:not([type="hidden"]), select, textarea');
  // It is no button: the input beside the document is for keyboards, and a box of a narrow page is too small for one.
  const box = document.createElement('span');
  box.className = `box ${input.dataset.type}`;
  const percent = (share) => `${Number(share) * 100}%`;
  Object.assign(box.style, { left: percent(x), top: percent(y), width: percent(w), height: percent(h) });
  if (target) {
    box.classList.add('leads');
    box.addEventListener('click', () => enter(input, target));
  }
  return { box, spot };
}

/** A click on a box that is ticked ticks it; on any other it goes to the input. */
function enter(input, target) {
  if (target.type === 'checkbox') {
    target.checked = !target.checked;
    target.dispatchEvent(new Event('change', { bubbles: true }));
    return;
  }
  const chosen = input.querySelector('.part:not([hidden]) input:not([type="hidden"])');
  const seen = [chosen, input.querySelector('input:checked'), target].find((each) => each?.offsetParent);
  (seen ?? target).focus({ preventScroll: true });
  input.scrollIntoView({ block: 'center', behavior: calm() });
}

function lookAt(frame, input, boxes) {
  for (const other of frame.querySelectorAll('.box.current')) other.classList.remove('current');
  for (const { box } of boxes) box.classList.add('current');
  const first = boxes[0]?.box;
  if (!first?.isConnected) return;
  // The frame moves, not the page: what is typed in stays where it is.
  const away = first.getBoundingClientRect().top - frame.getBoundingClientRect().top;
  frame.scrollTo({ top: frame.scrollTop + away - frame.clientHeight / 3, behavior: calm() });
}

function calm() {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
}

function fill(box, input, spot) {
  const { label } = input.dataset;
  const shown = valueOf(input, spot);
  const drawing = shown.strokes ?? shown.picture;
  box.classList.toggle('filled', Boolean(drawing) || shown.text !== '');
  const text = document.createElement('span');
  text.textContent = shown.text || (drawing ? '' : label);
  box.replaceChildren(drawing ?? text);
}

/** What an input holds now, as its box shows it. */
function valueOf(input, spot) {
  const way = input.querySelector('.signature input[type="radio"]:checked')?.value;
  if (way === 'drawn') return { text: '', strokes: strokesOf(input, spot) };
  if (way === 'image') return { text: '', picture: pictureOf(input) };
  const checked = input.querySelector('input[type="checkbox"]');
  if (checked) return { text: checked.checked ? '✓' : '' };
  if (!way && input.querySelector('input[type="radio"]')) {
    return { text: input.querySelector('input[type="radio"]:checked')?.value ?? '' };
  }
  const line = input.querySelector('input[type="text"], select, textarea');
  return { text: line?.value.trim() ?? '' };
}

const SVG = 'http://www.w3.org/2000/svg';

function strokesOf(input, spot) {
  const text = input.querySelector('input[name$="-strokes"]')?.value;
  if (!text) return null;
  const aspect = aspectOf(spot);
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `0 0 ${aspect} 1`);
  svg.setAttribute('aria-hidden', 'true');
  for (const stroke of fitted(JSON.parse(text), aspect)) {
    const line = document.createElementNS(SVG, 'polyline');
    line.setAttribute('points', stroke.map(([x, y]) => `${x * aspect},${y}`).join(' '));
    svg.append(line);
  }
  return svg;
}

function pictureOf(input) {
  const file = input.querySelector('input[type="file"]')?.files[0];
  const kept = input.querySelector('input[name$="-kept"]')?.value;
  if (!file && !kept) return null;
  const picture = document.createElement('img');
  picture.alt = '';
  picture.src = file ? URL.createObjectURL(file) : `data:${kept.startsWith('/9j') ? 'image/jpeg' : 'image/png'};base64,${kept}`;
  return picture;
}
