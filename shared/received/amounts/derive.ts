import { invalidAll } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { StoredLine } from '../documents/line.ts';
import type { ReceivedDocument } from '../documents/record.ts';
import { type TaxContext, taxContextOf } from '../input-tax/context.ts';
import { inputTaxOf } from '../input-tax/input-tax.ts';
import { supplierCapWarnings } from '../input-tax/supplier-cap.ts';
import { periodWarnings, registrationWarnings } from '../input-tax/warnings.ts';
import { currentMatch } from '../match/current.ts';
import { senderOf } from '../sender.ts';
import { type Amounts, amountsOf } from './amounts.ts';
import { type ReceivedWarning, transactionDay } from './record.ts';

/** What of a document is written by callers and decides its amounts. */
export type Derivable = Omit<
  ReceivedDocument,
  | keyof Amounts['totals']
  | 'tax_differences'
  | 'qualified'
  | 'input_tax'
  | 'non_deductible'
  | 'match'
  | 'warnings'
>;

/** What follows from it. */
export type DerivedAmounts = Pick<
  ReceivedDocument,
  | keyof Amounts['totals']
  | 'lines'
  | 'tax_differences'
  | 'qualified'
  | 'input_tax'
  | 'non_deductible'
  | 'match'
> & {
  /** Of amounts, the registration number, the period and the cap of a supplier. */
  warnings: ReceivedWarning[];
};

/**
 * All that follows from what a document says of money: the rates and amounts of its lines, totals, input tax, its match,
 * and what is odd about them. It is found anew at each change of a pending document and when one is decided on, and stays
 * from then on. Errors: `validation_failed` with the faults of `amountsOf`.
 */
export async function derivedAmounts(reader: Reader, document: Derivable): Promise<DerivedAmounts> {
  const day = transactionDay(document);
  const qualified = document.qualified_override !== false && document.registration_number !== null;
  const amounts = requiredAmounts(document, day, qualified);
  const invoice = { rows: amounts.rows, qualified, deduction_basis: document.deduction_basis };
  const [context, match, company] = await Promise.all([
    taxContextOf(reader),
    currentMatch(reader, { ...document, lines: amounts.lines, tax_breakdown: amounts.totals.tax_breakdown }),
    document.company_id === null ? null : senderOf(reader, document.company_id),
  ]);
  const input_tax = inputTaxOf(invoice, context);
  const isInvoice = document.kind === 'invoice';
  return {
    ...amounts.totals,
    lines: amounts.lines,
    tax_differences: amounts.tax_differences,
    qualified,
    input_tax,
    non_deductible: isInvoice ? input_tax.non_deductible : 0,
    match,
    warnings: [
      ...registrationWarnings({
        registration_number: document.registration_number,
        company_registration_number: company?.invoice_registration_number ?? null,
        is_invoice: isInvoice,
      }),
      ...amounts.warnings,
      ...(isInvoice ? periodWarnings(document, invoice, context) : []),
      ...(isInvoice ? await capWarnings(reader, document, day, { qualified, amounts, context }) : []),
    ],
  };
}

function requiredAmounts(document: Derivable, day: string, qualified: boolean): Amounts<StoredLine> {
  const amounts = amountsOf({ ...document, day, qualified });
  if ('faults' in amounts) throw invalidAll(amounts.faults);
  return amounts;
}

type Found = { qualified: boolean; amounts: Amounts; context: TaxContext };

function capWarnings(
  reader: Reader,
  { id, company_id }: Derivable,
  day: string,
  { qualified, amounts, context }: Found,
): Promise<ReceivedWarning[]> {
  return supplierCapWarnings(
    reader,
    { id, company_id, qualified, day, total: amounts.totals.total },
    context,
  );
}
