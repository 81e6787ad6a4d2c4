import type { Warning } from '../../crm/corporate-number.ts';
import type { Reader } from '../../kernel/reader.ts';
import { derivedAmounts } from '../amounts/derive.ts';
import { type ReceivedWarning, transactionDay } from '../amounts/record.ts';
import { isAboutFile } from './file-warnings.ts';
import type { ReceivedDocument } from './record.ts';

/**
 * A document with the amounts, the input tax, the match and the warnings that follow from what it says; those of its files
 * stay. Errors: `validation_failed` with every fault of its sums, `unknown_reference` at /company_id.
 */
export async function counted(reader: Reader, document: ReceivedDocument): Promise<ReceivedDocument> {
  const { warnings, ...derived } = await derivedAmounts(reader, document);
  const isInvoice = document.kind === 'invoice';
  return {
    ...document,
    ...derived,
    balance: isInvoice ? derived.amount_due - document.amount_paid : 0,
    retention_date: transactionDay(document),
    warnings: [...warnings.map(inEnglish), ...document.warnings.filter(isAboutFile)],
  };
}

/** Warnings are kept, and kept texts are in one language; answers find the other by it. */
function inEnglish({ path, code, message }: ReceivedWarning): Warning {
  return { path, code, message: message.en };
}
