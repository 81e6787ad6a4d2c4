import { saidDay } from '../../invoicing/payments/day.ts';
import { startOfDay } from '../../kernel/days.ts';
import { Failure, invalid, notFound } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import type { Work } from '../../kernel/work.ts';
import type { Offset } from '../../platform/bookkeeping.ts';
import { receivedContext } from '../context.ts';
import { documentForUpdate } from '../documents/queries.ts';
import type { ReceivedDocument } from '../documents/record.ts';
import { documentChanged } from '../documents/write.ts';
import { receivedBooks } from '../journals/books.ts';
import { payablePart } from '../journals/payables.ts';
import { payablesOpen } from '../journals/source.ts';
import { lockFor, requireAction } from '../transitions/lock-for.ts';
import { type ReceivedPayment, type ReceivedPaymentInput, ReceivedPaymentModel } from './record.ts';
import { afterPayments, transferredAmount } from './status.ts';

/**
 * Records a payment of an approved invoice; its status follows, and it leaves its transfer file. Errors: `not_found`,
 * `precondition_failed`, those of the table of transitions, `overpayment`, `future_date`, `validation_failed` for an amount
 * of the other sign and a fee above the amount, `already_exists`, those of the books.
 */
export async function payReceivedInvoice(
  work: Work,
  id: string,
  input: ReceivedPaymentInput,
): Promise<{ invoice: ReceivedDocument; payment: ReceivedPayment }> {
  const before = await lockFor(work, 'invoice', id, 'mark-paid');
  const payment = await newPayment(work, input, amountOf(input, before.balance));
  const { object, ...row } = payment;
  const payable_amount = Number(payablePart(BigInt(payment.amount), await payablesOpen(work, before)));
  work.insert(ReceivedPaymentModel, { ...row, document_id: id, payable_amount });
  const payments = [...before.payments, payment];
  const paid = afterPayments({ amount_due: before.amount_due, payments });
  const invoice = await documentChanged(work, before, { ...before, ...paid, payments, transfer_date: null });
  const offset = offsetOf(before, payment);
  await receivedBooks.keep(work, { booked: [{ type: 'received_payment', id: payment.id, offset }] });
  return { invoice, payment };
}

/**
 * Takes a payment back; the status of its invoice follows. Errors: `not_found`, `precondition_failed`, those of the table of
 * transitions and of the books.
 */
export async function deleteReceivedPayment(
  work: Work,
  id: string,
  payment_id: string,
): Promise<ReceivedDocument> {
  const before = await documentForUpdate(work, 'invoice', id);
  const taken_back = before.payments.find((payment) => payment.id === payment_id);
  if (!taken_back) throw notFound();
  work.precondition(before);
  await requireAction(work, before, 'delete-payment');
  work.remove(ReceivedPaymentModel, payment_id);
  const payments = before.payments.filter((payment) => payment.id !== payment_id);
  const left = afterPayments({ amount_due: before.amount_due, payments });
  const invoice = await documentChanged(work, before, { ...before, ...left, payments });
  const { locale } = (await receivedContext(work)).invoicing;
  const offset = offsetOf(before, taken_back);
  await receivedBooks.keep(work, {
    taken_back: [{ type: 'received_payment', id: payment_id, reason: DELETED[locale], offset }],
  });
  return invoice;
}

/** What a payment sets off with the supplier, if that is a company: all of it, since no fee is taken from what is set off. */
function offsetOf(
  { company_id }: Pick<ReceivedDocument, 'company_id'>,
  { method, paid_on, amount, fee_borne_by }: ReceivedPayment,
): Offset | undefined {
  if (method !== 'offset' || company_id === null) return undefined;
  return { company_id, day: paid_on, amount, has_more: fee_borne_by === 'us' };
}

/** Why the entry of a payment is void. */
const DELETED = { ja: '支払の削除', en: 'The payment was deleted' };

/** Errors: `validation_failed` for the wrong sign, `overpayment`. */
function amountOf({ amount }: ReceivedPaymentInput, balance: number): number {
  if (amount === undefined) return balance;
  if (Math.sign(amount) !== Math.sign(balance)) {
    const message =
      balance > 0
        ? { en: 'amount must be above 0', ja: 'amount は0より大きい金額にしてください' }
        : {
            en: 'amount must be below 0, as the balance is',
            ja: 'amount は残高と同じく負の金額にしてください',
          };
    throw invalid('/amount', 'out_of_range', message);
  }
  if (Math.abs(amount) <= Math.abs(balance)) return amount;
  throw new Failure('received_overpayment', {
    detail: {
      en: `The balance is ${balance} yen, so this is the most to be paid`,
      ja: `未払いの残高は${balance}円です。これを超える支払は登録できません`,
    },
    members: { balance },
  });
}

/** Errors: `future_date`, `validation_failed`. */
async function newPayment(work: Work, input: ReceivedPaymentInput, amount: number): Promise<ReceivedPayment> {
  const { invoicing, today } = await receivedContext(work);
  const { time_zone } = invoicing;
  const { method = 'bank_transfer', fee_amount = 0 } = input;
  if (fee_amount > Math.abs(amount)) {
    const message = {
      en: 'fee_amount must not be above the amount',
      ja: 'fee_amount は支払額以下にしてください',
    };
    throw invalid('/fee_amount', 'too_large', message);
  }
  const paid_on = dayPaid(input, { time_zone, today });
  const fee_borne_by = fee_amount === 0 ? null : (input.fee_borne_by ?? 'us');
  return {
    id: newId('rpay', work.now),
    object: 'received.payment',
    paid_on,
    paid_at: startOfDay(paid_on, time_zone),
    amount,
    method,
    fee_amount,
    fee_borne_by,
    transferred_amount: transferredAmount({ amount, fee_amount, fee_borne_by }),
    note: input.note ?? null,
    external_id: input.external_id ?? null,
    metadata: metadataAfter({}, input.metadata),
    created_by: work.actor.user_id,
    created_at: work.now.toISOString(),
  };
}

/** The day on which money left, today unless said. Errors: those of `saidDay`, `future_date`. */
function dayPaid(
  { allow_future = false, ...said }: ReceivedPaymentInput,
  zone: { time_zone: string; today: string },
) {
  const { day, path } = saidDay(said, zone);
  if (allow_future || day <= zone.today) return day;
  const message = { en: `${day} lies ahead`, ja: `${day} は未来の日付です` };
  throw new Failure('received_future_date', {
    detail: message,
    errors: [{ in: 'body', path, code: 'future_date', message }],
  });
}
