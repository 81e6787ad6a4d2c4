import { chartOfAccounts } from '../../../../shared/accounting/accounts/chart.ts';
import { type KindGroup, kindGroups } from '../../../../shared/accounting/journals/kinds.ts';
import {
  type Figures,
  type FiguresByAccount,
  type ReportAccount,
  type Sums,
  sumsOf,
} from '../../../../shared/accounting/reports/figures.ts';

/** A line of an entry: debit is positive, credit negative. */
export type Posting = {
  code: string;
  amount: bigint;
  tax_category?: string;
  company_id?: string | null;
};

/** An entry as reports count it. */
export type Entry = { date: string; group: KindGroup; postings: Posting[] };

/** The accounts of the chart, whose codes stand for their IDs. */
export const chart: readonly ReportAccount[] = chartOfAccounts().map((account) => ({
  ...account,
  id: account.code,
  parent_id: null,
}));

/** A sub-account of another, without a class of its own. */
export function subAccount(
  code: string,
  parent: string,
  of: readonly ReportAccount[] = chart,
): ReportAccount {
  const above = of.find((account) => account.code === parent)!;
  return { ...above, id: code, code, parent_id: above.id, name: `補助${code}`, name_en: null };
}

/** Which entries and lines count. */
export type Asked = {
  from?: string;
  to?: string;
  groups?: readonly KindGroup[];
  tax_category?: string;
  company_id?: string | null;
};

/** The sums of the entries of a period by account and kind group. */
export function figuresOf(entries: readonly Entry[], asked: Asked = {}): FiguresByAccount {
  const { from = '', to = '9999', groups } = asked;
  const sums = new Map<string, Partial<Record<KindGroup, Sums>>>();
  for (const { date, group, postings } of entries) {
    if (date < from || date > to || (groups && !groups.includes(group))) continue;
    for (const posting of postings) {
      if (asked.tax_category !== undefined && posting.tax_category !== asked.tax_category) continue;
      if (asked.company_id !== undefined && (posting.company_id ?? null) !== asked.company_id) continue;
      const account = sums.get(posting.code) ?? {};
      sums.set(posting.code, account);
      account[group] ??= { debit: 0n, credit: 0n };
      if (posting.amount > 0n) account[group].debit += posting.amount;
      else account[group].credit -= posting.amount;
    }
  }
  return sums;
}

/** An entry: debits, then credits, by code. */
export function entry(
  date: string,
  debits: Readonly<Record<string, number>>,
  credits: Readonly<Record<string, number>>,
  group: KindGroup = 'normal',
): Entry {
  const side = (amounts: Readonly<Record<string, number>>, sign: bigint) =>
    Object.entries(amounts).map(([code, amount]) => ({ code, amount: sign * BigInt(amount) }));
  return { date, group, postings: [...side(debits, 1n), ...side(credits, -1n)] };
}

/** What the closing entry of these entries would be: revenue and expense to zero against retained earnings. */
export function closingEntry(
  entries: readonly Entry[],
  { from, to }: { from: string; to: string },
  accounts: readonly ReportAccount[] = chart,
): Entry {
  const figures = figuresOf(entries, { from, to });
  const postings: Posting[] = [];
  let earned = 0n;
  for (const { id, account_type } of accounts) {
    if (account_type !== 'revenue' && account_type !== 'expense') continue;
    const { debit, credit } = sumsOf(figures.get(id), kindGroups);
    if (debit === credit) continue;
    postings.push({ code: id, amount: credit - debit });
    earned += credit - debit;
  }
  if (earned !== 0n) postings.push({ code: '3330', amount: -earned });
  return { date: to, group: 'closing', postings };
}

/** Figures of accounts by code, each debit and credit of the group `normal`. */
export function normal(amounts: Readonly<Record<string, readonly [number, number]>>): FiguresByAccount {
  return new Map(
    Object.entries(amounts).map(([code, [debit, credit]]): [string, Figures] => [
      code,
      { normal: { debit: BigInt(debit), credit: BigInt(credit) } },
    ]),
  );
}

/** The figures of a period in which nothing was posted. */
export const noFigures: FiguresByAccount = new Map();
