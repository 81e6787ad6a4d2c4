import { oneOf } from '../../db/one-of.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Account } from '../accounts/record.ts';

/** Accounts that purchases are booked on: their sections, and which one the map has as `expense`. */
export type PurchaseAccounts = {
  expense: string | null;
  section: (account_id: string) => Account['section'] | null;
};

/** Reads the sections of some accounts, and of that of `expense`; one that is not there has none. */
export async function purchaseAccounts(
  { connection, organization_id }: Reader,
  account_ids: readonly string[],
): Promise<PurchaseAccounts> {
  const rows = await connection.query<Pick<Account, 'id' | 'section'> & { is_expense: boolean }>(
    `WITH map AS (SELECT account_map ->> 'expense' AS id FROM accounting_settings WHERE organization_id = $1)
     SELECT id, section, id = (SELECT id FROM map) AS is_expense FROM accounting_accounts
      WHERE organization_id = $1 AND (id = ${oneOf('$2')} OR id = (SELECT id FROM map))`,
    [organization_id, [...new Set(account_ids)]],
  );
  const sections = new Map(rows.map(({ id, section }) => [id, section]));
  return {
    expense: rows.find(({ is_expense }) => is_expense)?.id ?? null,
    section: (account_id) => sections.get(account_id) ?? null,
  };
}

/** What the entry of a record credits to `payable` of the map, in yen; null where none stands. */
export async function payableBooked(
  { connection, organization_id }: Reader,
  source_id: string,
): Promise<bigint | null> {
  const [row] = await connection.query<{ payable: string | number | null }>(
    `SELECT (SELECT coalesce(sum(line.credit - line.debit), 0) FROM accounting_lines AS line
              WHERE line.organization_id = $1 AND line.journal_id = entry.id
                AND line.account_id = (SELECT account_map ->> 'payable' FROM accounting_settings
                                        WHERE organization_id = $1)) AS payable
       FROM accounting_journals AS entry
      WHERE entry.organization_id = $1 AND entry.source_id = $2 AND entry.status <> 'voided'
        AND entry.reverses IS NULL
      ORDER BY entry.number NULLS LAST, entry.id LIMIT 1`,
    [organization_id, source_id],
  );
  return row ? BigInt(row.payable ?? 0) : null;
}
