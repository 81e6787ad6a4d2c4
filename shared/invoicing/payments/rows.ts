import { oneOf } from '../../db/one-of.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Payment } from './record.ts';
import type { Paid } from './settle.ts';

export const paymentColumns = [
  'id',
  'invoice_id',
  'paid_on',
  'paid_at',
  'amount',
  'method',
  'fee_amount',
  'fee_borne_by',
  'withheld_amount',
  'note',
  'deposit_id',
  'from_advances',
  'external_id',
  'metadata',
  'created_by',
  'created_at',
  'updated_at',
] as const;

/** A row of the table; amounts are whole yen of twelve digits at most, so exact as numbers. */
export type PaymentRow = Pick<Payment, Exclude<(typeof paymentColumns)[number], 'from_advances'>> & {
  /** Whether its deposit was there before it: the entry of that has the money already. */
  from_advances: boolean;
};

/** What a payment shows of its invoice. */
export type PaidInvoice = { id: string; number: string | null; company_id: string };

/** A row as the API shows it. */
export function paymentOf(row: PaymentRow, invoice: PaidInvoice): Payment {
  const { amount, withheld_amount, fee_amount, fee_borne_by } = row;
  return {
    id: row.id,
    object: 'invoicing.payment',
    invoice_id: row.invoice_id,
    invoice_number: invoice.number ?? '',
    company_id: invoice.company_id,
    paid_on: row.paid_on,
    paid_at: row.paid_at,
    amount,
    received_amount: amount - withheld_amount - (fee_borne_by === 'us' ? fee_amount : 0),
    method: row.method,
    fee_amount,
    fee_borne_by,
    withheld_amount,
    note: row.note,
    deposit_id: row.deposit_id,
    external_id: row.external_id,
    metadata: row.metadata,
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** What payments and credit notes show of an invoice. Errors: `not_found`. */
export async function invoiceHead(reader: Reader, invoice_id: string): Promise<PaidInvoice> {
  const [invoice] = await reader.connection.query<PaidInvoice>(
    `SELECT id, number, company_id FROM invoicing_documents
      WHERE organization_id = $1 AND kind = 'invoice' AND id = $2`,
    [reader.organization_id, invoice_id],
  );
  if (!invoice) throw notFound();
  return invoice;
}

/** All payments of invoices, oldest first. What writes them has locked the invoice, so none comes or goes meanwhile. */
export async function paymentsOfInvoices(
  reader: Reader,
  ids: readonly string[],
): Promise<(invoice_id: string) => PaymentRow[]> {
  const rows = await reader.connection.query<PaymentRow>(
    `SELECT ${paymentColumns.join(', ')} FROM invoicing_payments
      WHERE organization_id = $1 AND invoice_id = ${oneOf('$2')} ORDER BY id`,
    [reader.organization_id, ids],
  );
  const by_invoice = Map.groupBy(rows, ({ invoice_id }) => invoice_id);
  return (invoice_id) => by_invoice.get(invoice_id) ?? [];
}

/** What a payment settles, and when it came. */
export function paidBy({ amount, paid_on, paid_at }: PaymentRow): Paid {
  return { amount: BigInt(amount), paid_on, paid_at };
}
