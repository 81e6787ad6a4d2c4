import type { Language, Text } from '../../kernel/language.ts';
import {
  type AccountType,
  type CashFlowAdjustment,
  type CashFlowClass,
  normalSide,
  type Section,
} from '../accounts/kinds.ts';
import type { KindGroup } from '../journals/kinds.ts';

/** An account as reports need it. */
export type ReportAccount = {
  id: string;
  code: string;
  name: string;
  name_en: string | null;
  account_type: AccountType;
  section: Section;
  parent_id: string | null;
  cf_class: CashFlowClass;
  cf_adjustment: CashFlowAdjustment | null;
};

/**
 * Yen are bigint: a month of an account has up to 15 digits, so that ten of them pass 2^53, beyond which a number is not
 * exact.
 */
export type Sums = { debit: bigint; credit: bigint };

/** What an account moved in a period. A kind group that is left out does not count in the report. */
export type Figures = Readonly<Partial<Record<KindGroup, Sums>>>;

/** The figures of a period by the ID of the account; one that did not move may be missing. */
export type FiguresByAccount = ReadonlyMap<string, Figures>;

/**
 * The figures around the range of a report, which lies in one fiscal year. Earlier closing entries always belong to them;
 * those of the year only where the report includes closing entries.
 */
export type Spans = {
  /** Before the fiscal year. */
  earlier: FiguresByAccount;
  /** From the first day of the fiscal year to the day before the range. */
  before: FiguresByAccount;
  range: FiguresByAccount;
};

/** The groups of what happens in a period: neither what it began with nor the close of the year. */
export const movementGroups: readonly KindGroup[] = ['normal', 'adjusting'];

/** The name of what earlier years earned and no closing entry took over. */
export const unclosedEarnings: Text = { ja: '前期以前未処分利益', en: 'unclosed earnings' };

/** The debits and the credits of the groups. */
export function sumsOf(figures: Figures | undefined, groups: readonly KindGroup[]): Sums {
  let debit = 0n;
  let credit = 0n;
  for (const group of groups) {
    const sums = figures?.[group];
    if (!sums) continue;
    debit += sums.debit;
    credit += sums.credit;
  }
  return { debit, credit };
}

/** Debit less credit of the groups. */
export function balanceOf(figures: Figures | undefined, groups: readonly KindGroup[]): bigint {
  const { debit, credit } = sumsOf(figures, groups);
  return debit - credit;
}

/** An amount as statements show it: what an account of its type has more of is positive. */
export function natural({ account_type }: ReportAccount, balance: bigint): bigint {
  return normalSide(account_type) === 'debit' ? balance : -balance;
}

/** The figures without the closing entries of the period. */
export function withoutClosing(period: FiguresByAccount): FiguresByAccount {
  return new Map([...period].map(([account_id, { closing: _, ...figures }]) => [account_id, figures]));
}

/** The figures of several periods, or of several companies, together. */
export function together(periods: readonly FiguresByAccount[]): FiguresByAccount {
  const all = new Map<string, Partial<Record<KindGroup, Sums>>>();
  for (const period of periods) {
    for (const [account_id, figures] of period) {
      const known = all.get(account_id) ?? {};
      all.set(account_id, known);
      for (const [group, sums] of Object.entries(figures) as [KindGroup, Sums][]) {
        const before = known[group] ?? { debit: 0n, credit: 0n };
        known[group] = { debit: before.debit + sums.debit, credit: before.credit + sums.credit };
      }
    }
  }
  return all;
}

/** The name of an account; what has no English name keeps its own. */
export function accountName(account: ReportAccount, lang: Language): string {
  return (lang === 'en' && account.name_en) || account.name;
}

/** Accounts in the order of their codes, whose characters are ASCII. */
export function byCode<Account extends { code: string }>(accounts: readonly Account[]): Account[] {
  return accounts.toSorted((one, other) => (one.code < other.code ? -1 : one.code > other.code ? 1 : 0));
}

/** The accounts below each account, by its ID and in the order of the given ones. */
export function childrenOf(accounts: readonly ReportAccount[]): ReadonlyMap<string, ReportAccount[]> {
  const children = new Map<string, ReportAccount[]>();
  for (const account of accounts) {
    if (account.parent_id === null) continue;
    const siblings = children.get(account.parent_id);
    if (siblings) siblings.push(account);
    else children.set(account.parent_id, [account]);
  }
  return children;
}
