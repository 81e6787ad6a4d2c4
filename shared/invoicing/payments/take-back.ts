import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { FACTS_TOGETHER, type Work } from '../../kernel/work.ts';
import type { Bookkeeping, Offset, TakenBack } from '../../platform/bookkeeping.ts';
import { releaseAllocations } from '../deposits/release.ts';
import { lockDeposit } from '../deposits/rows.ts';
import { contextOf } from '../documents/context.ts';
import { type LockedInvoice, lockInvoices, requireAction } from './lock.ts';
import { type Payment, paymentFacts } from './record.ts';
import { paidBy, paymentOf } from './rows.ts';
import { settle } from './settle.ts';

/**
 * Takes a payment back; the status of its invoice follows, and what a deposit paid by it is unallocated again. Errors:
 * `not_found`, `precondition_failed`, `invalid_transition`, and those of the books.
 */
export async function deletePayment(
  work: Work,
  invoice_id: string,
  id: string,
  bookkeeping: Bookkeeping,
): Promise<void> {
  const deposit_id = await depositOfPayment(work, invoice_id, id);
  const deposit = deposit_id === null ? null : await lockDeposit(work, deposit_id);
  const [locked] = await lockInvoices(work, [invoice_id]);
  if (!locked?.payments.some((payment) => payment.id === id)) throw notFound();
  work.precondition(locked.invoice);
  const gone = new Set([id]);
  const taken_back = await takeBack(work, [locked], gone);
  const renewed = deposit ? (await releaseAllocations(work, deposit, gone)).renewed : [];
  await bookkeeping.keep(work, { taken_back, renewed });
}

/** Errors: `not_found`. */
async function depositOfPayment(
  { connection, organization_id }: Reader,
  invoice_id: string,
  id: string,
): Promise<string | null> {
  const [row] = await connection.query<{ deposit_id: string | null }>(
    'SELECT deposit_id FROM invoicing_payments WHERE organization_id = $1 AND invoice_id = $2 AND id = $3',
    [organization_id, invoice_id, id],
  );
  if (!row) throw notFound();
  return row.deposit_id;
}

/**
 * Removes payments of locked invoices, whose statuses follow. Answers what the books are to take back. Errors:
 * `invalid_transition`.
 */
export async function takeBack(
  work: Work,
  locked: readonly LockedInvoice[],
  ids: ReadonlySet<string>,
): Promise<TakenBack[]> {
  const { settings } = await contextOf(work);
  const reason = DELETED[settings.locale];
  const taken_back: TakenBack[] = [];
  for (const { invoice } of locked) await requireAction(work, invoice, 'delete-payment');
  // By itself, for the release before has a trigger that answers it with a change of the deposit.
  work.run('DELETE FROM invoicing_payments WHERE organization_id = $1 AND id = ANY ($2)', [
    work.organization_id,
    [...ids],
  ]);
  for (const { invoice, payments } of locked) {
    for (const row of payments.filter(({ id }) => ids.has(id))) {
      const payment = paymentOf(row, invoice);
      work.record(paymentFacts.deleted, { before: payment, after: null });
      taken_back.push({ type: 'payment', id: row.id, reason, offset: offsetOf(payment) });
    }
    const left = payments.filter(({ id }) => !ids.has(id));
    await settle(work, invoice, { payments: left.map(paidBy), credited: invoice.credited });
  }
  if (work.recorded >= FACTS_TOGETHER) await work.flushFacts();
  return taken_back;
}

/** What a payment sets off: what came in by it. One that is a fee or a tax alone sets off nothing. */
export function offsetOf({
  company_id,
  method,
  paid_on,
  amount,
  received_amount,
}: Payment): Offset | undefined {
  if (method !== 'offset' || received_amount === 0) return undefined;
  return { company_id, day: paid_on, amount: received_amount, has_more: received_amount !== amount };
}

/** Why the entry of a payment is void. */
const DELETED = { ja: '入金の削除', en: 'The payment was deleted' };
