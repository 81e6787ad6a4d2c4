import { isCompany } from '../../crm/aliases.ts';
import { isFiltered, type ListQuery, pageOf } from '../../db/list.ts';
import type { LookUps } from '../../db/look-ups.ts';
import { oneOf } from '../../db/one-of.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { type Payment, type PaymentMethod, PaymentModel, paymentKind } from './record.ts';
import { invoiceHead, type PaidInvoice, type PaymentRow, paymentColumns, paymentOf } from './rows.ts';

/** Days are YYYY-MM-DD, both included. */
export type PaymentFilters = LookUps & {
  company_id?: string;
  paid_from?: string;
  paid_to?: string;
  method?: PaymentMethod;
};

/** A window of the payments that the filters leave. */
export async function paymentPage(
  reader: Reader,
  filters: PaymentFilters,
  window: Window,
): Promise<Page<Payment>> {
  const page = await pageOf<PaymentRow>(reader, paymentList(reader, filters, window));
  const invoices = await invoicesOf(reader, page.rows);
  return { ...page, rows: page.rows.map((row) => paymentOf(row, invoices.get(row.invoice_id)!)) };
}

/** A window of the payments of an invoice that the filters leave. Errors: `not_found`. */
export async function paymentPageOf(
  reader: Reader,
  invoice_id: string,
  filters: LookUps,
  window: Window,
): Promise<Page<Payment>> {
  const paid = await invoiceHead(reader, invoice_id);
  const query = PaymentModel.table(reader).where('invoicing_payments.invoice_id', invoice_id);
  const page = await pageOf<PaymentRow>(reader, {
    ...form,
    query,
    window,
    look_ups: { kind: paymentKind, asked: filters },
  });
  return { ...page, rows: page.rows.map((row) => paymentOf(row, paid)) };
}

/** One payment of an invoice. Errors: `not_found`. */
export async function paymentById(reader: Reader, invoice_id: string, id: string): Promise<Payment> {
  const [invoice, [row]] = await Promise.all([
    invoiceHead(reader, invoice_id),
    reader.connection.query<PaymentRow>(
      `SELECT ${paymentColumns.join(', ')} FROM invoicing_payments
        WHERE organization_id = $1 AND invoice_id = $2 AND id = $3`,
      [reader.organization_id, invoice_id, id],
    ),
  ]);
  if (!row) throw notFound();
  return paymentOf(row, invoice);
}

const form = {
  table: PaymentModel.tableName,
  columns: paymentColumns,
  counted: { table: PaymentModel.tableName },
  prefix: 'pay',
  sorts: { paid_on: 'paid_on', paid_at: 'paid_at' },
} as const;

/** The query of the list. */
export function paymentList(reader: Reader, filters: PaymentFilters, window: Window): ListQuery {
  const { company_id, paid_from, paid_to, method } = filters;
  const query = PaymentModel.table(reader);
  if (method) query.where('invoicing_payments.method', method);
  if (paid_from) query.where('invoicing_payments.paid_on', '>=', paid_from);
  if (paid_to) query.where('invoicing_payments.paid_on', '<=', paid_to);
  if (company_id) {
    const { organization_id, connection } = reader;
    const invoices = connection
      .from('invoicing_documents')
      .where({ organization_id, kind: 'invoice' })
      .whereRaw(...isCompany(reader, 'invoicing_documents', company_id))
      .select('id');
    query.whereIn('invoicing_payments.invoice_id', invoices);
  }
  const look_ups = { kind: paymentKind, asked: filters };
  return { ...form, query, window, look_ups, is_filtered: isFiltered(filters) };
}

async function invoicesOf(reader: Reader, rows: readonly PaymentRow[]): Promise<Map<string, PaidInvoice>> {
  if (rows.length === 0) return new Map();
  const invoices = await reader.connection.query<PaidInvoice>(
    `SELECT id, number, company_id FROM invoicing_documents WHERE organization_id = $1 AND id = ${oneOf('$2')}`,
    [reader.organization_id, [...new Set(rows.map(({ invoice_id }) => invoice_id))]],
  );
  return new Map(invoices.map((invoice) => [invoice.id, invoice]));
}
