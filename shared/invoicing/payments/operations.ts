import { invalid, notFound } from '../../kernel/failure.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import type { Work } from '../../kernel/work.ts';
import type { Bookkeeping } from '../../platform/bookkeeping.ts';
import { contextOf } from '../documents/context.ts';
import type { Document } from '../documents/shape.ts';
import { documentOf } from '../documents/shown.ts';
import { lockInvoices, requireAction } from './lock.ts';
import { newPayment, requireOwed } from './make.ts';
import { type Payment, type PaymentInput, PaymentModel, type PaymentPatch, paymentFacts } from './record.ts';
import { paidBy, paymentOf } from './rows.ts';
import { settle } from './settle.ts';
import { offsetOf } from './take-back.ts';

/**
 * Records a payment of an invoice; its status follows. Errors: `not_found`, `precondition_failed`,
 * `invalid_transition`, `overpayment`, `future_date`, `validation_failed` where the fee and what was withheld exceed the
 * amount, or `paid_on` and `paid_at` are of two days, and those of the books.
 */
export async function recordPayment(
  work: Work,
  invoice_id: string,
  input: PaymentInput,
  bookkeeping: Bookkeeping,
): Promise<{ invoice: Document; payment: Payment }> {
  const [locked] = await lockInvoices(work, [invoice_id]);
  if (!locked) throw notFound();
  const { invoice, payments: earlier } = locked;
  work.precondition(invoice);
  await requireAction(work, invoice, 'mark-paid');
  const { balance } = invoice;
  const amount = input.amount === undefined ? balance : BigInt(input.amount);
  requireOwed(amount, balance);
  const row = await newPayment(work, invoice, { ...input, amount: Number(amount) });
  const payment = paymentOf(row, invoice);
  if (payment.received_amount < 0) {
    const message = {
      en: 'amount must not be below the fee that we bear and what was withheld',
      ja: 'amount は、当方負担の手数料と源泉徴収額の合計以上にしてください',
    };
    throw invalid('/amount', 'too_small', message);
  }
  work.insert(PaymentModel, row);
  work.record(paymentFacts.created, { before: null, after: payment });
  const after = await settle(work, invoice, {
    payments: [...earlier, row].map(paidBy),
    credited: invoice.credited,
  });
  await bookkeeping.keep(work, { booked: [{ type: 'payment', id: payment.id, offset: offsetOf(payment) }] });
  return { invoice: documentOf(after, await contextOf(work)), payment };
}

/**
 * Changes the own keys of a payment; what was paid stays, and so does the invoice. Errors: `not_found`,
 * `precondition_failed`, `already_exists`.
 */
export async function changePayment(
  work: Work,
  invoice_id: string,
  id: string,
  patch: PaymentPatch,
): Promise<Payment> {
  const [locked] = await lockInvoices(work, [invoice_id]);
  const row = locked?.payments.find((payment) => payment.id === id);
  if (!locked || !row) throw notFound();
  const { invoice } = locked;
  work.precondition(row);
  const { external_id = row.external_id } = patch;
  const changes = { external_id, metadata: metadataAfter(row.metadata, patch.metadata) };
  const before = paymentOf(row, invoice);
  if (work.isSame(paymentFacts.updated, before, { ...before, ...changes })) return before;
  const changed = { ...changes, updated_at: work.touch(row) };
  work.update(PaymentModel, id, changed);
  const after = { ...before, ...changed };
  work.record(paymentFacts.updated, { before, after });
  return after;
}
