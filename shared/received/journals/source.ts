import { type PurchaseAccounts, payableBooked, purchaseAccounts } from '../../accounting/sources/owed.ts';
import type { LockSource, Source } from '../../accounting/sources/source.ts';
import type { TaxCategory } from '../../invoicing/tax/rates.ts';
import type { Text } from '../../kernel/language.ts';
import type { Work } from '../../kernel/work.ts';
import type { ReceivedPayment } from '../payments/record.ts';
import { type Purchase, payablesOf, purchaseEntry } from './invoice-entry.ts';
import { openPayables, type PaidPart, type Payables } from './payables.ts';
import { besideReceivedOffset, receivedPaymentEntry } from './payment-entry.ts';
import type { Purpose } from './purchase-categories.ts';

const titles = {
  received_invoice: { ja: '受取請求書', en: 'Received invoice' },
  received_payment: { ja: '支払', en: 'Payment of received invoice' },
} satisfies Record<string, Text>;

type InputTaxRow = {
  tax_category: TaxCategory;
  tax_rate: number;
  gross: number;
  share: number;
  deductible: number;
};

type InvoiceRow = {
  id: string;
  number: string | null;
  status: string;
  company_id: string | null;
  amount_due: number;
  withholding_tax: number;
  posting_date: string | null;
  input_tax: { rows: InputTaxRow[] } | null;
};

type LineRow = {
  tax_category: TaxCategory;
  amount: number;
  account_id: string | null;
  purpose: Purpose | null;
};

/** The record of received documents that an entry is made from, locked; null where it is not in the organization. */
export const lockReceivedSource: LockSource = async (work, { type, id }) => {
  if (type === 'received_invoice') return invoiceSource(work, id);
  if (type === 'received_payment') return paymentSource(work, id);
  throw new Error(`${type} is not a source of received documents`);
};

async function invoiceSource(work: Work, id: string): Promise<Source | null> {
  const [invoice, lines] = await Promise.all([lockInvoice(work, id), linesOf(work, id)]);
  if (!invoice) return null;
  const { number, status, company_id, posting_date } = invoice;
  const purchase = await purchaseOf(work, invoice, lines);
  const date = posting_date ?? '';
  return {
    type: 'received_invoice',
    id,
    title: titles.received_invoice,
    number,
    status,
    date,
    book: (books) => purchaseEntry({ ...purchase, date, company_id }, books),
  };
}

type PaymentRow = Pick<
  ReceivedPayment,
  'id' | 'paid_on' | 'amount' | 'method' | 'fee_amount' | 'fee_borne_by'
> & {
  payable_amount: number;
  number: string | null;
  company_id: string | null;
};

/** The invoice is locked with it: who writes payments holds that. */
async function paymentSource(work: Work, id: string): Promise<Source | null> {
  const { connection, organization_id } = work;
  await connection.query(
    `SELECT 1 FROM received_documents WHERE organization_id = $1 AND id = (
       SELECT document_id FROM received_payments WHERE organization_id = $1 AND id = $2) FOR NO KEY UPDATE`,
    [organization_id, id],
  );
  const [payment] = await connection.query<PaymentRow>(
    `SELECT payment.id, payment.paid_on, payment.amount, payment.method, payment.fee_amount, payment.fee_borne_by,
            payment.payable_amount, invoice.number, invoice.company_id
       FROM received_payments AS payment
       JOIN received_documents AS invoice
         ON invoice.organization_id = $1 AND invoice.id = payment.document_id
      WHERE payment.organization_id = $1 AND payment.id = $2`,
    [organization_id, id],
  );
  if (!payment) return null;
  return {
    type: 'received_payment',
    id,
    title: titles.received_payment,
    number: payment.number,
    status: null,
    date: payment.paid_on,
    book: (books) => receivedPaymentEntry(payment, books),
    bookBeside: (books) => besideReceivedOffset(payment, books),
  };
}

async function lockInvoice({ connection, organization_id }: Work, id: string): Promise<InvoiceRow | null> {
  const [row] = await connection.query<InvoiceRow>(
    `SELECT id, number, status, company_id, amount_due, withholding_tax, posting_date, input_tax
       FROM received_documents WHERE organization_id = $1 AND kind = 'invoice' AND id = $2 FOR NO KEY UPDATE`,
    [organization_id, id],
  );
  return row ?? null;
}

/** The lines that are counted. They are read behind the lock. */
function linesOf({ connection, organization_id }: Work, document_id: string): Promise<LineRow[]> {
  return connection.query<LineRow>(
    `SELECT tax_category, amount, account_id, purpose FROM received_lines
      WHERE organization_id = $1 AND document_id = $2 AND type = 'item' ORDER BY position`,
    [organization_id, document_id],
  );
}

/** Accounts of these sections are paid for by what is owed otherwise (未払金). */
const OWED_OTHERWISE: ReadonlySet<ReturnType<PurchaseAccounts['section']>> = new Set([
  'sga',
  'tangible_fixed',
  'intangible_fixed',
]);

async function purchaseOf(
  work: Work,
  { withholding_tax, input_tax }: Pick<InvoiceRow, 'withholding_tax' | 'input_tax'>,
  lines: readonly LineRow[],
): Promise<Omit<Purchase, 'date' | 'company_id'>> {
  const named = lines.flatMap(({ account_id }) => account_id ?? []);
  const { expense, section } = await purchaseAccounts(work, named);
  return {
    withholding_tax: BigInt(withholding_tax),
    rows: (input_tax?.rows ?? []).map(({ gross, deductible, ...row }) => {
      return { ...row, gross: BigInt(gross), deductible: BigInt(deductible) };
    }),
    lines: lines.map(({ tax_category, amount, account_id, purpose }) => ({
      tax_category,
      amount: BigInt(amount),
      account_id: account_id ?? expense,
      purpose: purpose ?? 'taxable',
    })),
    isOwedOtherwise: (account_id) => {
      const booked_on = account_id ?? expense;
      return booked_on !== null && OWED_OTHERWISE.has(section(booked_on));
    },
  };
}

/**
 * What is still owed for a locked invoice: as its entry has it where one stands, else as it would, less what was paid, in yen.
 */
export async function payablesOpen(
  work: Work,
  invoice: Pick<InvoiceRow, 'id' | 'amount_due' | 'withholding_tax' | 'input_tax'>,
): Promise<Payables> {
  const { id, amount_due } = invoice;
  const [lines, booked, payments] = await Promise.all([
    linesOf(work, id),
    payableBooked(work, id),
    paidParts(work, id),
  ]);
  const whole =
    booked === null
      ? payablesOf(await purchaseOf(work, invoice, lines))
      : { payable: booked, payable_other: BigInt(amount_due) - booked };
  return openPayables(whole, payments);
}

async function paidParts({ connection, organization_id }: Work, document_id: string): Promise<PaidPart[]> {
  const rows = await connection.query<{ amount: number; payable_amount: number }>(
    'SELECT amount, payable_amount FROM received_payments WHERE organization_id = $1 AND document_id = $2',
    [organization_id, document_id],
  );
  return rows.map(({ amount, payable_amount }) => {
    return { amount: BigInt(amount), payable_amount: BigInt(payable_amount) };
  });
}
