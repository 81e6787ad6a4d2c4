import { retentionUntil, yearsKept } from '../../accounting/documents/retention.ts';
import { daysBetween } from '../../kernel/days.ts';
import type { ReceivedContext } from '../context.ts';
import { shownFile } from '../files/record.ts';
import { actionsFor } from '../transitions/allowed.ts';
import type { Asking, Standing } from '../transitions/conditions.ts';
import { kinds } from './kinds.ts';
import type { StoredLine } from './line.ts';
import type { ReceivedDocument, ShownReceived } from './record.ts';

/** A document as the API shows it. */
export function shownReceived(document: ReceivedDocument, context: ReceivedContext): ShownReceived {
  const line_items = document.lines.map((line) => shownLine(line, document.kind));
  return { ...summaryOfReceived(document, context), line_items };
}

/** A document as lists show it, without its lines. */
export function summaryOfReceived(
  document: ReceivedDocument,
  context: ReceivedContext,
): Omit<ShownReceived, 'line_items'> {
  const { kind, transaction_from: from, transaction_to: to } = document;
  const { subtotal, tax, total, withholding_tax, amount_due, tax_breakdown } = document;
  const standing = standingOf(document, context);
  return {
    id: document.id,
    object: kinds[kind].object,
    status: document.status,
    number: document.number,
    company_id: document.company_id,
    company_name: document.company_name,
    registration_number: document.registration_number,
    issue_date: document.issue_date,
    transaction_date: document.transaction_date,
    transaction_period: from === null || to === null ? null : { from, to },
    received_on: document.received_on,
    due_date: document.due_date,
    subject: document.subject,
    memo: document.memo,
    internal_memo: document.internal_memo,
    tax_display_mode: document.tax_display_mode,
    tax_rounding: document.tax_rounding,
    withholding_mode: document.withholding_mode,
    currency: document.currency,
    stated_breakdown: document.stated_breakdown,
    stated_total: document.stated_total,
    stated_withholding: document.stated_withholding,
    deduction_basis: document.deduction_basis,
    deduction_reason: document.deduction_reason,
    external_id: document.external_id,
    metadata: document.metadata,
    received_via: document.received_via,
    qualified: document.qualified,
    totals: { subtotal, tax, total, withholding_tax, amount_due, tax_breakdown },
    tax_differences: document.tax_differences,
    files: document.files.map(shownFile),
    duplicate_of: document.duplicate_of,
    duplicates: document.duplicates,
    warnings: document.warnings,
    missing: document.missing,
    available_actions: actionsFor(standing, askingIn(context)),
    source: document.source,
    converted_to: document.converted_to,
    retention_until: standing.retention_until,
    reject_reason: document.reject_reason,
    approved_by: document.approved_by,
    approved_at: document.approved_at,
    rejected_at: document.rejected_at,
    confirmed_at: document.confirmed_at,
    fulfilled_on: document.fulfilled_on,
    fulfilled_at: document.fulfilled_at,
    ...(kinds[kind].answers_order && { purchase_order_id: document.purchase_order_id }),
    ...(kind === 'invoice' && ofInvoice(document, context)),
    created_by: document.created_by,
    created_at: document.created_at,
    updated_at: document.updated_at,
  };
}

function ofInvoice(document: ReceivedDocument, { today }: ReceivedContext) {
  const days = daysOverdue(document, today);
  return {
    bank_account: document.bank_account,
    match_mode: document.match_mode ?? 'three_way',
    posting_date: document.posting_date,
    transfer_date: document.transfer_date,
    input_tax: document.input_tax,
    match: document.match,
    amount_paid: document.amount_paid,
    balance: document.balance,
    is_overdue: days !== null,
    days_overdue: days,
    payments: document.payments,
    paid_on: document.paid_on,
    paid_at: document.paid_at,
    journal_ids: document.journal_ids,
  } satisfies Partial<ShownReceived>;
}

function shownLine(
  { accepted_quantity, reject_reason, ...line }: StoredLine,
  kind: ReceivedDocument['kind'],
): ShownReceived['line_items'][number] {
  return kind === 'delivery_note' ? { ...line, accepted_quantity, reject_reason } : line;
}

/** Days since the due date of an invoice that is approved and not paid, null where it has not passed. */
function daysOverdue({ status, due_date, balance }: ReceivedDocument, today: string): number | null {
  const isOpen = (status === 'approved' || status === 'partially_paid') && balance !== 0;
  if (!isOpen || due_date === null || due_date >= today) return null;
  return daysBetween(due_date, today);
}

/** The day until which a document is kept with its files. */
export function keptUntil(
  { retention_date, received_on, created_at }: ReceivedDocument,
  { years, retention }: ReceivedContext,
): string {
  return retentionUntil(years, retention_date ?? received_on, yearsKept(retention, created_at));
}

/** A document as the table of transitions asks about it. */
export function standingOf(
  document: ReceivedDocument,
  context: ReceivedContext,
): Standing & { retention_until: string } {
  const { kind, status, created_by, due_date, file_count, converted_to, billed_by, balance } = document;
  const retention_until = keptUntil(document, context);
  return {
    kind,
    status,
    created_by,
    due_date,
    file_count,
    retention_until,
    converted_to,
    billed_by,
    balance,
  };
}

/** Who asks, as the table of transitions takes it. */
export function askingIn({ grants, user_id, settings }: ReceivedContext): Asking {
  return { grants, user_id, four_eyes: settings.four_eyes };
}
