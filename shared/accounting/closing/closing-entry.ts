import { Failure } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import { newRow } from '../journals/operations.ts';
import type { Entry, JournalRow, LineRow } from '../journals/rows.ts';
import type { FiscalYear } from '../years/record.ts';

type Profit = { account_id: string; code: string; name: string; balance: number };

/** By code, what stands on the accounts of revenue and expense in a year: debit less credit; those at 0 are left out. */
const PROFIT = `
  SELECT account.id AS account_id, account.code, account.name, (sum(day.debit) - sum(day.credit))::bigint AS balance
    FROM accounting_accounts AS account
    JOIN accounting_days AS day ON day.organization_id = account.organization_id AND day.account_id = account.id
   WHERE account.organization_id = $1 AND account.account_type IN ('revenue', 'expense')
     AND day.date BETWEEN $2 AND $3
   GROUP BY account.id, account.code, account.name HAVING sum(day.debit) <> sum(day.credit)
   ORDER BY account.code COLLATE "C"`;

/** What an account may have in a month, which is where the entry stands: fifteen digits. */
const MOST = 1_000_000_000_000_000;

/**
 * The entry that takes every account of revenue and expense to zero on the last day of a year, in the order of their codes,
 * against retained earnings in its last line; null where nothing stands on them. It may have more lines than one that is
 * written by hand. Errors: `amount_too_large`.
 */
export async function closingEntry(
  work: Work,
  year: FiscalYear,
  retained_earnings: string,
): Promise<Entry | null> {
  const { connection, organization_id } = work;
  const [profits, [retained]] = await Promise.all([
    connection.query<Profit>(PROFIT, [organization_id, year.start_date, year.end_date]),
    connection.query<Omit<Profit, 'balance'>>(
      'SELECT id AS account_id, code, name FROM accounting_accounts WHERE organization_id = $1 AND id = $2',
      [organization_id, retained_earnings],
    ),
  ]);
  if (profits.length === 0) return null;
  const total = profits.reduce((sum, { balance }) => sum + balance, 0);
  const largest = profits.reduce((most, { balance }) => Math.max(most, Math.abs(balance)), Math.abs(total));
  if (largest >= MOST) throw tooLarge();
  // What is added up on the debit side is taken back on the credit side, and the other way round.
  const taken = profits.map((profit) => ({ ...profit, amount: -profit.balance }));
  const all = total === 0 ? taken : [...taken, { ...retained!, amount: total }];
  const lines = all.map(({ account_id, code, name, amount }, index): LineRow => {
    return {
      id: newId('jel', work.now),
      line: index + 1,
      account_id,
      account_code: code,
      account_name: name,
      debit: Math.max(amount, 0),
      credit: Math.max(-amount, 0),
      tax_category: 'O',
      company_id: null,
      department_id: null,
      description: null,
    };
  });
  const draft = newRow(work, { date: year.end_date }, { years: [year] }, lines);
  const row: JournalRow = { ...draft, kind: 'closing', kind_group: 'closing' };
  return { row, lines };
}

function tooLarge(): Failure {
  return new Failure('amount_too_large', {
    detail: {
      en: 'The sum of an account in the year has more than 15 digits, so no entry can close it',
      ja: '年度内の勘定科目の合計が15桁を超えるため、締めの仕訳を作成できません',
    },
  });
}
