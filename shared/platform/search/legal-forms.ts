import { normalise } from './normalise.ts';
import { usualLetters } from './variants.ts';

/** What stands before or behind the name of a company in its normalised name, and in the kana of a bank's transfer. */
const WORDS = [
  '株式会社',
  '有限会社',
  '合同会社',
  '合資会社',
  '合名会社',
  '相互会社',
  '医療法人(?:社団|財団)?',
  '(?:一般|公益)?(?:社団|財団)法人',
  '(?:学校|社会福祉|宗教|税理士|弁護士|司法書士|行政書士|社会保険労務士|国立大学|独立行政|特定非営利活動)法人',
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

/**
 * Of kana: ｶ)ｱｵｿﾞﾗ, ｱｵｿﾞﾗ(ｶ, ｱｵｿﾞﾗ(ｶ)ﾄｳｷﾖｳ. The letters by which banks write forms (全銀の略語), small kana as large ones:
 * 株式, 有限, 合同, 合資, 合名, 相互, 医療法人, 社団, 財団, 学校, 社会福祉, 宗教, 税理士, 弁護士, 司法書士, 行政書士, 社会保険労務士,
 * 国立大学, 独立行政, 特定非営利活動.
 */
const KANA =
  '(?:[かゆどしめそい]|し[やゃ]|ざい|がく|ふく|し[ゆゅ]う|ぜい|べん|しほう|ぎ[よょ]|ろうむ|だい|どく|とくひ)';

const BEFORE = new RegExp(`^(?:${WORDS}|\\(?${KANA}\\))\\s*`, 'u');
const BEHIND = new RegExp(`\\s*(?:${WORDS}|\\(${KANA}\\)?)$`, 'u');

/** Letters of the longest form and the space before it: what is behind a name is looked for there alone. */
const LONGEST = 12;

/** A normalised name without its legal form; one that consists of nothing else stays as it is. */
export function withoutLegalForm(line: string): string {
  const name = line.replace(BEFORE, '');
  const start = Math.max(0, name.length - LONGEST);
  const found = BEHIND.exec(name.slice(start));
  return (found ? name.slice(0, start + found.index) : name) || line;
}

/**
 * A name by which companies are compared as a search compares them: a bank's ｶ)ｱｵｿﾞﾗ ｼﾖｳﾃﾝ and アオゾラショウテン are one.
 * Without legal form, spaces, and regard to how letters are written.
 */
export function comparableName(name: string): string {
  return usualLetters(withoutLegalForm(normalise(name))).replace(/\s/gu, '');
}
