import { Failure, type FieldError } from '../kernel/failure.ts';
import type { Text } from '../kernel/language.ts';
import type { Reader } from '../kernel/reader.ts';
import { documentCompany } from './documents/company.ts';
import type { DocumentRecord } from './documents/record.ts';

/** What a qualified invoice must hold, as far as it can be missing. */
type Checked = Pick<
  DocumentRecord,
  | 'issuer_name'
  | 'issuer_registration_number'
  | 'transaction_date'
  | 'transaction_from'
  | 'transaction_to'
  | 'lines'
  | 'tax_breakdown'
>;

/**
 * What an invoice lacks of a qualified one (Consumption Tax Act, article 57-4, paragraph 1): the issuer's name and
 * number, the day or period, what was sold and at which rate, the sums and the tax of each rate, and the recipient's
 * name. The page itself marks the lines of the reduced rate and says what the mark means.
 */
export function qualifiedFaults(document: Checked, recipient: string | null): FieldError[] {
  const { issuer_name, issuer_registration_number, transaction_date, transaction_from, transaction_to } =
    document;
  const sold = document.lines.filter(({ type }) => type === 'item');
  const lacking: [isMissing: boolean, path: string, what: Text][] = [
    [isBlank(issuer_name), '/issuer_name', { en: "the issuer's name", ja: '発行者の名称' }],
    [
      issuer_registration_number === null,
      '/issuer_registration_number',
      {
        en: "the issuer's registration number: set it in the settings",
        ja: '発行者の登録番号（設定で登録してください）',
      },
    ],
    [
      transaction_date === null && (transaction_from === null || transaction_to === null),
      '/transaction_date',
      { en: 'the day or the period of the transaction', ja: '取引の年月日または期間' },
    ],
    [
      sold.length === 0,
      '/line_items',
      { en: 'what was sold: a line of type item', ja: '取引の内容（type が item の明細）' },
    ],
    ...document.lines.map((line, place): [boolean, string, Text] => [
      line.type === 'item' && isBlank(line.description),
      `/line_items/${place}/description`,
      { en: 'what was sold', ja: '取引の内容' },
    ]),
    ...sold
      .filter(({ tax_category }) => document.tax_breakdown.every((sum) => sum.tax_category !== tax_category))
      .map((): [boolean, string, Text] => [
        true,
        '/totals/tax_breakdown',
        { en: 'the sum and the tax of each rate', ja: '税率ごとの合計額と消費税額' },
      ]),
    [isBlank(recipient), '/company_id', { en: "the recipient's name", ja: '書類の交付を受ける事業者の名称' }],
  ];
  return lacking
    .filter(([isMissing]) => isMissing)
    .map(([, path, what]) => ({
      in: 'body',
      path,
      code: 'required',
      message: {
        en: `A qualified invoice needs ${what.en}`,
        ja: `適格請求書には${what.ja}が必要です`,
      },
    }));
}

/**
 * Checks the draft of an issuer who has a registration number, made out to its company as that is now. Errors:
 * `not_qualified` with everything that is missing.
 */
export async function requireQualified(reader: Reader, document: DocumentRecord): Promise<void> {
  const { name } = await documentCompany(reader, document.company_id);
  const errors = qualifiedFaults(document, name);
  if (errors.length > 0) throw new Failure('not_qualified', { detail: errors[0]!.message, errors });
}

function isBlank(text: string | null): boolean {
  return (text ?? '').trim() === '';
}
