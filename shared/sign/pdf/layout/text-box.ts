import { normalForm } from '../../../kernel/normal-form.ts';
import { type FontName, letterOf, metricsOf } from '../fonts/fonts.ts';
import { type Line, linesOf, paragraphsOf } from './lines.ts';

/** Points that text has at least: smaller than that nobody reads it on paper. */
export const SMALLEST = 5;
const STEP = 0.5;
/** Points between the edge of a box and its text, where the box is wide enough. */
const MARGIN = 2;

/** A text as it stands in a box: its size in points, and its lines, each from the baseline's beginning. */
export type TextLayout = { size: number; lines: (Line & { x: number; y: number })[] };

/**
 * Lays a text into a box of points: at the size that was asked for, or the largest below at which it fits. One line stands in
 * the middle of the height, several begin at the top. Null: it does not fit at 5 points.
 */
export function layoutText(
  text: string,
  box: { width: number; height: number },
  size: number,
): TextLayout | null {
  const { ascent, descent } = metricsOf('japanese');
  const margin = Math.min(MARGIN, box.width / 20);
  const paragraphs = paragraphsOf(text);
  for (let tried = size; tried >= SMALLEST; tried = smaller(tried)) {
    const high = (ascent + descent) * tried;
    // By height alone first: it needs no lines.
    if (high > box.height) continue;
    const most = (box.width - margin * 2) / tried;
    const lines = linesOf(paragraphs, most);
    if (lines.length * high > box.height || lines.some(({ width }) => width > most)) continue;
    const top = lines.length === 1 ? (box.height + high) / 2 : box.height;
    return {
      size: tried,
      lines: lines.map((line, index) => ({ ...line, x: margin, y: top - index * high - ascent * tried })),
    };
  }
  return null;
}

function smaller(size: number): number {
  if (size === SMALLEST) return 0;
  return Math.max(SMALLEST, Math.ceil(size / STEP - 1) * STEP);
}

/** A text as it is drawn: composed letters, line feeds alone between lines, and a space for a tab. */
export function drawnText(text: string): string {
  return normalForm(text, 'NFC').replaceAll(/\r\n?/g, '\n').replaceAll('\t', ' ');
}

/** Whether every letter of a text can be drawn. */
export function isDrawable(text: string): boolean {
  for (const character of text) if (character !== '\n' && !letterOf(character)) return false;
  return true;
}

/** A part of a line that one font draws, and where it begins, as a part of the font's size. */
export type Run = { font: FontName; text: string; x: number };

/** The runs of a line, from left to right. */
export function runsOf(
  text: string,
): { font: NonNullable<ReturnType<typeof letterOf>>['font']; text: string; x: number }[] {
  const runs: ReturnType<typeof runsOf> = [];
  let x = 0;
  for (const character of text) {
    const { font, width } = letterOf(character)!;
    const last = runs.at(-1);
    if (last?.font === font) last.text += character;
    else runs.push({ font, text: character, x });
    x += width;
  }
  return runs;
}
