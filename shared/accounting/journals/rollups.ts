import type { Work } from '../../kernel/work.ts';
import { monthOf } from '../years/days.ts';
import type { KindGroup } from './kinds.ts';

/** What the rollups take of an entry that is posted. */
export type Posted = {
  date: string;
  kind_group: KindGroup;
  lines: readonly {
    account_id: string;
    company_id: string | null;
    department_id: string | null;
    tax_category: string;
    debit: number;
    credit: number;
  }[];
};

type Sums = { debit: number; credit: number };

/**
 * Adds posted lines to the sums by day, by month, and by month with company, department and category. The rows are written
 * in the order of their keys, so that two that post at the same time wait for each other instead of for ever.
 */
export function addToRollups(work: Work, entries: readonly Posted[]): void {
  const days = new Map<string, Sums>();
  const months = new Map<string, Sums>();
  const dimensions = new Map<string, Sums>();
  for (const { date, kind_group, lines } of entries) {
    const month = monthOf(date);
    for (const line of lines) {
      const { account_id, tax_category } = line;
      add(days, [account_id, kind_group, date], line);
      add(months, [account_id, kind_group, month], line);
      const dimension = [line.company_id ?? '', line.department_id ?? '', tax_category];
      add(dimensions, [month, account_id, kind_group, ...dimension], line);
    }
  }
  upsert(work, DAYS, days);
  upsert(work, MONTHS, months);
  upsert(work, DIMENSIONS, dimensions);
}

/** Parts of a key stand between spaces: none of them holds one. */
function add(sums: Map<string, Sums>, parts: readonly string[], { debit, credit }: Sums): void {
  const key = parts.join(' ');
  const known = sums.get(key);
  if (!known) sums.set(key, { debit, credit });
  else {
    known.debit += debit;
    known.credit += credit;
  }
}

type Column = { name: string; type: 'text' | 'date' };

const account: Column = { name: 'account_id', type: 'text' };
const kind_group: Column = { name: 'kind_group', type: 'text' };
const month: Column = { name: 'month', type: 'date' };

const DAYS = rollup('accounting_days', [account, kind_group, { name: 'date', type: 'date' }]);
const MONTHS = rollup('accounting_months', [account, kind_group, month]);
const DIMENSIONS = rollup('accounting_months_by_dimension', [
  month,
  account,
  kind_group,
  { name: 'company_id', type: 'text' },
  { name: 'department_id', type: 'text' },
  { name: 'tax_category', type: 'text' },
]);

type Rollup = { columns: readonly Column[]; text: string };

function rollup(table: string, columns: readonly Column[]): Rollup {
  const names = columns.map(({ name }) => name).join(', ');
  const arrays = columns.map(({ type }, at) => `$${at + 4}::${type}[]`).join(', ');
  return {
    columns,
    text: `INSERT INTO ${table} AS rollup (organization_id, ${names}, debit, credit)
      SELECT $1, ${names}, debit, credit
        FROM unnest(${arrays}, $2::bigint[], $3::bigint[]) AS posted (${names}, debit, credit)
       ORDER BY ${names}
      ON CONFLICT (organization_id, ${names}) DO UPDATE
        SET debit = rollup.debit + excluded.debit, credit = rollup.credit + excluded.credit`,
  };
}

function upsert(work: Work, { columns, text }: Rollup, sums: ReadonlyMap<string, Sums>): void {
  const keys = [...sums.keys()].map((key) => key.split(' '));
  const values = [...sums.values()];
  work.run(text, [
    work.organization_id,
    values.map(({ debit }) => debit),
    values.map(({ credit }) => credit),
    ...columns.map((_, at) => keys.map((parts) => parts[at])),
  ]);
}
