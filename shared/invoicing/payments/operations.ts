import { startOfDay } from '../../kernel/days.ts';
import { Failure, invalid, notFound } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import type { Work } from '../../kernel/work.ts';
import type { Bookkeeping, Offset } from '../../platform/bookkeeping.ts';
import { contextOf } from '../documents/context.ts';
import type { DocumentRecord } from '../documents/record.ts';
import { lockDocument } from '../documents/rows.ts';
import type { Document } from '../documents/shape.ts';
import { documentOf } from '../documents/shown.ts';
import { requireTransition } from '../transitions/allowed.ts';
import { askingIn } from '../transitions/standing.ts';
import type { DocumentAction } from '../transitions/table.ts';
import { dayPaid } from './day.ts';
import { type Payment, type PaymentInput, PaymentModel, type PaymentPatch, paymentFacts } from './record.ts';
import { type PaymentRow, paidBy, paymentOf, paymentsOfInvoice } from './rows.ts';
import { settle } from './settle.ts';

/*
 * The order in which writes of documents take their locks; nobody waits for what stands before:
 *
 *   1. documents by ID. What a balance is made of, payments and credit notes, has no locks of its own: those alone
 *      write it who hold its invoice, and they read it once they do;
 *   2. the counter that gives a number, last, since it is the one that all documents of a kind share.
 */

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
  const [invoice, earlier] = await lockPaid(work, invoice_id, 'mark-paid');
  const { balance } = invoice;
  const amount = input.amount === undefined ? balance : BigInt(input.amount);
  if (amount > balance || balance <= 0n) throw overpayment(balance);
  const row = await newRow(work, invoice, { ...input, amount: Number(amount) });
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
 * Takes a payment back; the status of its invoice follows. Errors: `not_found`, `precondition_failed`,
 * `invalid_transition`, and those of the books.
 */
export async function deletePayment(
  work: Work,
  invoice_id: string,
  id: string,
  bookkeeping: Bookkeeping,
): Promise<void> {
  const [invoice, payments] = await lockPaid(work, invoice_id, 'delete-payment', id);
  const row = payments.find((payment) => payment.id === id)!;
  work.remove(PaymentModel, id);
  const payment = paymentOf(row, invoice);
  work.record(paymentFacts.deleted, { before: payment, after: null });
  const left = payments.filter((payment) => payment.id !== id);
  await settle(work, invoice, { payments: left.map(paidBy), credited: invoice.credited });
  const { settings } = await contextOf(work);
  const reason = DELETED[settings.locale];
  await bookkeeping.keep(work, { taken_back: [{ type: 'payment', id, reason, offset: offsetOf(payment) }] });
}

/** What a payment sets off: what came in by it. One that is a fee or a tax alone sets off nothing. */
function offsetOf({ company_id, method, paid_on, amount, received_amount }: Payment): Offset | undefined {
  if (method !== 'offset' || received_amount === 0) return undefined;
  return { company_id, day: paid_on, amount: received_amount, has_more: received_amount !== amount };
}

/** Why the entry of a payment is void. */
const DELETED = { ja: '入金の削除', en: 'The payment was deleted' };

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
  const [invoice, payments] = await Promise.all([
    lockDocument(work, 'invoice', invoice_id),
    paymentsOfInvoice(work, invoice_id),
  ]);
  const row = payments.find((payment) => payment.id === id);
  if (!row) throw notFound();
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

/** An invoice that is locked for a change of what it is settled by, and its payments. */
async function lockPaid(
  work: Work,
  invoice_id: string,
  action: DocumentAction,
  payment_id?: string,
): Promise<[DocumentRecord, PaymentRow[]]> {
  const [invoice, payments, context] = await Promise.all([
    lockDocument(work, 'invoice', invoice_id),
    paymentsOfInvoice(work, invoice_id),
    contextOf(work),
  ]);
  if (payment_id && !payments.some(({ id }) => id === payment_id)) throw notFound();
  work.precondition(invoice);
  requireTransition(invoice, action, askingIn(context));
  return [invoice, payments];
}

async function newRow(
  work: Work,
  invoice: DocumentRecord,
  input: PaymentInput & { amount: number },
): Promise<PaymentRow> {
  const { settings, today } = await contextOf(work);
  const { time_zone } = settings;
  const paid_on = dayPaid(input, { time_zone, today });
  const { amount, method = 'bank_transfer', fee_amount = 0, fee_borne_by = 'us' } = input;
  const at = work.now.toISOString();
  return {
    id: newId('pay', work.now),
    invoice_id: invoice.id,
    paid_on,
    paid_at: startOfDay(paid_on, time_zone),
    amount,
    method,
    fee_amount,
    fee_borne_by: fee_amount === 0 ? null : fee_borne_by,
    withheld_amount: input.withheld_amount ?? 0,
    note: input.note ?? null,
    external_id: input.external_id ?? null,
    metadata: metadataAfter({}, input.metadata),
    created_by: work.actor.user_id,
    created_at: at,
    updated_at: at,
  };
}

function overpayment(balance: bigint): Failure {
  const detail =
    balance > 0n
      ? {
          en: `The balance is ${balance} yen, so this is the most to be paid`,
          ja: `未入金の残高は${balance}円です。これを超える入金は登録できません`,
        }
      : { en: 'Nothing is left to be paid', ja: '未入金の残高はありません' };
  return new Failure('overpayment', { detail, members: { balance: Number(balance) } });
}
