import type { CellFault } from './domain.ts';

/** The languages of the report for people. */
export const faultLanguages = ['en', 'ja'] as const;

export type FaultLanguage = (typeof faultLanguages)[number];

type Texts = Record<FaultLanguage, string>;

/** What each code of a faulty row means, for whoever mends the file. */
const TEXTS: Record<string, Texts> = {
  invalid_email: {
    en: 'This is not an e-mail address',
    ja: 'メールアドレスの形になっていません',
  },
  missing_email: { en: 'The row has no e-mail address', ja: 'メールアドレスがありません' },
  required: { en: 'The cell must not be blank', ja: '空欄にはできません' },
  too_long: { en: 'The cell is too long', ja: '文字数が多すぎます' },
  too_short: { en: 'The cell is too short', ja: '文字数が足りません' },
  too_small: { en: 'The number is too small', ja: '数が小さすぎます' },
  too_large: { en: 'The number is too large', ja: '数が大きすぎます' },
  invalid_format: { en: 'The cell does not have the form of its field', ja: '項目の形式に合っていません' },
  invalid_type: { en: 'The cell does not have the form of its field', ja: '項目の形式に合っていません' },
  invalid_value: { en: 'The field cannot have this value', ja: 'この項目には使えない値です' },
  column_count: {
    en: 'The row has more or fewer cells than the header',
    ja: '列の数が見出しと違います',
  },
  bad_characters: {
    en: 'The row holds characters that cannot be decoded or stored',
    ja: '読み取れない文字があります',
  },
  unclosed_quote: { en: 'A cell opens with a quote that is not closed', ja: '引用符が閉じられていません' },
  unknown_reference: { en: 'There is no such record', ja: '該当する登録がありません' },
  ambiguous: { en: 'Several records match', ja: '該当する登録が複数あります' },
  already_exists: { en: 'Another record has this value', ja: '同じ値がすでに登録されています' },
  check_digit: {
    en: 'The check digit does not fit: a digit is wrong',
    ja: '検査数字が合いません。数字に誤りがあります',
  },
  out_of_range: { en: 'The value is outside of what the field can have', ja: '入力できる範囲の外の値です' },
  duplicate: { en: 'The cell names the same value twice', ja: '同じ値が二度書かれています' },
  invalid_characters: {
    en: 'The cell holds characters that cannot be stored',
    ja: '登録できない文字があります',
  },
  invalid_id: { en: 'This is not an ID of such a record', ja: 'IDの形式に合っていません' },
  invalid_decimal: { en: 'This is not a number', ja: '数として読み取れません' },
  unknown_currency: { en: 'There is no such currency', ja: 'この通貨コードはありません' },
  too_many_decimals: { en: 'The currency has no such fractions', ja: 'この通貨では使えない小数です' },
  unknown_field: { en: 'There is no such field', ja: 'この項目はありません' },
  not_lost: { en: 'Only a lost deal has a reason for that', ja: '失注した商談だけに失注理由を入れられます' },
  invalid_transition: { en: 'The deal cannot be moved to this stage', ja: 'このステージには移せません' },
  cycle: { en: 'The company would belong to itself', ja: '親会社の関係が循環しています' },
  limit_reached: { en: 'There are as many as there can be', ja: '登録できる数の上限に達しています' },
};

/** What a code means in a language; null for a code without a text there. */
export function faultText(code: string, language: FaultLanguage): string | null {
  return TEXTS[code]?.[language] ?? null;
}

/** A faulty row's entry; `detail` says more than the code does, where there is more to say. */
export function cellFault(
  row: { row: number; cells: readonly string[] },
  code: string,
  column: string | null,
  detail?: string,
): CellFault {
  const message = detail ?? faultText(code, 'en') ?? `The cell is not valid: ${code.replaceAll('_', ' ')}`;
  return { row: row.row, cells: row.cells, code, column, message };
}
