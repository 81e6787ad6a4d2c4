import type { Work } from '../../kernel/work.ts';
import type { ReceivedDocument } from '../documents/record.ts';
import { isSameAccount } from './bank-account.ts';

type Last = { id: string; bank_account: NonNullable<ReceivedDocument['bank_account']> };

const LAST = `SELECT id, bank_account FROM received_documents
  WHERE organization_id = $1 AND company_key = $2 AND kind = 'invoice' AND approved_at IS NOT NULL
    AND bank_account IS NOT NULL
  ORDER BY approved_at DESC, id DESC LIMIT 1`;

/**
 * The company's last approved invoice with a bank account, where that is another one than the locked invoice names; null
 * where it is the same, or either of them is not there. Approvals of one company wait for each other from here to their
 * commit, so that of two first accounts at once the second is compared with the first.
 */
export async function otherAccountOf(
  { connection, organization_id }: Work,
  { company_key, bank_account }: Pick<ReceivedDocument, 'company_key' | 'bank_account'>,
): Promise<string | null> {
  if (company_key === null || bank_account === null) return null;
  await connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `received_account ${organization_id} ${company_key}`,
  ]);
  const [last] = await connection.query<Last>(LAST, [organization_id, company_key]);
  return last && !isSameAccount(last.bank_account, bank_account) ? last.id : null;
}
