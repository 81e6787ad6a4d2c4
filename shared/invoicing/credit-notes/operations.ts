import { Failure, type FailureDetails } from '../../kernel/failure.ts';
import type { Text } from '../../kernel/language.ts';
import type { Work } from '../../kernel/work.ts';
import type { Bookkeeping } from '../../platform/bookkeeping.ts';
import { contextOf } from '../documents/context.ts';
import { lineInput } from '../documents/copy.ts';
import { insertDocument, plannedDocument } from '../documents/create.ts';
import type { DocumentRecord } from '../documents/record.ts';
import { lockDocument } from '../documents/rows.ts';
import type { Document, DocumentInput } from '../documents/shape.ts';
import { documentOf } from '../documents/shown.ts';
import { countedLines, countingRules } from '../documents/totals.ts';
import { asIssued, freezeDocument } from '../issue.ts';
import { paidBy, paymentsOfInvoices } from '../payments/rows.ts';
import { settle } from '../payments/settle.ts';
import type { Totals } from '../tax/totals.ts';
import { requireTransition } from '../transitions/allowed.ts';
import { askingIn } from '../transitions/standing.ts';
import { creditWithin } from './bounds.ts';
import { type CreditLine, composeCredit } from './compose.ts';
import type { PlacedLine } from './open-lines.ts';
import { creditedLines, creditNoteOf, type ShownCreditNote } from './queries.ts';
import type { CreditNoteInput } from './record.ts';

/**
 * Makes a credit note of an invoice, issued at once; the status of the invoice follows. The invoice is locked before
 * its notes and payments are read, and the counter of numbers last. Errors: `not_found`, `precondition_failed`,
 * `invalid_transition`, `over_credit`, `unknown_reference` for a line that is not the invoice's, and those of the books.
 */
export async function createCreditNote(
  work: Work,
  invoice_id: string,
  { reason, issue_date, line_items, external_id, metadata }: CreditNoteInput,
  bookkeeping: Bookkeeping,
): Promise<{ credit_note: ShownCreditNote; invoice: Document }> {
  const [invoice, credited, payments, context] = await Promise.all([
    lockDocument(work, 'invoice', invoice_id),
    creditedLines(work, invoice_id),
    paymentsOfInvoices(work, [invoice_id]),
    contextOf(work),
  ]);
  work.precondition(invoice);
  requireTransition(invoice, 'credit-notes', askingIn(context));
  const { lines, totals } = credit(invoice, credited, line_items ?? null);
  const input = {
    ...noteInput(invoice, lines, issue_date ?? context.today),
    external_id,
    metadata,
  };
  const { record } = await plannedDocument(work, 'credit_note', input, {
    credits: { invoice_id, reason },
    lines: lines.map(({ source_line_id, source_document_id }) =>
      source_line_id && source_document_id ? { source_line_id, source_document_id } : null,
    ),
    counted: { amounts: lines.map(({ amount }) => amount), totals },
  });
  const { record: note, surroundings } = await asIssued(work, record);
  await insertDocument(work, note);
  await freezeDocument(work, note, surroundings);
  const after = await settle(work, invoice, {
    payments: payments(invoice_id).map(paidBy),
    credited: invoice.credited + totals.amount_due,
  });
  await bookkeeping.keep(work, { booked: [{ type: 'credit_note', id: note.id }] });
  return { credit_note: creditNoteOf(note, context), invoice: documentOf(after, context) };
}

/** The lines of a note and what they come to. Errors: `over_credit`, `unknown_reference`. */
function credit(
  invoice: DocumentRecord,
  credited: readonly PlacedLine[],
  asked: CreditNoteInput['line_items'] | null,
): { lines: CreditLine[]; totals: Totals } {
  const sold = invoice.lines.map((line) => ({ ...line, document_id: invoice.id }));
  const { lines, faults } = composeCredit(sold, credited, asked ?? null);
  const [first] = faults;
  if (first) {
    const isUnknown = faults.some(({ code }) => code === 'unknown_reference');
    throw new Failure(isUnknown ? 'unknown_reference' : 'over_credit', {
      detail: first.message,
      errors: faults,
    });
  }
  if (lines.every(({ type }) => type === 'text'))
    throw overCredit({
      en: 'Nothing is left to credit of the invoice',
      ja: 'この請求書に返還できる残りはありません',
    });
  const rules = countingRules(invoice);
  const within = creditWithin(countedLines(sold), countedLines(credited), countedLines(lines), rules);
  if ('refusal' in within) throw overCredit(within.refusal);
  return { lines, totals: within.totals };
}

function overCredit(detail: Text): Failure {
  const errors: FailureDetails['errors'] = [
    { in: 'body', path: '/line_items', code: 'over_credit', message: detail },
  ];
  return new Failure('over_credit', { detail, errors });
}

/**
 * What a note takes from its invoice. Its transaction date is the invoice's: it decides the rates, and a note has to
 * name it beside its own day (Consumption Tax Act, article 57-4, paragraph 3).
 */
function noteInput(invoice: DocumentRecord, lines: readonly CreditLine[], issue_date: string): DocumentInput {
  const { transaction_date, transaction_from, transaction_to } = invoice;
  return {
    company_id: invoice.company_id,
    contact_id: invoice.contact_id,
    honorific: invoice.honorific,
    subject: invoice.subject,
    issue_date,
    ...(transaction_from !== null && transaction_to !== null
      ? { transaction_period: { from: transaction_from, to: transaction_to } }
      : { transaction_date }),
    bank_account: null,
    tax_display_mode: invoice.tax_display_mode,
    tax_rounding: invoice.tax_rounding,
    withholding_mode: invoice.withholding_mode,
    line_items: lines.map(lineInput),
  };
}
