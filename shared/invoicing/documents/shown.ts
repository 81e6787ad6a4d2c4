import type { Totals } from '../tax/totals.ts';
import { availableActions } from '../transitions/standing.ts';
import type { DocumentContext } from './context.ts';
import { daysOverdue, isExpired, isOverdue } from './due.ts';
import { registrationNumber } from './issuer.ts';
import { kinds } from './kinds.ts';
import type { DocumentLine } from './line.ts';
import type { DocumentRecord } from './record.ts';
import type { Document } from './shape.ts';
import { documentWarnings } from './warnings.ts';

/** A document as the API shows it. */
export function documentOf(record: DocumentRecord, context: DocumentContext): Document {
  return { ...summaryOf(record, context), line_items: record.lines.map(lineOf) };
}

/** A document as lists show it, without its lines. */
export function summaryOf(record: DocumentRecord, context: DocumentContext): Omit<Document, 'line_items'> {
  const { kind, transaction_from, transaction_to } = record;
  const isInvoice = kind === 'invoice';
  const issuer_registration_number = registrationNumber(record, context.settings);
  return {
    id: record.id,
    object: kinds[kind].object,
    number: record.number,
    status: record.status,
    company_id: record.company_id,
    contact_id: record.contact_id,
    honorific: record.honorific,
    company_snapshot: record.company_snapshot,
    subject: record.subject,
    issue_date: record.issue_date,
    transaction_date: record.transaction_date,
    transaction_period:
      transaction_from === null ? null : { from: transaction_from, to: transaction_to ?? transaction_from },
    due_date: record.due_date,
    issuer_name: record.issuer_name,
    issuer_detail: record.issuer_detail,
    issuer_registration_number,
    bank_account: record.bank_account,
    memo: record.memo,
    internal_memo: record.internal_memo,
    delivery_date: record.delivery_date,
    delivery_place: record.delivery_place,
    payment_terms_text: record.payment_terms_text,
    show_prices: record.show_prices,
    tax_display_mode: record.tax_display_mode,
    tax_rounding: record.tax_rounding,
    withholding_mode: record.withholding_mode,
    currency: record.currency,
    external_id: record.external_id,
    metadata: record.metadata,
    totals: shownTotals(record),
    amount_paid: isInvoice ? Number(record.amount_paid) : null,
    credited: isInvoice ? Number(record.credited) : null,
    balance: isInvoice ? Number(record.balance) : null,
    is_overdue: isInvoice && isOverdue(record, context.today),
    days_overdue: isInvoice ? daysOverdue(record, context.today) : null,
    is_expired: kind === 'quotation' && isExpired(record, context.today),
    source: record.source,
    converted_to: record.converted_to,
    sent_at: record.sent_at,
    approved_at: record.approved_at,
    approved_by: record.approved_by,
    accepted_at: record.accepted_at,
    rejected_at: record.rejected_at,
    reject_reason: record.reject_reason,
    delivered_at: record.delivered_at,
    paid_on: record.paid_on,
    paid_at: record.paid_at,
    cancelled_at: record.cancelled_at,
    cancel_reason: record.cancel_reason,
    revises_id: record.revises_id,
    email: record.email,
    pdf: record.pdf,
    available_actions: availableActions(record, context),
    warnings: documentWarnings(record, issuer_registration_number),
    ...(kind === 'credit_note' && { invoice_id: record.invoice_id!, reason: record.reason! }),
    created_by: record.created_by,
    created_at: record.created_at,
    updated_at: record.updated_at,
  };
}

/** A document that is not stored, as the API shows it: without IDs. */
export function previewOf(record: DocumentRecord, context: DocumentContext) {
  const { line_items, ...shown } = documentOf(record, context);
  return {
    ...shown,
    id: null,
    line_items: line_items.map((line) => ({ ...line, id: null })),
    available_actions: [],
  };
}

/** Totals as whole JSON numbers: twelve digits are exact. */
function shownTotals(totals: Totals): Document['totals'] {
  return {
    subtotal: Number(totals.subtotal),
    tax: Number(totals.tax),
    total: Number(totals.total),
    withholding_tax: Number(totals.withholding_tax),
    amount_due: Number(totals.amount_due),
    tax_breakdown: totals.tax_breakdown.map(({ tax_category, tax_rate, net, tax, gross }) => ({
      tax_category,
      tax_rate,
      net: Number(net),
      tax: Number(tax),
      gross: Number(gross),
    })),
  };
}

function lineOf(line: DocumentLine): Document['line_items'][number] {
  const { source_document_id, amount, ...shown } = line;
  const { source_line_id, ...fields } = shown;
  return { ...fields, amount: amount === null ? null : Number(amount), source_line_id };
}
