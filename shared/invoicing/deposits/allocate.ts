import { Failure, type FieldError, invalid, unknownReference } from '../../kernel/failure.ts';
import { FACTS_TOGETHER, type Work } from '../../kernel/work.ts';
import type { DocumentRecord } from '../documents/record.ts';
import { type LockedInvoice, lockInvoices, requireAction } from '../payments/lock.ts';
import { newPayment, requireOwed } from '../payments/make.ts';
import { paymentFacts } from '../payments/record.ts';
import { type PaymentRow, paidBy, paymentOf } from '../payments/rows.ts';
import { settle } from '../payments/settle.ts';
import { unallocatedOf, untakenFee } from './money.ts';
import { type AllocationInput, MOST_ALLOCATIONS } from './record.ts';
import type { DepositRecord } from './rows.ts';

/** The day of the payments, and whether their deposit was there before them. */
type Allocating = { paid_on: string; from_advances: boolean };

/**
 * Makes payments of invoices out of a deposit, which is locked or new; the statuses of the invoices follow. Answers the deposit
 * with them and the company of the invoices, and the rows to be added, which refer to it. Errors: `unknown_reference`,
 * `companies_differ`, `invalid_transition`, `over_allocated`, `overpayment`, `validation_failed` for an invoice that is named
 * twice, more allocations than a deposit has, and a first one below the fee.
 */
export async function allocate(
  work: Work,
  deposit: DepositRecord,
  sent: readonly AllocationInput[],
  { paid_on, from_advances }: Allocating,
): Promise<{ deposit: DepositRecord; rows: PaymentRow[] }> {
  requireDifferent(sent);
  requireFew(deposit.allocations.length + sent.length);
  const locked = await lockAll(work, sent);
  const company_id = companyOf(
    deposit,
    locked.map(({ invoice }) => invoice),
  );
  for (const { invoice } of locked) await requireAction(work, invoice, 'mark-paid');
  requireCovered(deposit, sent);
  const fee_amount = untakenFee(deposit);
  if (sent.length > 0 && sent[0]!.amount < fee_amount) throw belowFee(fee_amount);
  for (const [n, { invoice }] of locked.entries()) {
    requireOwed(BigInt(sent[n]!.amount), invoice.balance, `/allocations/${n}/amount`);
  }
  const rows: PaymentRow[] = [];
  for (const [n, { invoice, payments }] of locked.entries()) {
    const fee = n === 0 ? fee_amount : 0;
    const input = { amount: sent[n]!.amount, paid_on, method: deposit.method, fee_amount: fee };
    const of_deposit = { deposit_id: deposit.id, from_advances };
    const row = await newPayment(work, invoice, { ...input, allow_future: true }, of_deposit);
    rows.push(row);
    work.record(paymentFacts.created, { before: null, after: paymentOf(row, invoice) });
    await settle(work, invoice, { payments: [...payments, row].map(paidBy), credited: invoice.credited });
  }
  if (work.recorded >= FACTS_TOGETHER) await work.flushFacts();
  return { deposit: { ...deposit, company_id, allocations: [...deposit.allocations, ...rows] }, rows };
}

/** The invoices that are named, in the order in which they are. Errors: `unknown_reference`. */
async function lockAll(work: Work, sent: readonly AllocationInput[]): Promise<LockedInvoice[]> {
  if (sent.length === 0) return [];
  const found = await lockInvoices(
    work,
    sent.map(({ invoice_id }) => invoice_id),
  );
  const by_id = new Map(found.map((one) => [one.invoice.id, one]));
  return sent.map(({ invoice_id }, n) => {
    const one = by_id.get(invoice_id);
    if (!one) throw unknownReference(`/allocations/${n}/invoice_id`, invoice_id);
    return one;
  });
}

/** Errors: `companies_differ`, which names the invoices of another company. */
function companyOf({ company_id }: DepositRecord, invoices: readonly DocumentRecord[]): string | null {
  const of_deposit = company_id ?? invoices[0]?.company_id ?? null;
  const errors = invoices.flatMap((invoice, n): FieldError[] => {
    if (invoice.company_id === of_deposit) return [];
    const message = {
      en: `${invoice.number ?? invoice.id} is of ${invoice.company_id}, not of ${of_deposit}`,
      ja: `${invoice.number ?? invoice.id} の取引先は ${invoice.company_id} で、${of_deposit} ではありません`,
    };
    return [{ in: 'body', path: `/allocations/${n}/invoice_id`, code: 'companies_differ', message }];
  });
  if (errors.length > 0) throw new Failure('companies_differ', { detail: errors[0]!.message, errors });
  return of_deposit;
}

/** Errors: `over_allocated`. */
function requireCovered(deposit: DepositRecord, sent: readonly AllocationInput[]): void {
  const asked = sent.reduce((sum, { amount }) => sum + amount, 0);
  const unallocated = unallocatedOf(deposit);
  if (asked <= unallocated) return;
  throw new Failure('over_allocated', {
    detail: {
      en: `${unallocated} yen of the deposit are not allocated, ${asked} are asked for`,
      ja: `入金のうち未割当は${unallocated}円ですが、${asked}円を割り当てようとしています`,
    },
    members: { unallocated },
  });
}

function requireDifferent(sent: readonly AllocationInput[]): void {
  const seen = new Set<string>();
  for (const [n, { invoice_id }] of sent.entries()) {
    if (seen.has(invoice_id)) {
      const message = {
        en: 'invoice_id must be different in each allocation',
        ja: 'invoice_id は割り当てごとに異なるものにしてください',
      };
      throw invalid(`/allocations/${n}/invoice_id`, 'duplicate', message);
    }
    seen.add(invoice_id);
  }
}

function requireFew(count: number): void {
  if (count <= MOST_ALLOCATIONS) return;
  throw invalid('/allocations', 'too_many', {
    en: `A deposit pays ${MOST_ALLOCATIONS} invoices at the most`,
    ja: `1件の入金を割り当てられる請求書は${MOST_ALLOCATIONS}件までです`,
  });
}

function belowFee(fee_amount: number): Failure {
  return invalid('/allocations/0/amount', 'too_small', {
    en: `The first amount must not be below the fee of ${fee_amount} yen, which is part of it`,
    ja: `先頭の割当額は、それに含まれる手数料${fee_amount}円以上にしてください`,
  });
}
