import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { ReceivedInvoice } from './record.ts';

type Totals = ReceivedInvoice['totals'];

type InvoiceRow = Omit<
  ReceivedInvoice,
  'object' | 'line_items' | 'totals' | 'source' | 'transaction_period'
> &
  Totals & { transaction_from: string | null; transaction_to: string | null };

type LineRow = ReceivedInvoice['line_items'][number];

const INVOICE = 'SELECT * FROM received_documents WHERE organization_id = $1 AND id = $2';

const LINES = `
  SELECT id, type, description, item_code, quantity, unit, unit_price, tax_category, tax_rate, withholding, amount,
         purchase_order_line_id
    FROM received_lines WHERE organization_id = $1 AND document_id = $2 ORDER BY position`;

/** One received invoice. Errors: `not_found`. */
export async function receivedInvoiceById(reader: Reader, id: string): Promise<ReceivedInvoice> {
  const { connection, organization_id } = reader;
  const [[row], lines] = await Promise.all([
    connection.query<InvoiceRow>(INVOICE, [organization_id, id]),
    connection.query<LineRow>(LINES, [organization_id, id]),
  ]);
  if (!row) throw notFound();
  return shownAs(row, lines);
}

function shownAs(row: InvoiceRow, line_items: LineRow[]): ReceivedInvoice {
  const { transaction_from: from, transaction_to: to, purchase_order_id } = row;
  const { subtotal, tax, total, withholding_tax, amount_due, tax_breakdown } = row;
  return {
    id: row.id,
    object: 'received.invoice',
    status: row.status,
    number: row.number,
    company_id: row.company_id,
    company_name: row.company_name,
    registration_number: row.registration_number,
    issue_date: row.issue_date,
    transaction_date: row.transaction_date,
    transaction_period: from === null || to === null ? null : { from, to },
    received_on: row.received_on,
    due_date: row.due_date,
    subject: row.subject,
    memo: row.memo,
    internal_memo: row.internal_memo,
    tax_display_mode: row.tax_display_mode,
    tax_rounding: row.tax_rounding,
    withholding_mode: row.withholding_mode,
    currency: row.currency,
    line_items,
    totals: { subtotal, tax, total, withholding_tax, amount_due, tax_breakdown },
    received_via: row.received_via,
    purchase_order_id,
    source: purchase_order_id === null ? [] : [{ type: 'purchase_order', id: purchase_order_id }],
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
