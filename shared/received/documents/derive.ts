import type { Warning } from '../../crm/corporate-number.ts';
import { documentCompany } from '../../invoicing/documents/company.ts';
import { invalidAll } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { amountsOf } from '../amounts/amounts.ts';
import { type ReceivedWarning, transactionDay } from '../amounts/record.ts';
import { receivedContext } from '../context.ts';
import { taxContextOf } from '../input-tax/context.ts';
import { inputTaxOf } from '../input-tax/input-tax.ts';
import { supplierCapWarnings } from '../input-tax/supplier-cap.ts';
import { periodWarnings, registrationWarnings } from '../input-tax/warnings.ts';
import { isAboutFile } from './file-warnings.ts';
import type { ReceivedDocument } from './record.ts';

/**
 * A document with the amounts, the input tax and the warnings that follow from what it says, as long as it is not decided
 * on; those of its files stay. Errors: `validation_failed` with every fault of its sums, `unknown_reference` at /company_id.
 */
export async function counted(reader: Reader, document: ReceivedDocument): Promise<ReceivedDocument> {
  const { settings } = await receivedContext(reader);
  const [company, tax] = await Promise.all([
    document.company_id === null ? null : documentCompany(reader, document.company_id),
    taxContextOf(reader, settings),
  ]);
  const qualified = document.registration_number !== null && document.qualified_override !== false;
  const day = transactionDay(document);
  const amounts = amountsOf({ ...document, day, qualified });
  if ('faults' in amounts) throw invalidAll(amounts.faults);
  const { lines, totals, tax_differences, rows } = amounts;
  const taxed = { rows, qualified, deduction_basis: document.deduction_basis };
  const is_invoice = document.kind === 'invoice';
  const input_tax = inputTaxOf(taxed, tax);
  const { id, company_id, registration_number } = document;
  const company_registration_number = company?.invoice_registration_number ?? null;
  const warnings = [
    ...amounts.warnings,
    ...registrationWarnings({ registration_number, company_registration_number, is_invoice }),
    ...(is_invoice ? periodWarnings(document, taxed, tax) : []),
    ...(is_invoice
      ? await supplierCapWarnings(reader, { id, company_id, qualified, day, total: totals.total }, tax)
      : []),
  ];
  return {
    ...document,
    ...totals,
    lines,
    tax_differences,
    qualified,
    input_tax,
    non_deductible: is_invoice ? input_tax.non_deductible : 0,
    balance: is_invoice ? totals.amount_due - document.amount_paid : 0,
    retention_date: day,
    warnings: [...warnings.map(inEnglish), ...document.warnings.filter(isAboutFile)],
  };
}

/** Warnings are kept, and kept texts are in one language. */
function inEnglish({ path, code, message }: ReceivedWarning): Warning {
  return { path, code, message: message.en };
}
