import { letterOf } from '../fonts/fonts.ts';

/** A line of text, and its width as a part of the font's size. */
export type Line = { text: string; width: number };

/** What must not begin a line, and what must not end one (JIS X 4051; closing and opening signs). */
const NO_START =
  /^[、。，．,.:;!?！？：；）)\]｝}〕〉》」』】’”ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ々〻゠‐～・％%]/u;
const NO_END = /[（([｛{〔〈《「『【‘“￥¥$＄]$/u;
/** Letters between which a line may break: those of East Asia, as wide as high. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u30ff\uff00-\uffef]/u;

/** A part of a paragraph between which it may break, with its width, and that without the spaces at its end. */
export type Piece = { text: string; width: number; bare_width: number };

/**
 * The paragraphs of a text in pieces: it may break at spaces and between Japanese letters by the rule of what begins and ends
 * lines. Every letter is one that `letterOf` knows.
 */
export function paragraphsOf(text: string): Piece[][] {
  return text.split('\n').map((paragraph) =>
    piecesOf(paragraph).map((piece) => ({
      text: piece,
      width: widthOf(piece),
      bare_width: widthOf(piece.trimEnd()),
    })),
  );
}

/**
 * Breaks paragraphs into lines of at most `most` (as a part of the font's size), and within a piece alone where one is longer
 * than a line. Nothing is left out but the spaces at which it breaks.
 */
export function linesOf(paragraphs: readonly (readonly Piece[])[], most: number): Line[] {
  return paragraphs.flatMap((paragraph) => brokenLines(paragraph, most));
}

/** The width of a text that stays in one line. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += letterOf(character)!.width;
  return width;
}

function brokenLines(paragraph: readonly Piece[], most: number): Line[] {
  const lines: Line[] = [];
  let line = '';
  let width = 0;
  const end = () => {
    const text = line.trimEnd();
    lines.push({ text, width: text === line ? width : widthOf(text) });
    line = '';
    width = 0;
  };
  const add = (text: string, more: number) => {
    line += text;
    width += more;
  };
  for (const piece of paragraph) {
    if (line !== '' && width + piece.bare_width > most) end();
    if (piece.bare_width <= most) add(piece.text, piece.width);
    else {
      for (const character of piece.text) {
        const own = widthOf(character);
        if (line !== '' && character.trim() !== '' && width + own > most) end();
        add(character, own);
      }
    }
  }
  end();
  return lines;
}

function piecesOf(paragraph: string): string[] {
  const pieces: string[] = [];
  let piece = '';
  let last = '';
  for (const character of paragraph) {
    if (piece === '' || sticks(last, character)) piece += character;
    else {
      pieces.push(piece);
      piece = character;
    }
    last = character;
  }
  if (piece !== '') pieces.push(piece);
  return pieces;
}

function sticks(last: string, character: string): boolean {
  if (character.trim() === '' || NO_START.test(character) || NO_END.test(last)) return true;
  return last.trim() !== '' && !WIDE.test(last) && !WIDE.test(character);
}
