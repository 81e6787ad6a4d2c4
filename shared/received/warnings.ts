import type { Sentence } from '../kernel/sentences.ts';

/*
 * What the warnings of received documents say of their numbers and sums. Documents keep them in English, and answers find the
 * other language by it.
 */

export const numberMissing = () => ({
  en: 'There is no registration number, so this is not a qualified invoice',
  ja: '登録番号がないため、適格請求書ではありません',
});

export const strangeDigits = () => ({
  en: 'The digits are not those of a corporate number; check them unless the sender is a sole trader',
  ja: '法人番号の検査用数字と一致しません。差出人が個人事業者でない場合は確認してください',
});

export const numberDiffers = (number: string) => ({
  en: `The company has ${number}`,
  ja: `取引先に登録されている番号は ${number} です`,
});

export const rateOf = (day: string) => ({
  en: `A tax rate changed within the period; all that has no date of its own has the rate of ${day}`,
  ja: `期間内に税率が変わっています。日付のない金額にはすべて ${day} の税率が適用されます`,
});

export const shareChanges = (day: string) => ({
  en: `The deductible share changed within the period; state the sums by transaction_date, or all have the share of ${day}`,
  ja: `期間内に控除割合が変わっています。transaction_date ごとの内訳がない金額には ${day} の割合が適用されます`,
});

/** Amounts are whole yen, the days those of the year. */
export const capExceeded = (gross: bigint, from: string, to: string, cap: bigint) => ({
  en: `The invoices of the company without a registration number come to ${gross} yen from ${from} to ${to}; the share is to be had up to ${cap}`,
  ja: `登録番号のない請求書がこの取引先で ${from} から ${to} までに合計 ${gross} 円となり、経過措置の上限 ${cap} 円を超えています`,
});

/** Both are whole yen. */
export const withholdingDiffers = (stated: bigint, computed: bigint) => ({
  en: `The paper withholds ${stated} yen, the lines give ${computed}`,
  ja: `書類の源泉徴収税額は ${stated} 円ですが、明細からは ${computed} 円になります`,
});

/** All of them. */
export const amountSentences: readonly Sentence[] = [
  numberMissing,
  strangeDigits,
  numberDiffers,
  rateOf,
  shareChanges,
  capExceeded,
  withholdingDiffers,
];
