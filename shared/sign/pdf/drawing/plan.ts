import type { FontName } from '../fonts/fonts.ts';
import { widthOf } from '../layout/lines.ts';
import { drawnText, isDrawable, layoutText, runsOf, SMALLEST } from '../layout/text-box.ts';
import type { PlacedField, PlacedValue } from '../types.ts';

/** Red, green and blue from 0 to 1. */
export type Colour = [red: number, green: number, blue: number];

export type Text = { font: FontName; size: number; x: number; y: number; text: string; colour: Colour };

/** What is drawn in a box: points from its lower left corner as seen. `image` is a PNG or JPEG in base64. */
export type Drawing = {
  texts: Text[];
  strokes: { points: [x: number, y: number][]; width: number }[];
  rings: { x: number; y: number; radius: number; width: number; colour: Colour }[];
  image: string | null;
};

/** Why a value cannot be drawn. */
export type DrawingProblem = 'does_not_fit' | 'bad_characters';

type Size = { width: number; height: number };

const BLACK: Colour = [0, 0, 0];
/** The ink of a seal, 朱肉. */
const VERMILION: Colour = [0.78, 0.1, 0.1];
/** From the baseline to the middle of a Japanese letter's square, as a part of its size. */
const SQUARE_MIDDLE = 0.38;
const CHECK = '✓';
/** The largest that a typed signature, or a check mark, becomes, in points. */
const LARGEST = 24;

/** What a value looks like in its box, or why it cannot be drawn: nothing is ever cut. */
export function drawingOf(
  { type, font_size }: Pick<PlacedField, 'type' | 'font_size'>,
  value: PlacedValue,
  box: Size,
): Drawing | DrawingProblem {
  if (value === false) return empty();
  if (value === true) return textIn(CHECK, box, LARGEST);
  if (typeof value === 'string') return textIn(value, box, font_size);
  switch (value.kind) {
    case 'typed':
      return textIn(value.text, box, type === 'signature' || type === 'initials' ? LARGEST : font_size);
    case 'text':
      return sealIn(value.text, box);
    case 'image':
      return { ...empty(), image: value.data };
    case 'drawn':
      return { ...empty(), strokes: strokesIn(value.strokes, box) };
  }
}

function empty(): Drawing {
  return { texts: [], strokes: [], rings: [], image: null };
}

function textIn(value: string, box: Size, size: number): Drawing | DrawingProblem {
  const text = drawnText(value);
  if (!isDrawable(text)) return 'bad_characters';
  const layout = layoutText(text, box, size);
  if (!layout) return 'does_not_fit';
  const texts = layout.lines.flatMap((line) =>
    runsOf(line.text).map((run) => ({
      font: run.font,
      size: layout.size,
      x: line.x + run.x * layout.size,
      y: line.y,
      text: run.text,
      colour: BLACK,
    })),
  );
  return { ...empty(), texts };
}

/** Points that the strokes of a drawn signature are wide, in a box of middle height. */
function strokesIn(
  strokes: readonly (readonly (readonly [number, number])[])[],
  { width, height }: Size,
): Drawing['strokes'] {
  const thickness = Math.min(2, Math.max(0.75, height / 30));
  return strokes.map((points) => ({
    points: points.map(([x, y]) => [x * width, (1 - y) * height]),
    width: thickness,
  }));
}

/**
 * A round seal of one to four characters: one in the middle, two or three beneath each other, four in two columns of which the
 * right one is read first.
 */
function sealIn(value: string, { width, height }: Size): Drawing | DrawingProblem {
  const text = drawnText(value).replaceAll('\n', ' ');
  if (!isDrawable(text)) return 'bad_characters';
  const characters = [...text];
  const diameter = Math.min(width, height);
  const ring = diameter / 24;
  const columns = characters.length > 3 ? 2 : 1;
  const rows = Math.ceil(characters.length / columns);
  // The largest size at which the block of letters lies in the ring, each in a square of its size.
  const size = (diameter - ring * 4) / Math.hypot(columns, rows);
  if (size < SMALLEST) return 'does_not_fit';
  const texts = characters.flatMap((character, index) => {
    const column = columns - 1 - Math.floor(index / rows);
    const row = index % rows;
    const middle = height / 2 + ((rows - 1) / 2 - row) * size;
    return runsOf(character).map(({ font }) => ({
      font,
      size,
      x: width / 2 + (column - (columns - 1) / 2) * size - (widthOf(character) * size) / 2,
      y: middle - SQUARE_MIDDLE * size,
      text: character,
      colour: VERMILION,
    }));
  });
  const circle = { x: width / 2, y: height / 2, radius: diameter / 2 - ring, width: ring, colour: VERMILION };
  return { ...empty(), texts, rings: [circle] };
}
