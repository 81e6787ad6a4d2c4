import type { Text } from '../../kernel/language.ts';
import type { CellError } from './domain.ts';

/** The languages of the report for people. */
export const errorLanguages = ['en', 'ja'] as const;

export type ErrorLanguage = (typeof errorLanguages)[number];

/** What each code of a faulty row means, for whoever mends the file. */
const TEXTS: Record<string, Text> = {
  invalid_email: {
    en: 'This is not an e-mail address: correct it',
    ja: 'メールアドレスの形になっていません。直してください',
  },
  missing_email: {
    en: 'The row has no e-mail address: write one, or remove the row',
    ja: 'メールアドレスがありません。入力するか、この行を削除してください',
  },
  required: { en: 'The cell must not be blank: fill it in', ja: '空欄にはできません。入力してください' },
  too_long: { en: 'The cell is too long: shorten it', ja: '文字数が多すぎます。短くしてください' },
  too_short: { en: 'The cell is too short', ja: '文字数が足りません' },
  too_small: { en: 'The number is too small', ja: '数が小さすぎます' },
  too_large: { en: 'The number is too large', ja: '数が大きすぎます' },
  invalid_format: { en: 'The cell does not have the form of its field', ja: '項目の形式に合っていません' },
  invalid_type: { en: 'The cell does not have the form of its field', ja: '項目の形式に合っていません' },
  invalid_value: { en: 'The field cannot have this value', ja: 'この項目には使えない値です' },
  column_count: {
    en: 'The row has more or fewer cells than the header: put a cell that holds a comma into quotes, or even the cells out',
    ja: '列の数が見出しと違います。カンマを含む文字は引用符（"）で囲み、列の数をそろえてください',
  },
  bad_characters: {
    en: 'The row holds characters that cannot be decoded or stored: write them anew, and save the file as UTF-8',
    ja: '読み取れない文字があります。入力し直し、UTF-8で保存してください',
  },
  unclosed_quote: {
    en: 'A cell opens with a quote that is not closed: close or remove it',
    ja: '引用符（"）が閉じられていません。閉じるか、取り除いてください',
  },
  invalid_json: {
    en: 'The cell is not JSON: write it as {"name": "text"}, or clear the cell',
    ja: 'JSONとして読み取れません。{"名前": "値"} の形に直すか、空欄にしてください',
  },
  invalid_object: {
    en: 'The cell is not a JSON object of texts: write it as {"name": "text"}, each value in quotes',
    ja: 'JSONの形が違います。{"名前": "値"} の形で、値はすべて文字（引用符付き）にしてください',
  },
  too_many: {
    en: 'The cell holds more entries than a record can have: remove some',
    ja: '項目の数が多すぎます。減らしてください',
  },
  unknown_reference: {
    en: 'There is no such record: correct the name, or make the record first',
    ja: '該当する登録がありません。表記を直すか、先に登録してください',
  },
  ambiguous: {
    en: 'Several records match: name the one by its ID',
    ja: '該当する登録が複数あります。IDで指定してください',
  },
  already_exists: {
    en: 'Another record has this value: correct one of the two',
    ja: '同じ値がすでに登録されています。どちらかを直してください',
  },
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
  unknown_day: {
    en: 'This is no day: write it as 2026-04-10, 2026/4/10 or 20260410',
    ja: '日付として読み取れません。2026-04-10、2026/4/10、20260410 のように入力してください',
  },
  unknown_account: {
    en: 'No account has this code or exact name: look it up in the chart of accounts, or make it first',
    ja: 'このコードまたは名称の勘定科目がありません（同じ名称が複数ある場合はコードで指定）。勘定科目一覧を確かめるか、先に登録してください',
  },
  unknown_tax_category: {
    en: 'There is no such tax category: write a code or name of GET /api/v1/accounting/tax-categories, for example P10',
    ja: 'この税区分はありません。GET /api/v1/accounting/tax-categories のコードか名称で入力してください（例：P10、課対仕入10%）',
  },
  too_few_lines: {
    en: 'An entry has two lines or more: are date and number the same in all of its rows?',
    ja: '仕訳には2行以上の明細が必要です。すべての行の日付と番号が同じか確かめてください',
  },
  too_many_lines: { en: 'An entry has at most 500 lines', ja: '1つの仕訳の明細は500行までです' },
  both_sides: {
    en: 'A row of one account has an amount on one side: where the row has both sides, map debit_account and credit_account',
    ja: '1行に1つの勘定科目がある形式では、金額は借方か貸方の一方だけです。借方と貸方が1行に並ぶファイルでは、借方勘定科目と貸方勘定科目の列を対応付けてください',
  },
  missing_date: { en: 'The row has no date: write one', ja: '日付がありません。入力してください' },
  missing_account_code: {
    en: 'The row has no account code: write one',
    ja: '勘定科目コードがありません。入力してください',
  },
  faulty_entry: {
    en: 'Another row of the same entry has a fault: mend it, and send all rows of the entry',
    ja: '同じ仕訳のほかの行に誤りがあります。直したうえで、仕訳の全行をまとめて取り込んでください',
  },
  differs: {
    en: 'The rows of one entry must have the same value here',
    ja: '1つの仕訳の行はすべて同じ値にしてください',
  },
  invalid_time: {
    en: 'These are no times of a session: write 9:00, after midnight 25:30 (to 47:59), breaks as 12:00-13:00;15:00-15:15 inside of it, the end behind the beginning, none of it in the future',
    ja: '勤務の時刻として使えません。9:00 の形（翌日は 25:30 のように 47:59 まで）、休憩は 12:00-13:00;15:00-15:15 の形で勤務時間の中に、終了は開始より後に、未来にならないように入力してください',
  },
  missing_employee_code: {
    en: 'The row has no employee code: write one',
    ja: '社員番号がありません。入力してください',
  },
  missing_work_date: {
    en: 'The row has no work date: write one',
    ja: '勤務日がありません。入力してください',
  },
  unknown_employee: {
    en: 'No member has this employee code: correct it, or enter the code at the member first',
    ja: 'この社員番号のメンバーがいません。番号を直すか、先にメンバーに社員番号を登録してください',
  },
  not_employed: {
    en: 'The member is not employed on this day: correct it, or hired_on and left_on of the member',
    ja: 'この日は在籍期間外です。日付か、メンバーの hired_on・left_on を直してください',
  },
  month_locked: {
    en: 'The month is submitted or confirmed: have it returned or reopened first',
    ja: 'この月は提出済みまたは確定済みです。先に差し戻すか、確定を解除してください',
  },
  overlap: {
    en: 'Another session of the employee has a part of this time: correct one of the two',
    ja: '同じ社員の別の勤務と時間が重なっています。どちらかを直してください',
  },
  faulty_day: {
    en: 'Another row of the same employee and date has a fault: mend it, and send all rows of the day',
    ja: '同じ社員・同じ日のほかの行に誤りがあります。直したうえで、その日の全行をまとめて取り込んでください',
  },
  unbalanced: {
    en: 'The debits and credits of the entry differ: correct its amounts, or the number that tells entries apart',
    ja: '借方と貸方の合計が一致しません。金額か、仕訳を区切る番号を直してください',
  },
  no_fiscal_year: {
    en: 'No fiscal year holds the date: correct it, or make the year first',
    ja: 'この日付を含む会計年度がありません。日付を直すか、先に会計年度を作成してください',
  },
  fiscal_year_closed: {
    en: 'The fiscal year of the date is closed: correct the date, or reopen the year first',
    ja: 'この日付の会計年度は締め切られています。日付を直すか、先に締めを解除してください',
  },
  period_locked: {
    en: 'The date is locked: correct it, or remove the lock first',
    ja: 'この日付はロックされています。日付を直すか、先にロックを解除してください',
  },
  inactive_account: {
    en: 'The account takes no new lines: choose another one',
    ja: '無効な勘定科目です。別の科目を指定してください',
  },
  not_first_day: {
    en: 'Opening balances belong on the first day of the first fiscal year',
    ja: '開始残高の日付は最初の会計年度の初日にしてください',
  },
  not_allowed: { en: 'The entry cannot have this', ja: 'この仕訳では使えません' },
  approval_required: {
    en: 'The entry needs an approval: import it without posting, and submit it',
    ja: '承認が必要です。転記せずに取り込んでから申請してください',
  },
  repeated_key: {
    en: 'A row above has the same key with another name: correct the key or the name of one of the two',
    ja: '上に同じコードで別の名前の行があります。どちらかのコードか名前を直してください',
  },
  rows_differ: {
    en: 'The rows of one document must have the same value here, or none',
    ja: '1つの書類の行は、ここをすべて同じ値にするか、2行目以降を空欄にしてください',
  },
  faulty_document: {
    en: 'Another row of the same document has a fault: mend it, and send all rows of the document',
    ja: '同じ書類のほかの行に誤りがあります。直したうえで、その書類の全行をまとめて取り込んでください',
  },
  repeated_document: {
    en: 'Other rows above are of the same document: put all of its rows together',
    ja: '同じ書類の行が離れた場所にあります。1つの書類の行は続けて並べてください',
  },
  no_lines: {
    en: 'The document has no line: fill in description and unit price',
    ja: '明細がありません。品名と単価を入力してください',
  },
  too_many_lines_of_document: {
    en: 'A document has at most 1,000 lines',
    ja: '1つの書類の明細は1,000行までです',
  },
  other_kind: {
    en: 'The row is of another kind of document: import it there',
    ja: '別の種類の書類の行です。その書類の取り込みで読み込んでください',
  },
  frozen: {
    en: 'The document was issued and cannot change any more: take its rows out, or revise it',
    ja: '発行済みの書類は変更できません。この書類の行を除くか、書類を改訂してください',
  },
  made_of_others: {
    en: 'The draft was made of other documents: change its lines by hand',
    ja: 'ほかの書類から作られた下書きです。明細は画面またはAPIで変更してください',
  },
  tax_category_not_in_force: {
    en: 'The tax category was not in force on this day: correct the category or the day',
    ja: 'この日には適用されていない税区分です。税区分か日付を直してください',
  },
  both_ways: {
    en: 'The row has money in and money out: a line of a statement has one of them',
    ja: '入金額と出金額の両方が入っています。どちらか一方にしてください',
  },
  mutually_exclusive: {
    en: 'Either a transaction date or a period can stand here',
    ja: '取引日と取引期間は同時に指定できません',
  },
  before_start: { en: 'The end lies before the beginning', ja: '終了日が開始日より前です' },
  not_of_text: {
    en: 'A line of text has a description alone',
    ja: '文章の行には品名以外を入力できません',
  },
  limit_reached: { en: 'There are as many as there can be', ja: '登録できる数の上限に達しています' },
};

/** What a code means in a language; null for a code without a text there. */
export function cellErrorText(code: string, language: ErrorLanguage): string | null {
  return TEXTS[code]?.[language] ?? null;
}

/** A faulty row's entry; `detail` says more than the code does, where there is more to say. */
export function cellError(
  row: { row: number; cells: readonly string[] },
  code: string,
  column: string | null,
  detail?: Text | string,
): CellError {
  const message = detail ?? TEXTS[code] ?? `The cell is not valid: ${code.replaceAll('_', ' ')}`;
  return { row: row.row, cells: row.cells, code, column, message };
}
