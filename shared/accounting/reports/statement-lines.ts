import type { Language } from '../../kernel/language.ts';
import { type Section, sectionNames, sections } from '../accounts/kinds.ts';
import { accountName, byCode, childrenOf, type ReportAccount } from './figures.ts';

/** A line of a statement. Amounts are natural: what an account of its type has more of is positive. */
export type StatementLine = {
  /** The section, the total, or the code of the account. */
  key: string;
  line_type: 'account' | 'section' | 'total';
  /** Totals 0, sections 1, accounts 2, sub-accounts 3 and more. */
  level: number;
  account_id: string | null;
  code: string | null;
  name: string;
  amount: bigint;
  /** A year earlier; null where that is not asked for, or there is no such year. */
  previous: bigint | null;
  /** One a column. */
  amounts: bigint[];
};

export type StatementColumn = { key: string; name: string };

/** One column of a statement: what accounts, sections and totals come to. */
export type View<Total extends string> = {
  /** By ID; an account may be missing, whose amount is 0. */
  accounts: ReadonlyMap<string, bigint>;
  sections: Readonly<Record<Section, bigint>>;
  totals: Readonly<Record<Total, bigint>>;
};

/** All columns of a statement. */
export type Views<Total extends string> = {
  amount: View<Total>;
  previous: View<Total> | null;
  columns: readonly View<Total>[];
};

type Amounts = Pick<StatementLine, 'amount' | 'previous' | 'amounts'>;

/** The sums of the accounts of each section. */
export function bySection(
  accounts: readonly ReportAccount[],
  amounts: ReadonlyMap<string, bigint>,
): Record<Section, bigint> {
  const sums = Object.fromEntries(sectionNames.map((section) => [section, 0n])) as Record<Section, bigint>;
  for (const { id, section } of accounts) sums[section] += amounts.get(id) ?? 0n;
  return sums;
}

/** A section or total of a layout, in print order. */
export type Layout<Total extends string> = readonly (Section | Total)[];

/** The lines of a statement: each section with its accounts below it, and the totals, whose names the statement tells. */
export function statementLines<Total extends string>(
  layout: Layout<Total>,
  accounts: readonly ReportAccount[],
  views: Views<Total>,
  lang: Language,
  nameOf: (total: Total, amount: bigint) => string,
): StatementLine[] {
  const trees = treesOf(accounts);
  return layout.flatMap((key) => {
    if (isSection(key)) {
      const line = { key, account_id: null, code: null, name: sections[key].name[lang] };
      const amounts = amountsOf(views, (view) => view.sections[key]);
      const below = (trees.get(key) ?? []).flatMap((tree) => accountLines(tree, 2, views, lang));
      return [{ ...line, line_type: 'section', level: 1, ...amounts } as const, ...below];
    }
    const amounts = amountsOf(views, (view) => view.totals[key]);
    return [totalLine(key, nameOf(key, amounts.amount), amounts)];
  });
}

/** The name of a total: by its key in English, `total_assets` is `total assets`. */
export function totalName(key: string, ja: string, lang: Language): string {
  return lang === 'en' ? key.replaceAll('_', ' ') : ja;
}

/** The name of a stage of the profit, which ends in 損失 where it is negative. */
export function stageName(key: string, ja: string, amount: bigint, lang: Language): string {
  return totalName(key, amount < 0n ? ja.replace(/利益$/, '損失') : ja, lang);
}

/** A line that is no account. */
export function totalLine(key: string, name: string, amounts: Amounts): StatementLine {
  return { key, line_type: 'total', level: 0, account_id: null, code: null, name, ...amounts };
}

function isSection(key: string): key is Section {
  return key in sections;
}

function amountsOf<Total extends string>(views: Views<Total>, of: (view: View<Total>) => bigint): Amounts {
  return {
    amount: of(views.amount),
    previous: views.previous && of(views.previous),
    amounts: views.columns.map(of),
  };
}

type Tree = { account: ReportAccount; below: Tree[] };

/** Accounts by section, as trees in order of code. A sub-account in another section than its parent stands there alone. */
function treesOf(accounts: readonly ReportAccount[]): ReadonlyMap<Section, Tree[]> {
  const ordered = byCode(accounts);
  const children = childrenOf(ordered);
  const known = new Map(accounts.map((account) => [account.id, account]));
  const treeOf = (account: ReportAccount): Tree => ({
    account,
    below: (children.get(account.id) ?? []).filter(({ section }) => section === account.section).map(treeOf),
  });
  const trees = new Map<Section, Tree[]>();
  for (const account of ordered) {
    const parent = account.parent_id === null ? undefined : known.get(account.parent_id);
    if (parent?.section === account.section) continue;
    trees.set(account.section, [...(trees.get(account.section) ?? []), treeOf(account)]);
  }
  return trees;
}

/** The lines of an account and of those below it; none where all are 0 in every column. */
function accountLines<Total extends string>(
  { account, below }: Tree,
  level: number,
  views: Views<Total>,
  lang: Language,
): StatementLine[] {
  const amounts = amountsOf(views, (view) => view.accounts.get(account.id) ?? 0n);
  const lower = below.flatMap((tree) => accountLines(tree, level + 1, views, lang));
  const isEmpty = !amounts.amount && !amounts.previous && amounts.amounts.every((amount) => amount === 0n);
  if (isEmpty && lower.length === 0) return [];
  const { id, code } = account;
  const name = accountName(account, lang);
  return [{ key: code, line_type: 'account', level, account_id: id, code, name, ...amounts }, ...lower];
}
