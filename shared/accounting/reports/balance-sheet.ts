import type { Language } from '../../kernel/language.ts';
import { isProfitAndLoss, type Section } from '../accounts/kinds.ts';
import { kindGroups } from '../journals/kinds.ts';
import {
  balanceOf,
  type FiguresByAccount,
  natural,
  type ReportAccount,
  together,
  unclosedEarnings,
} from './figures.ts';
import {
  bySection,
  type Layout,
  type StatementColumn,
  type StatementLine,
  statementLines,
  totalName,
  type View,
} from './statement-lines.ts';

/** What the books moved until a day: before its fiscal year, and from the year's first day. */
export type UntilDay = { earlier: FiguresByAccount; year: FiguresByAccount };

/** A month of the year with what it moved; the last one ends with the day of the balance sheet. */
export type BalanceColumn = StatementColumn & { range: FiguresByAccount };

export type BalanceSheetInput = UntilDay & {
  accounts: readonly ReportAccount[];
  /** With `interval=month`, in their order: they make up `year`. */
  columns?: readonly BalanceColumn[];
  /** The same day a year earlier; null where that is not asked for, or there is no such year. */
  previous?: UntilDay | null;
  lang: Language;
};

export type BalanceSheetTotals = {
  assets: bigint;
  liabilities: bigint;
  /** The equity accounts alone. */
  equity: bigint;
  current_earnings: bigint;
  unclosed_earnings: bigint;
  liabilities_and_equity: bigint;
};

export type BalanceSheet = {
  lines: StatementLine[];
  columns: StatementColumn[];
  totals: BalanceSheetTotals;
  /** Whether both sides are equal in every column. */
  balanced: boolean;
};

const names = {
  total_current_assets: '流動資産合計',
  total_fixed_assets: '固定資産合計',
  total_assets: '資産合計',
  total_current_liabilities: '流動負債合計',
  total_liabilities: '負債合計',
  current_earnings: '当期純利益',
  unclosed_earnings: unclosedEarnings.ja,
  total_equity: '純資産合計',
  total_liabilities_and_equity: '負債純資産合計',
} as const;

type Total = keyof typeof names;

const currentAssets = [
  'cash',
  'trade_receivables',
  'securities',
  'inventory',
  'other_current_assets',
] as const satisfies readonly Section[];
const fixedAssets = [
  'tangible_fixed',
  'intangible_fixed',
  'investments',
] as const satisfies readonly Section[];
const currentLiabilities = ['trade_payables', 'current_liabilities'] as const satisfies readonly Section[];
const equity = [
  'capital',
  'capital_surplus',
  'retained_earnings',
  'treasury_shares',
] as const satisfies readonly Section[];

const layout: Layout<Total> = [
  ...currentAssets,
  'total_current_assets',
  ...fixedAssets,
  'total_fixed_assets',
  'deferred_assets',
  'total_assets',
  ...currentLiabilities,
  'total_current_liabilities',
  'noncurrent_liabilities',
  'total_liabilities',
  ...equity,
  'current_earnings',
  'unclosed_earnings',
  'total_equity',
  'total_liabilities_and_equity',
];

/**
 * The balance sheet of a day. What the year earned so far stands in equity as long as no closing entry is in its figures;
 * what earlier years earned and nobody closed stands beside it.
 */
export function balanceSheet(input: BalanceSheetInput): BalanceSheet {
  const { accounts, earlier, columns = [], previous = null, lang } = input;
  const amount = viewOf(accounts, input);
  let year: FiguresByAccount = new Map();
  const ends = columns.map(({ range }) => {
    year = together([year, range]);
    return viewOf(accounts, { earlier, year });
  });
  const views = {
    amount,
    previous: previous && viewOf(accounts, previous),
    columns: ends,
  };
  const all = [amount, ...(views.previous ? [views.previous] : []), ...views.columns];
  const shown = accounts.filter(({ account_type }) => !isProfitAndLoss(account_type));
  return {
    lines: statementLines(layout, shown, views, lang, (total) => totalName(total, names[total], lang)),
    columns: columns.map(({ key, name }) => ({ key, name })),
    totals: totalsOf(amount),
    balanced: all.every(({ totals }) => totals.total_assets === totals.total_liabilities_and_equity),
  };
}

function viewOf(accounts: readonly ReportAccount[], { earlier, year }: UntilDay): View<Total> {
  const amounts = new Map<string, bigint>();
  let current_earnings = 0n;
  let unclosed_earnings = 0n;
  for (const account of accounts) {
    const before = balanceOf(earlier.get(account.id), kindGroups);
    const since = balanceOf(year.get(account.id), kindGroups);
    if (isProfitAndLoss(account.account_type)) {
      current_earnings -= since;
      unclosed_earnings -= before;
    } else {
      amounts.set(account.id, natural(account, before + since));
    }
  }
  const sections = bySection(accounts, amounts);
  const sum = (of: readonly Section[]) => of.reduce((total, section) => total + sections[section], 0n);
  const total_current_assets = sum(currentAssets);
  const total_fixed_assets = sum(fixedAssets);
  const total_current_liabilities = sum(currentLiabilities);
  const total_liabilities = total_current_liabilities + sections.noncurrent_liabilities;
  const total_equity = sum(equity) + current_earnings + unclosed_earnings;
  return {
    accounts: amounts,
    sections,
    totals: {
      total_current_assets,
      total_fixed_assets,
      total_assets: total_current_assets + total_fixed_assets + sections.deferred_assets,
      total_current_liabilities,
      total_liabilities,
      current_earnings,
      unclosed_earnings,
      total_equity,
      total_liabilities_and_equity: total_liabilities + total_equity,
    },
  };
}

function totalsOf({ totals }: View<Total>): BalanceSheetTotals {
  const { current_earnings, unclosed_earnings } = totals;
  return {
    assets: totals.total_assets,
    liabilities: totals.total_liabilities,
    equity: totals.total_equity - current_earnings - unclosed_earnings,
    current_earnings,
    unclosed_earnings,
    liabilities_and_equity: totals.total_liabilities_and_equity,
  };
}
