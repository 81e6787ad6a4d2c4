import { normalForm } from '../../kernel/normal-form.ts';

const KATAKANA = /[\u30a1-\u30f6\u30fd\u30fe]/g;
const TO_HIRAGANA = 0x60;

/**
 * Text without regard to case and width: `Ａｂｃ`, `ABC` and `abc` become one, as do half- and full-width kana.
 * Upper case stands between, so that what has two lower-case forms (ß and ss, σ and ς) meets.
 */
export function foldCase(text: string): string {
  const upper = normalForm(text, 'NFKC').toLowerCase().toUpperCase();
  return normalForm(upper.toLowerCase().replaceAll('ς', 'σ'), 'NFKC');
}

/** Most texts are one of these two, and a bulk load normalises millions: letters that folding leaves as they are. */
const PLAIN_ASCII = /^(?:[!-~]+(?: [!-~]+)*)?$/;
const PLAIN_JAPANESE = /^[ぁ-ゖ々一-鿿]+(?: [ぁ-ゖ々一-鿿]+)*$/;

/** Whether lower case is all that normalising such a text does, also of several put together. */
export function isPlain(text: string): boolean {
  return text !== '' && (PLAIN_ASCII.test(text) || PLAIN_JAPANESE.test(text));
}

/** A sound mark that stands by itself behind its kana: ソ゛, ｿ ﾞ. */
const MARK_APART = /(?<=[\u3041-\u3096\u30a1-\u30fa\uff66-\uff9d])[ \u3000]?([\u309b\u309c\uff9e\uff9f])/gu;

const HAS_MARK = /[\u309b\u309c\uff9e\uff9f]/;

function joinedMark(_: string, mark: string): string {
  return mark === '\u309b' || mark === '\uff9e' ? '\u3099' : '\u309a';
}

/** One line of text as searches compare it: folded, katakana as hiragana, runs of spaces as one space. */
export function normalise(text: string): string {
  if (PLAIN_ASCII.test(text)) return text.toLowerCase();
  if (PLAIN_JAPANESE.test(text)) return text;
  const joined = HAS_MARK.test(text) ? text.replace(MARK_APART, joinedMark) : text;
  const folded = foldCase(joined).replace(/\s+/gu, ' ').trim();
  return folded.replace(KATAKANA, (letter) => String.fromCharCode(letter.charCodeAt(0) - TO_HIRAGANA));
}

/** The digits of a phone number, in ASCII: `０３－１２３４` becomes `031234`. Empty when there are none. */
export function digitsOf(text: string): string {
  return normalForm(text, 'NFKC').replace(/[^0-9]/g, '');
}
