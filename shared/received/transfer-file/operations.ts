import { z } from 'zod';
import { BankAccount } from '../../invoicing/settings/bank-account.ts';
import { invalid, invalidAll } from '../../kernel/failure.ts';
import { says } from '../../kernel/language.ts';
import { day, id } from '../../kernel/schema.ts';
import type { Work } from '../../kernel/work.ts';
import { createJob } from '../../platform/jobs/operations.ts';
import type { JobResource } from '../../platform/jobs/record.ts';
import { receivedContext } from '../context.ts';
import { ReceivedModel, receivedFacts } from '../documents/record.ts';
import { transferAccount } from './account.ts';
import { HOLDER_WIDTH, type TransferAccount, transferText } from './format.ts';
import { storeTransferFileJob } from './jobs.ts';
import { lockPayable, type PayableInvoice, requirePayable } from './payable.ts';
import { keepPending } from './pending.ts';
import { transfersOf } from './transfers.ts';

const MOST_IDS = 1_000;

/** What a transfer file is made of. */
export const TransferFileRequest = z
  .strictObject({
    ids: z
      .array(id('rinv'))
      .min(1)
      .max(MOST_IDS)
      .describe('Approved invoices with a balance above 0; one that is named twice is paid once.'),
    date: day()
      .describe('The day of the transfers, today or later.')
      .meta({ examples: ['2026-11-30'] }),
    from: BankAccount.describe('The account that pays; that of the invoice settings unless said.').optional(),
    client_code: z
      .string()
      .regex(/^\d{10}$/, says({ en: 'must be 10 digits', ja: 'は10桁の数字で入力してください' }))
      .describe('委託者コード, as your bank gave it; zeros unless said.')
      .meta({ examples: ['0000001234'] })
      .optional(),
    again: z
      .boolean()
      .describe('Whether invoices that are in a transfer file already are taken, too.')
      .meta({ examples: [false] })
      .optional(),
  })
  .meta({ id: 'TransferFileRequest' });

export type TransferFileRequest = z.output<typeof TransferFileRequest>;

/**
 * Has a file made that a bank takes for the transfers (総合振込): one for each account, in the order in which the invoices name
 * them. The invoices are said to be in it; none is marked as paid. Errors: `unknown_reference`, `invalid_transition`,
 * `in_transfer_file`, `validation_failed` at /date, at /from, and at /ids/n for what the account of an invoice lacks.
 */
export async function makeTransferFile(
  work: Work,
  { ids, date, from, client_code = '0'.repeat(10), again = false }: TransferFileRequest,
): Promise<JobResource> {
  const { today, invoicing } = await receivedContext(work);
  if (date < today) {
    throw invalid('/date', 'too_small', {
      en: `must be ${today} or later`,
      ja: `date は${today}以降の日付にしてください`,
    });
  }
  const payer = payerOf(from ?? invoicing.bank_account);
  const asked = [...new Set(ids)];
  const invoices = await lockPayable(work, asked, (invoice_id) => `/ids/${ids.indexOf(invoice_id)}`);
  await requirePayable(work, invoices, { again });
  const transfers = transfersOf(
    invoices.map((invoice) => ({ ...invoice, path: `/ids/${ids.indexOf(invoice.id)}` })),
  );
  if ('faults' in transfers) throw invalidAll(transfers.faults);
  noteTransfers(work, invoices, date);
  const job = createJob(work, {
    kind: 'received.invoices.transfer_file',
    scope: 'received:write',
    unit: 'records',
    total: transfers.length,
  });
  keepPending(work, job.id, {
    content: transferText({ client_code, date, from: payer }, transfers),
    records: transfers.length,
    amount: Number(transfers.reduce((sum, { amount }) => sum + amount, 0n)),
  });
  work.enqueue(storeTransferFileJob, { job_id: job.id }, { job_id: job.id });
  return job;
}

/** Errors: `validation_failed` at /from. */
function payerOf(account: BankAccount | null): TransferAccount {
  const payer = transferAccount(account, HOLDER_WIDTH.from);
  if ('code' in payer) throw invalid('/from', payer.code, payer.message);
  return payer;
}

type Transferred = Pick<PayableInvoice, 'id' | 'transfer_date'>;

/** Says of invoices on which day they are transferred. */
function noteTransfers(work: Work, invoices: readonly PayableInvoice[], date: string): void {
  const changed = invoices.filter(({ transfer_date }) => transfer_date !== date);
  work.updateAll(
    ReceivedModel,
    changed.map((invoice) => ({ id: invoice.id, transfer_date: date, updated_at: work.touch(invoice) })),
  );
  for (const { id, transfer_date } of changed) {
    const before: Transferred = { id, transfer_date };
    const after: Transferred = { id, transfer_date: date };
    work.record(receivedFacts.invoice.updated, { before, after });
  }
}
