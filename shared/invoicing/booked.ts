import { Failure } from '../kernel/failure.ts';
import type { Work } from '../kernel/work.ts';
import { advanceOf } from './deposits/money.ts';
import { type DepositRow, lockDepositIfThere, lockDeposits } from './deposits/rows.ts';
import { contextOf } from './documents/context.ts';
import { type DocumentRow, documentById } from './documents/rows.ts';
import { type PaymentRow, paymentColumns } from './payments/rows.ts';
import { availableActions } from './transitions/standing.ts';

const documentColumns = [
  'id',
  'kind',
  'number',
  'status',
  'company_id',
  'issue_date',
  'transaction_date',
  'transaction_to',
  'amount_due',
  'withholding_tax',
  'tax_breakdown',
] as const;

/** What the books take of an invoice or a credit note. */
export type BookedDocument = Pick<DocumentRow, (typeof documentColumns)[number]>;

/** What the books take of a payment, with what it shows of its invoice. */
export type BookedPayment = PaymentRow & { number: string | null; company_id: string };

/** An invoice or credit note, locked as its own operations lock it; null where there is none. */
export async function lockBookedDocument(
  { connection, organization_id }: Work,
  kind: 'invoice' | 'credit_note',
  id: string,
): Promise<BookedDocument | null> {
  const [row] = await connection.query<BookedDocument>(
    `SELECT ${documentColumns.join(', ')} FROM invoicing_documents
      WHERE organization_id = $1 AND kind = $2 AND id = $3 FOR NO KEY UPDATE`,
    [organization_id, kind, id],
  );
  return row ?? null;
}

/** A payment, its deposit and its invoice locked: who writes payments holds those. null where there is none. */
export async function lockBookedPayment(
  { connection, organization_id }: Work,
  id: string,
): Promise<BookedPayment | null> {
  await connection.query(
    `SELECT 1 FROM invoicing_deposits WHERE organization_id = $1 AND id = (
       SELECT deposit_id FROM invoicing_payments WHERE organization_id = $1 AND id = $2) FOR NO KEY UPDATE`,
    [organization_id, id],
  );
  await connection.query(
    `SELECT 1 FROM invoicing_documents WHERE organization_id = $1 AND id = (
       SELECT invoice_id FROM invoicing_payments WHERE organization_id = $1 AND id = $2) FOR NO KEY UPDATE`,
    [organization_id, id],
  );
  const [row] = await connection.query<BookedPayment>(
    `SELECT ${paymentColumns.map((column) => `payment.${column}`).join(', ')}, invoice.number, invoice.company_id
       FROM invoicing_payments AS payment
       JOIN invoicing_documents AS invoice
         ON invoice.organization_id = $1 AND invoice.id = payment.invoice_id
      WHERE payment.organization_id = $1 AND payment.id = $2`,
    [organization_id, id],
  );
  return row ?? null;
}

/** What the books take of a deposit: the money that its making left unallocated; or of a refund of one. */
export type BookedDeposit = Pick<DepositRow, 'company_id' | 'payer_name' | 'bank_reference' | 'method'> & {
  deposit_id: string;
  day: string;
  amount: number;
};

/** Deposits, locked by their IDs as their own operations lock them; without those that are not there. */
export async function lockBookedDeposits(work: Work, ids: readonly string[]): Promise<BookedDeposit[]> {
  const deposits = await lockDeposits(work, ids);
  return deposits.map((deposit) => {
    return { ...deposit, deposit_id: deposit.id, day: deposit.received_on, amount: advanceOf(deposit) };
  });
}

/** A refund with what its deposit says, which is locked; null where there is none. */
export async function lockBookedRefund(work: Work, id: string): Promise<BookedDeposit | null> {
  const { connection, organization_id } = work;
  const [refund] = await connection.query<Pick<BookedDeposit, 'deposit_id' | 'day' | 'amount' | 'method'>>(
    `SELECT deposit_id, refunded_on AS day, amount, method FROM invoicing_deposit_refunds
      WHERE organization_id = $1 AND id = $2`,
    [organization_id, id],
  );
  const deposit = refund && (await lockDepositIfThere(work, refund.deposit_id));
  return deposit ? { ...deposit, ...refund } : null;
}

/** An invoice that is a draft or cancelled has no entry: 409 that says what can be done to it. */
export async function notIssued(work: Work, id: string): Promise<Failure> {
  const [invoice, context] = await Promise.all([documentById(work, 'invoice', id), contextOf(work)]);
  const { status } = invoice;
  return new Failure('invalid_transition', {
    detail: {
      en: `The invoice is ${status}; only one that is issued has an entry`,
      ja: `請求書の状態は ${status} です。仕訳を作成できるのは発行済みの請求書だけです`,
    },
    members: { current_status: status, available_actions: availableActions(invoice, context) },
  });
}
