import { normalForm } from '../../../kernel/normal-form.ts';
import { foldCase } from '../../search/normalise.ts';
import { narrow } from './cell.ts';
import type { NormalForm } from './field.ts';

/*
 * What `normalize` makes of cells before they are judged. Each function is pure, changes nothing the second time, and
 * leaves alone what it does not know. Legal forms stay as they are written: ㈱ and 株式会社 are one where names are
 * compared, and an office writes its customers' names as they write them.
 */
const DASHES = /(?<=\d)\s*[\p{Pd}\u2212\u30fc]\s*(?=\d)/gu;
const CALLED = /^(?:tel|fax|phone|電話番号|電話)\s*[.:：]?\s*(?=[\d+(])/iu;

/** `０３－１２３４－５６７８` and `TEL:03ー1234ー5678` are `03-1234-5678`. */
export function phoneForm(cell: string): string {
  return narrow(cell).replace(DASHES, '-').replace(CALLED, '');
}

/** `〒１００−０００１` and `1000001` are `100-0001`. */
export function postalForm(cell: string): string {
  const digits = narrow(cell).replace(/^〒\s*/, '');
  const [, area, place] = /^(\d{3})[\s\p{Pd}\u2212\u30fc]?(\d{4})$/u.exec(digits) ?? [];
  return area ? `${area}-${place}` : cell;
}

/** Half-width kana with the full-width one before that their marks may belong to. */
const NARROW_KANA = /[ァ-ヺ]?[\uff61-\uff9f]+/gu;

/** Half-width kana become full-width ones: `ﾔﾏﾀﾞ` is `ヤマダ`; all else stays. */
export function wideKana(cell: string): string {
  return cell.replace(NARROW_KANA, (kana) => normalForm(kana, 'NFKC'));
}

/** An address in one line, with wide kana; its digits stay as they are. */
export function addressForm(cell: string): string {
  const lines = wideKana(cell).split(/[\n\r\v\f\u2028\u2029]+/u);
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}

const PREFECTURES =
  '北海道 青森県 岩手県 宮城県 秋田県 山形県 福島県 茨城県 栃木県 群馬県 埼玉県 千葉県 東京都 神奈川県 新潟県 富山県 石川県 福井県 山梨県 長野県 岐阜県 静岡県 愛知県 三重県 滋賀県 京都府 大阪府 兵庫県 奈良県 和歌山県 鳥取県 島根県 岡山県 広島県 山口県 徳島県 香川県 愛媛県 高知県 福岡県 佐賀県 長崎県 熊本県 大分県 宮崎県 鹿児島県 沖縄県'.split(
    ' ',
  );

/** 北海道 has no shorter name. */
const WHOLE = new Map(
  PREFECTURES.flatMap((name) => [[name, name] as const, [shortName(name), name] as const]),
);

function shortName(prefecture: string): string {
  return prefecture === '北海道' ? prefecture : prefecture.slice(0, -1);
}

/** `大阪` is `大阪府`. */
export function prefectureForm(cell: string): string {
  return WHOLE.get(narrow(cell).replace(/\s/gu, '')) ?? cell;
}

/** An e-mail in ASCII: `ａ＠example.jp`. */
export function emailForm(cell: string): string {
  return /^[\x20-\x7e]*$/.test(cell) ? cell : narrow(cell);
}

/** The option that is meant, whatever the width and case of its letters: `Ｂ` is `B`. */
export function optionForm(options: readonly string[]): NormalForm {
  const own = new Set(options);
  const byFold = Map.groupBy(options, foldCase);
  return (cell) => {
    if (own.has(cell)) return cell;
    const meant = byFold.get(foldCase(cell.trim())) ?? [];
    return meant.length === 1 ? meant[0]! : cell;
  };
}
