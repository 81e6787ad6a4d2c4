import { dueDate } from '../../invoicing/due-date.ts';
import { invalid } from '../../kernel/failure.ts';
import { idSeries, newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import type { Actor } from '../../kernel/reader.ts';
import type { ReceivedContext } from '../context.ts';
import { NO_INPUT_TAX, NO_MATCH, type StatedRow } from './fields.ts';
import type { ReceivedInput } from './input.ts';
import { kinds, type ReceivedKind } from './kinds.ts';
import { newReceivedLine } from './line.ts';
import type { ReceivedDocument } from './record.ts';

/** What a new document takes from the company that sent it. */
type Sender = { name: string; payment_terms: Parameters<typeof dueDate>[1] | null };

/** Who makes a document, and when. */
type Making = { context: ReceivedContext; company: Sender | null; actor: Actor; now: Date };

/**
 * A document as it was sent, with the defaults of what was not; what follows from it, `documentChanged` computes. Errors:
 * `validation_failed`.
 */
export function draftOf(
  kind: ReceivedKind,
  input: ReceivedInput,
  { context, company, actor, now }: Making,
): ReceivedDocument {
  const { invoicing, settings, today } = context;
  const nextId = idSeries('li', now);
  const issue_date = input.issue_date ?? null;
  const terms = company?.payment_terms ?? settings.default_due;
  return {
    kind,
    id: newId(kinds[kind].prefix, now),
    status: 'pending',
    number: input.number ?? null,
    company_id: input.company_id ?? null,
    company_name: input.company_name === undefined ? (company?.name ?? null) : input.company_name,
    registration_number: input.registration_number ?? null,
    issue_date,
    ...transactionDates(input),
    received_on: input.received_on ?? today,
    due_date: input.due_date === undefined ? defaultDue(kind, issue_date, terms) : input.due_date,
    subject: input.subject ?? null,
    memo: input.memo ?? null,
    internal_memo: input.internal_memo ?? null,
    tax_display_mode: input.tax_display_mode ?? invoicing.default_tax_display_mode,
    tax_rounding: input.tax_rounding ?? invoicing.default_tax_rounding,
    withholding_mode: input.withholding_mode ?? 'none',
    currency: 'JPY',
    stated_breakdown: input.stated_breakdown?.map(statedRow) ?? null,
    stated_total: input.stated_total ?? null,
    stated_withholding: input.stated_withholding ?? null,
    bank_account: input.bank_account ?? null,
    received_via: input.received_via ?? 'api',
    qualified_override: input.qualified === false ? false : null,
    deduction_basis: input.deduction_basis ?? 'auto',
    deduction_reason: input.deduction_reason ?? null,
    purchase_order_id: input.purchase_order_id ?? null,
    match_mode: kind === 'invoice' ? (input.match_mode ?? 'three_way') : null,
    external_id: input.external_id ?? null,
    metadata: metadataAfter({}, input.metadata),
    lines: (input.line_items ?? []).map((line) => newReceivedLine(nextId(), line)),
    ...NOTHING_YET,
    created_by: actor.user_id,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  };
}

/** What nobody has done with it yet, and what is computed. */
const NOTHING_YET = {
  company_key: null,
  subtotal: 0,
  tax: 0,
  total: 0,
  withholding_tax: 0,
  amount_due: 0,
  tax_breakdown: [],
  tax_differences: [],
  qualified: false,
  input_tax: NO_INPUT_TAX,
  non_deductible: 0,
  match: NO_MATCH,
  duplicate_of: null,
  duplicates: [],
  warnings: [],
  missing: [],
  file_count: 0,
  retention_date: null,
  reject_reason: null,
  rejected_at: null,
  approved_by: null,
  approved_at: null,
  confirmed_at: null,
  fulfilled_on: null,
  fulfilled_at: null,
  posting_date: null,
  transfer_date: null,
  amount_paid: 0,
  balance: 0,
  paid_on: null,
  paid_at: null,
  files: [],
  payments: [],
  source: [],
  converted_to: [],
  journal_ids: [],
  billed_by: null,
  claims: [],
} satisfies Partial<ReceivedDocument>;

/** When the delivery was: a day, or a period; the day of issue where neither is said. */
export function transactionDates({
  transaction_date,
  transaction_period,
  issue_date,
}: Pick<ReceivedInput, 'transaction_date' | 'transaction_period' | 'issue_date'>) {
  if (!transaction_period) {
    const day = transaction_date ?? issue_date ?? null;
    return { transaction_date: day, transaction_from: null, transaction_to: null };
  }
  const { from, to } = transaction_period;
  return { transaction_date: null, transaction_from: from, transaction_to: to };
}

/** The day to pay an invoice by, where it says none; null for other kinds and without a day of issue. */
export function defaultDue(
  kind: ReceivedKind,
  issue_date: string | null,
  terms: Parameters<typeof dueDate>[1],
): string | null {
  return kind === 'invoice' && issue_date !== null ? dueDate(issue_date, terms) : null;
}

/** A printed row with all of its members. */
export function statedRow({
  tax_category,
  net = null,
  tax = null,
  gross = null,
  transaction_date = null,
}: NonNullable<ReceivedInput['stated_breakdown']>[number]): StatedRow {
  return { tax_category, net, tax, gross, transaction_date };
}

/** Errors: `validation_failed` at /deduction_reason for `book_only` without one. */
export function requireReason({ deduction_basis, deduction_reason }: ReceivedDocument): void {
  if (deduction_basis === 'auto' || deduction_reason !== null) return;
  throw invalid('/deduction_reason', 'required', {
    en: 'book_only needs a deduction_reason',
    ja: 'book_only には deduction_reason が必要です',
  });
}
