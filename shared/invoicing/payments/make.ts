import { startOfDay } from '../../kernel/days.ts';
import { Failure } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import { joined, sameText, type Text } from '../../kernel/language.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import type { Work } from '../../kernel/work.ts';
import { contextOf } from '../documents/context.ts';
import { dayPaid } from './day.ts';
import type { PaymentInput } from './record.ts';
import type { PaymentRow } from './rows.ts';

/** The deposit that a payment is an allocation of, and whether that was there before it. */
export type OfDeposit = Pick<PaymentRow, 'deposit_id' | 'from_advances'>;

const OF_NONE: OfDeposit = { deposit_id: null, from_advances: false };

/** The row of a new payment of an invoice. Errors: those of `dayPaid`, `validation_failed` for too much metadata. */
export async function newPayment(
  work: Work,
  invoice: { id: string },
  input: PaymentInput & { amount: number },
  of_deposit: OfDeposit = OF_NONE,
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
    ...of_deposit,
    external_id: input.external_id ?? null,
    metadata: metadataAfter({}, input.metadata),
    created_by: work.actor.user_id,
    created_at: at,
    updated_at: at,
  };
}

/** Sees that an amount is owed. Errors: `overpayment`, which names the balance, at `path` where there is one. */
export function requireOwed(amount: bigint, balance: bigint, path: string | null = null): void {
  if (amount <= balance && balance > 0n) return;
  const message: Text =
    balance > 0n
      ? {
          en: `The balance is ${balance} yen, so this is the most to be paid`,
          ja: `未入金の残高は${balance}円です。これを超える入金は登録できません`,
        }
      : { en: 'Nothing is left to be paid', ja: '未入金の残高はありません' };
  throw new Failure('overpayment', {
    detail: path === null ? message : joined([sameText(path.slice(1)), message], ': '),
    members: { balance: Number(balance) },
    ...(path !== null && { errors: [{ in: 'body', path, code: 'overpayment', message }] }),
  });
}
