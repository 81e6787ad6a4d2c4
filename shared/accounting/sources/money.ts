import {
  type BookedDeposit,
  lockBookedDeposits,
  lockBookedPayment,
  lockBookedRefund,
} from '../../invoicing/booked.ts';
import { isId } from '../../kernel/id.ts';
import type { Text } from '../../kernel/language.ts';
import type { Work } from '../../kernel/work.ts';
import { besideOffset, depositEntry, paymentEntry, refundEntry } from './payments.ts';
import type { Source } from './source.ts';

const titles = {
  payment: { ja: '入金', en: 'Payment of' },
  deposit: { ja: '前受金', en: 'Deposit of' },
  refund: { ja: '前受金の返金', en: 'Refund to' },
} as const satisfies Readonly<Record<string, Text>>;

/** A payment that an entry is made from, locked; null where it is not in the organization. */
export async function lockPaymentSource(work: Work, id: string): Promise<Source | null> {
  const booked = await lockBookedPayment(work, id);
  if (!booked) return null;
  const { number, paid_on, from_advances, deposit_id } = booked;
  const advance = from_advances
    ? { company_id: await companyOfAdvance(work, deposit_id!, booked.company_id) }
    : undefined;
  const payment = { ...booked, advance };
  return {
    type: 'payment',
    id,
    title: titles.payment,
    number,
    status: null,
    date: paid_on,
    book: (books) => paymentEntry(payment, books),
    bookBeside: (books) => besideOffset(payment, books),
  };
}

/** By ID, deposits and refunds of them that entries are made from, locked; without those that are not in the organization. */
export async function lockDepositSources(
  work: Work,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Source>> {
  const isRefund = (id: string) => isId(id, 'dref');
  const deposits = await lockBookedDeposits(
    work,
    ids.filter((id) => !isRefund(id)),
  );
  const sources = new Map(
    deposits.map((deposit) => [
      deposit.deposit_id,
      depositSource(deposit.deposit_id, deposit, titles.deposit, depositEntry),
    ]),
  );
  // An operation pays back one at a time.
  for (const id of ids.filter(isRefund)) {
    const source = await lockRefundSource(work, id);
    if (source) sources.set(id, source);
  }
  return sources;
}

async function lockRefundSource(work: Work, id: string): Promise<Source | null> {
  const refund = await lockBookedRefund(work, id);
  if (!refund) return null;
  const company_id = await companyOfAdvance(work, refund.deposit_id, refund.company_id);
  return depositSource(id, { ...refund, company_id }, titles.refund, refundEntry);
}

function depositSource(
  id: string,
  deposit: BookedDeposit,
  title: Text,
  entryOf: typeof depositEntry | typeof refundEntry,
): Source {
  const { payer_name, bank_reference, day } = deposit;
  return {
    type: 'deposit',
    id,
    title,
    number: payer_name,
    reference: bank_reference,
    status: null,
    date: day,
    book: (books) => entryOf(deposit, books),
  };
}

/**
 * Whose an advance is in the books: what comes out of it goes where the entry of its deposit put it, which nobody may have
 * known to be the company's; the company itself where the deposit has no entry.
 */
async function companyOfAdvance(
  { connection, organization_id }: Work,
  deposit_id: string,
  company_id: string | null,
): Promise<string | null> {
  const [line] = await connection.query<{ company_id: string | null }>(
    `SELECT line.company_id FROM accounting_journals AS entry
       JOIN accounting_lines AS line ON line.organization_id = $1 AND line.journal_id = entry.id
      WHERE entry.organization_id = $1 AND entry.source_id = $2 AND entry.status <> 'voided'
        AND entry.reverses IS NULL
      ORDER BY entry.id, line.line LIMIT 1`,
    [organization_id, deposit_id],
  );
  return line ? line.company_id : company_id;
}
