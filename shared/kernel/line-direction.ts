import type { Text } from './language.ts';

/**
 * Letters that turn the order in which a line is shown (UAX #9, 2.1 to 2.3: embeddings, overrides, isolates and what ends them). They
 * are not seen, and reach beyond the text that they stand in: a name with one is read as another, and turns the sentence of a mail
 * around it. Arabic and Hebrew need none; the marks U+061C, U+200E and U+200F, which they may use, turn nothing but themselves.
 */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/;
const ALL_TURNING = new RegExp(TURNING.source, 'g');

/** Whether a text has a letter that turns the order of its line. */
export function turnsLine(text: string): boolean {
  return TURNING.test(text);
}

/** A text without them: for names of files, which who sends one has not typed. */
export function withoutTurns(text: string): string {
  return text.replaceAll(ALL_TURNING, '');
}

/** What is said of one that guests typed, behind the name of the field. */
export const turning: Text = {
  en: 'holds hidden characters that turn the direction of writing; type it anew instead of pasting it',
  ja: 'に文字の並び順を変える見えない文字が含まれています。貼り付けずに入力し直してください',
};
