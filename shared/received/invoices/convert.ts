import { announceConversion } from '../../invoicing/convert/invoice.ts';
import { documentCompany } from '../../invoicing/documents/company.ts';
import { contextOf } from '../../invoicing/documents/context.ts';
import { inputFrom } from '../../invoicing/documents/copy.ts';
import { draftOf } from '../../invoicing/documents/draft.ts';
import { type DocumentRecord, LINKS } from '../../invoicing/documents/record.ts';
import type { DocumentInput } from '../../invoicing/documents/shape.ts';
import { documentOf } from '../../invoicing/documents/shown.ts';
import { lockFor } from '../../invoicing/transitions/lock-for.ts';
import { newId } from '../../kernel/id.ts';
import type { Row, Work } from '../../kernel/work.ts';
import {
  type PurchaseOrderConversion,
  RECEIVED_LINES,
  type ReceivedInvoice,
  ReceivedInvoiceModel,
  receivedInvoiceFacts,
} from './record.ts';

/**
 * Makes the received invoice of an accepted purchase order, once, pending. Its dates, rates and totals are found as
 * those of an invoice of our own. Errors: those of the table of transitions, and of counting its lines.
 */
export async function convertPurchaseOrder(
  work: Work,
  id: string,
  override: PurchaseOrderConversion,
): Promise<ReceivedInvoice> {
  const order = await lockFor(work, 'purchase_order', id, 'convert');
  const [context, company] = await Promise.all([contextOf(work), documentCompany(work, order.company_id)]);
  const { settings, today } = context;
  const { actor, now } = work;
  const origins = override.line_items
    ? []
    : order.lines.map((line) => ({ source_line_id: line.id, source_document_id: id }));
  const draft = draftOf('invoice', inputOf(order, override, today), {
    settings,
    company,
    actor,
    now,
    origins,
  });
  const invoice = receivedOf(draft, documentOf(draft, context), {
    order_id: id,
    company_name: company.name,
    number: override.number ?? null,
    registration_number: override.registration_number ?? null,
    received_on: override.received_on ?? today,
  });
  work.insert(ReceivedInvoiceModel, rowOf(invoice));
  work.insertAll(RECEIVED_LINES, lineRowsOf(invoice));
  work.insert(LINKS, {
    source_id: id,
    target_id: invoice.id,
    source_type: 'purchase_order',
    target_type: 'received_invoice',
    created_at: invoice.created_at,
  });
  work.record(receivedInvoiceFacts.created, { before: null, after: invoice });
  announceConversion(work, order, { kind: 'received_invoice', id: invoice.id });
  return invoice;
}

/** What the order hands on: not its dates, number and account, which are ours. */
function inputOf(
  order: DocumentRecord,
  { number, registration_number, received_on, ...override }: PurchaseOrderConversion,
  today: string,
): DocumentInput {
  const { company_id, subject, memo, internal_memo, line_items, ...rest } = inputFrom(order);
  const { tax_display_mode, tax_rounding, withholding_mode } = rest;
  return {
    company_id,
    subject,
    memo,
    internal_memo,
    line_items,
    tax_display_mode,
    tax_rounding,
    withholding_mode,
    issue_date: today,
    ...override,
  };
}

type Own = Pick<ReceivedInvoice, 'company_name' | 'number' | 'registration_number' | 'received_on'> & {
  order_id: string;
};

/**
 * A counted draft as a received invoice: what belongs to an issuer of invoices is left out, since the account and the
 * registration number are for the supplier's paper to say.
 */
function receivedOf(
  draft: DocumentRecord,
  shown: ReturnType<typeof documentOf>,
  { order_id, ...own }: Own,
): ReceivedInvoice {
  const { company_id, issue_date, transaction_date, transaction_period, due_date } = shown;
  const { subject, memo, internal_memo, tax_display_mode, tax_rounding, withholding_mode } = shown;
  return {
    id: newId('rinv', new Date(draft.created_at)),
    object: 'received.invoice',
    status: 'pending',
    ...own,
    company_id,
    issue_date,
    transaction_date,
    transaction_period,
    due_date,
    subject,
    memo,
    internal_memo,
    tax_display_mode,
    tax_rounding,
    withholding_mode,
    currency: 'JPY',
    line_items: shown.line_items.map(({ source_line_id, ...line }) => ({
      ...line,
      purchase_order_line_id: source_line_id,
    })),
    totals: shown.totals,
    received_via: 'convert',
    purchase_order_id: order_id,
    source: [{ type: 'purchase_order', id: order_id }],
    created_by: draft.created_by,
    created_at: draft.created_at,
    updated_at: draft.updated_at,
  };
}

function rowOf({ object, line_items, totals, source, transaction_period, ...fields }: ReceivedInvoice): Row {
  return {
    ...fields,
    ...totals,
    transaction_from: transaction_period?.from ?? null,
    transaction_to: transaction_period?.to ?? null,
  };
}

function lineRowsOf({ id, line_items }: ReceivedInvoice): Row[] {
  return line_items.map((line, index) => ({ document_id: id, position: index + 1, ...line }));
}
