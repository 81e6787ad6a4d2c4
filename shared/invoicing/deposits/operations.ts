import { requireRecord } from '../../db/reference.ts';
import { Failure, invalid } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import type { Work } from '../../kernel/work.ts';
import type { Bookkeeping } from '../../platform/bookkeeping.ts';
import { contextOf } from '../documents/context.ts';
import { requireNear } from '../payments/day.ts';
import { PaymentModel } from '../payments/record.ts';
import { allocate } from './allocate.ts';
import { newDeposit } from './make.ts';
import { allocatedOf, moneyLeft, untakenFee } from './money.ts';
import {
  type Deposit,
  type DepositAllocations,
  type DepositInput,
  DepositModel,
  type DepositPatch,
  type DepositRefundInput,
  DepositRefundModel,
  depositFacts,
  MOST_REFUNDS,
} from './record.ts';
import { type DepositRecord, depositOf, lockDeposit } from './rows.ts';
import { writeDeposit } from './write.ts';

const COMPANIES = { tableName: 'crm_companies' };

/**
 * Records money that came in, with what it pays of invoices. Errors: `future_date`, `unknown_reference`, those of `allocate`,
 * `already_exists`, those of the books.
 */
export async function createDeposit(
  work: Work,
  input: DepositInput,
  bookkeeping: Bookkeeping,
): Promise<Deposit> {
  const { allocations = [], allow_future, received_on } = input;
  const { today } = await contextOf(work);
  requireNear(received_on, '/received_on', { today, allow_future });
  await requireRecord(work, COMPANIES, input.company_id, '/company_id');
  const received = newDeposit(work, input);
  const { deposit, rows } = await allocate(work, received, allocations, {
    paid_on: received_on,
    from_advances: false,
  });
  const { allocations: made, refunds, ...row } = deposit;
  work.insert(DepositModel, { ...row, allocated: allocatedOf(deposit) });
  work.insertAll(PaymentModel, rows);
  // What it pays at once is a step of its own, as it is later: histories tell both in the same way.
  const alone = depositOf({ ...received, company_id: deposit.company_id });
  work.record(depositFacts.created, { before: null, after: alone });
  if (rows.length > 0) work.record(depositFacts.updated, { before: alone, after: depositOf(deposit) });
  await bookkeeping.keep(work, {
    booked: [...rows.map(({ id }) => ({ type: 'payment', id })), { type: 'deposit', id: deposit.id }],
  });
  return depositOf(deposit);
}

/**
 * Changes what is said about a deposit; its company only while it pays nothing. Errors: `not_found`, `precondition_failed`,
 * `has_allocations`, `unknown_reference`, `already_exists`.
 */
export async function changeDeposit(work: Work, id: string, patch: DepositPatch): Promise<Deposit> {
  const before = await lockDeposit(work, id);
  work.precondition(before);
  const { metadata, ...fields } = patch;
  const { company_id = before.company_id } = fields;
  if (company_id !== before.company_id) {
    await requireRecord(work, COMPANIES, company_id, '/company_id');
    if (before.allocations.length > 0) throw new Failure('has_allocations');
  }
  const changed = { ...before, ...fields, metadata: metadataAfter(before.metadata, metadata) };
  return depositOf(writeDeposit(work, before, changed));
}

/**
 * Pays invoices out of what is left of a deposit, on the present day, or that on which the money comes if it is later. Errors: `not_found`, `precondition_failed`, those of
 * `allocate` and of the books.
 */
export async function allocateDeposit(
  work: Work,
  id: string,
  input: DepositAllocations,
  bookkeeping: Bookkeeping,
): Promise<Deposit> {
  const before = await lockDeposit(work, id);
  work.precondition(before);
  return allocateLocked(work, before, input, bookkeeping);
}

/** The same of a deposit that is locked. */
export async function allocateLocked(
  work: Work,
  before: DepositRecord,
  { allocations, fee_amount }: DepositAllocations,
  bookkeeping: Bookkeeping,
): Promise<Deposit> {
  const { today } = await contextOf(work);
  const taken = before.fee_amount - untakenFee(before);
  const fee = fee_amount === undefined ? before.fee_amount : taken + fee_amount;
  const { deposit, rows } = await allocate(work, { ...before, fee_amount: fee }, allocations, {
    paid_on: laterOf(today, before.received_on),
    from_advances: true,
  });
  const after = writeDeposit(work, before, deposit);
  work.insertAll(PaymentModel, rows);
  await bookkeeping.keep(work, { booked: rows.map((row) => ({ type: 'payment', id: row.id })) });
  return depositOf(after);
}

/**
 * Pays back money of a deposit that is not allocated; a fee that no allocation has goes with the last of it. Errors:
 * `not_found`, `precondition_failed`, `future_date`, `overpayment`, `validation_failed` for more refunds than a deposit has and
 * a day before the money came, those of the books.
 */
export async function refundDeposit(
  work: Work,
  id: string,
  input: DepositRefundInput,
  bookkeeping: Bookkeeping,
): Promise<Deposit> {
  const before = await lockDeposit(work, id);
  work.precondition(before);
  const { amount, method = 'bank_transfer', note = null, allow_future } = input;
  const { today } = await contextOf(work);
  const refunded_on = input.refunded_on ?? laterOf(today, before.received_on);
  if (refunded_on < before.received_on) throw beforeReceipt(before.received_on);
  requireNear(refunded_on, '/refunded_on', { today, allow_future });
  if (before.refunds.length >= MOST_REFUNDS) throw tooManyRefunds();
  const left = moneyLeft(before);
  if (amount > left) throw tooMuch(left);
  const refund = {
    id: newId('dref', work.now),
    amount,
    refunded_on,
    method,
    note,
    created_by: work.actor.user_id,
    created_at: work.now.toISOString(),
  };
  work.insert(DepositRefundModel, { ...refund, deposit_id: id });
  const after = writeDeposit(work, before, {
    ...before,
    fee_amount: amount === left ? before.fee_amount - untakenFee(before) : before.fee_amount,
    refunded: before.refunded + amount,
    refunds: [...before.refunds, refund],
  });
  await bookkeeping.keep(work, { booked: [{ type: 'deposit', id: refund.id }] });
  return depositOf(after);
}

/** Days as YYYY-MM-DD: no money leaves an advance before it is one. */
function laterOf(one: string, other: string): string {
  return one > other ? one : other;
}

function beforeReceipt(received_on: string): Failure {
  return invalid('/refunded_on', 'too_small', {
    en: `refunded_on must be ${received_on} or later, the day on which the money came`,
    ja: `refunded_on は入金日（${received_on}）以降の日付にしてください`,
  });
}

/** The refund asks for more than is there: the same code as for a payment beyond a balance. */
function tooMuch(left: number): Failure {
  const message = {
    en: `${left} yen of the deposit are left to be paid back`,
    ja: `この入金から返金できるのは${left}円までです`,
  };
  return new Failure('overpayment', {
    detail: message,
    members: { unallocated: left },
    errors: [{ in: 'body', path: '/amount', code: 'overpayment', message }],
  });
}

function tooManyRefunds(): Failure {
  return invalid('/amount', 'too_many', {
    en: `A deposit is paid back in ${MOST_REFUNDS} parts at the most`,
    ja: `1件の入金に登録できる返金は${MOST_REFUNDS}件までです`,
  });
}
