import { Failure, type FieldError } from '../kernel/failure.ts';
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
  const lacking: [isMissing: boolean, path: string, what: string][] = [
    [isBlank(issuer_name), '/issuer_name', "the issuer's name"],
    [
      issuer_registration_number === null,
      '/issuer_registration_number',
      "the issuer's registration number: set it in the settings",
    ],
    [
      transaction_date === null && (transaction_from === null || transaction_to === null),
      '/transaction_date',
      'the day or the period of the transaction',
    ],
    [sold.length === 0, '/line_items', 'what was sold: a line of type item'],
    ...document.lines.map((line, place): [boolean, string, string] => [
      line.type === 'item' && isBlank(line.description),
      `/line_items/${place}/description`,
      'what was sold',
    ]),
    ...sold
      .filter(({ tax_category }) => document.tax_breakdown.every((sum) => sum.tax_category !== tax_category))
      .map((): [boolean, string, string] => [
        true,
        '/totals/tax_breakdown',
        'the sum and the tax of each rate',
      ]),
    [isBlank(recipient), '/company_id', "the recipient's name"],
  ];
  return lacking
    .filter(([isMissing]) => isMissing)
    .map(([, path, what]) => ({
      in: 'body',
      path,
      code: 'required',
      message: `A qualified invoice needs ${what}`,
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
