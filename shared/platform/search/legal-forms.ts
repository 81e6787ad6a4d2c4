import { normalise } from './normalise.ts';
import { usualLetters } from './variants.ts';

/** What stands before or behind the name of a company in its normalised name, and in the kana of a bank's transfer. */
const WORDS = [
  '株式会社',
  '有限会社',
  '合同会社',
  '合資会社',
  '合名会社',
  'かぶしきがいしゃ',
  'かぶしきかいしゃ',
  'ゆうげんがいしゃ',
  'ゆうげんかいしゃ',
  'ごうどうがいしゃ',
  'ごうどうかいしゃ',
  'かぶしきがいしや',
  'かぶしきかいしや',
  'ゆうげんがいしや',
  'ゆうげんかいしや',
  '\\(株\\)',
  '\\(有\\)',
  '\\(同\\)',
  '\\(資\\)',
  '\\(名\\)',
].join('|');

/** Of kana: ｶ)ｱｵｿﾞﾗ, ｱｵｿﾞﾗ(ｶ, ｱｵｿﾞﾗ(ｶ)ﾄｳｷﾖｳ; 株式, 有限, 合同, 合資, 合名. */
const KANA = '[かゆどしめ]';

const FORM = new RegExp(`^(?:${WORDS}|\\(?${KANA}\\))\\s*|\\s*(?:${WORDS}|\\(${KANA}\\)?)$`, 'gu');

/** A normalised name without its legal form; one that consists of nothing else stays as it is. */
export function withoutLegalForm(line: string): string {
  return line.replace(FORM, '') || line;
}

/**
 * A name by which companies are compared as a search compares them: a bank's ｶ)ｱｵｿﾞﾗ ｼﾖｳﾃﾝ and アオゾラショウテン are one.
 * Without legal form, spaces, and regard to how letters are written.
 */
export function comparableName(name: string): string {
  return usualLetters(withoutLegalForm(normalise(name))).replace(/\s/gu, '');
}
