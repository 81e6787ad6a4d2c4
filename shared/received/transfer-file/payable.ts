import type { BankAccount } from '../../invoicing/settings/bank-account.ts';
import { Failure, unknownReference } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { receivedContext } from '../context.ts';
import { storedDocument } from '../documents/queries.ts';
import { askingIn, standingOf } from '../documents/shown.ts';
import { actionsFor } from '../transitions/allowed.ts';

/** What a transfer file takes of an invoice; the balance in yen. */
export type PayableInvoice = {
  id: string;
  status: string;
  balance: number;
  bank_account: BankAccount | null;
  transfer_date: string | null;
  updated_at: string;
};

/**
 * The invoices in the order of the IDs, locked in that of all. Errors: `unknown_reference`, at the path that `pathOf` says.
 */
export async function lockPayable(
  { connection, organization_id }: Work,
  ids: readonly string[],
  pathOf: (id: string) => string,
): Promise<PayableInvoice[]> {
  const rows = await connection.query<PayableInvoice>(
    `SELECT id, status, balance, bank_account, transfer_date, updated_at FROM received_documents
      WHERE organization_id = $1 AND kind = 'invoice' AND id = ANY ($2) ORDER BY id FOR NO KEY UPDATE`,
    [organization_id, ids],
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => {
    const invoice = found.get(id);
    if (!invoice) throw unknownReference(pathOf(id), id);
    return invoice;
  });
}

/** Sees that money is to be sent for each. Errors: `invalid_transition`, `in_transfer_file`. */
export async function requirePayable(
  work: Work,
  invoices: readonly PayableInvoice[],
  { again }: { again: boolean },
): Promise<void> {
  const other = invoices.find(
    ({ status, balance }) => (status !== 'approved' && status !== 'partially_paid') || balance <= 0,
  );
  if (other) throw await notPayable(work, other);
  const transferred = invoices.filter(({ transfer_date }) => transfer_date !== null);
  if (again || transferred.length === 0) return;
  const ids = transferred.map(({ id }) => id);
  throw new Failure('in_transfer_file', {
    detail: {
      en: `${ids.join(', ')}: in a transfer file already`,
      ja: `${ids.join('、')} は振込データを作成済みです`,
    },
    members: { ids },
  });
}

async function notPayable(work: Work, { id, status, balance }: PayableInvoice): Promise<Failure> {
  const [invoice, context] = await Promise.all([storedDocument(work, 'invoice', id), receivedContext(work)]);
  const available_actions = actionsFor(standingOf(invoice, context), askingIn(context));
  return new Failure('invalid_transition', {
    detail: {
      en: `${id} is ${status} with a balance of ${balance} yen; only what is approved and owed is transferred`,
      ja: `${id} の状態は ${status}、残高は${balance}円です。振り込めるのは承認済みで残高のある請求書だけです`,
    },
    members: { id, current_status: status, available_actions },
  });
}
