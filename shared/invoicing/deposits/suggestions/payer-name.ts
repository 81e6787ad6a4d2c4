import { normalise } from '../../../platform/search/normalise.ts';

/*
 * Banks write who pays in half-width kana without small letters, often cut, with legal forms as letters and a bracket:
 * ｶ)ｱｵｿﾞﾗｼﾖｳﾃﾝ is 株式会社青空商店, whose kana are アオゾラショウテン.
 */

/** Small kana, after `normalise` as hiragana, and the large ones that banks write. */
const LARGE: Readonly<Record<string, string>> = {
  ぁ: 'あ',
  ぃ: 'い',
  ぅ: 'う',
  ぇ: 'え',
  ぉ: 'お',
  っ: 'つ',
  ゃ: 'や',
  ゅ: 'ゆ',
  ょ: 'よ',
  ゎ: 'わ',
  ゕ: 'か',
  ゖ: 'け',
};

/** The usual variants of letters in names. */
const VARIANTS: Readonly<Record<string, string>> = {
  髙: '高',
  邊: '辺',
  邉: '辺',
  﨑: '崎',
  齋: '斎',
  齊: '斉',
};

const FOLDED: Readonly<Record<string, string>> = { ...LARGE, ...VARIANTS };

/** Legal forms by their letters of the clearing system (全銀), largest first: か) ゆ) ど) しや) ... */
const LETTERS = '(?:しゆう|とくひ|しや|ざい|ふく|がく|どく|めい|か|ゆ|ど|め|し|い)';

/** They stand before the name with a bracket behind, after it with one before, or within with both. */
const BANK_FORMS = new RegExp(`^${LETTERS}\\)|\\(${LETTERS}\\)|\\(${LETTERS}$`, 'gu');

const FORMS =
  /株式会社|有限会社|合同会社|合資会社|合名会社|\((?:株|有|同|資|名)\)|かぶしきがいしや|ゆうげんがいしや|ごうどうがいしや/gu;

/** A name as banks' and registered ones are compared: folded, without small kana, legal forms, long marks and spaces. */
export function payerKey(name: string): string {
  const folded = [...normalise(name)].map((letter) => FOLDED[letter] ?? letter).join('');
  const named = lettersOf(folded.replace(BANK_FORMS, ' ').replace(FORMS, ' '));
  return named || lettersOf(folded);
}

/** Letters and digits alone; a long vowel is written by a mark that banks write as a hyphen, or leave out. */
function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]|ー/gu, '');
}

/** How a name of a payer is found in a searched text (`search_text`, `search_grams`); null for one that is too short. */
export function payerSearch(name: string): { grams: number[]; pattern: string } | null {
  const letters = [...payerKey(name)];
  if (letters.length < 2) return null;
  const sure = letters.filter((letter) => !WRITINGS.has(letter) && letter.length === 1);
  return {
    grams: [...new Set(sure.map((letter) => letter.charCodeAt(0)))].sort((one, other) => one - other),
    // Letters and digits of any script mean themselves in a regular expression.
    pattern: letters
      .map((letter) => (WRITINGS.has(letter) ? `[${letter}${WRITINGS.get(letter)}]` : letter))
      .join('[-ー・.,&() ]*'),
  };
}

/** By letter, the others that are folded to it. */
const WRITINGS = new Map<string, string>();
for (const [other, letter] of Object.entries(FOLDED)) {
  WRITINGS.set(letter, (WRITINGS.get(letter) ?? '') + other);
}
