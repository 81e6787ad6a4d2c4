import type { Language } from '../../kernel/language.ts';
import { type AccountType, type Section, sectionNames, sections } from '../accounts/kinds.ts';
import { type KindGroup, kindGroups } from '../journals/kinds.ts';
import {
  accountName,
  byCode,
  childrenOf,
  type FiguresByAccount,
  type ReportAccount,
  type Spans,
  unclosedEarnings,
} from './figures.ts';
import {
  addFour,
  addMeasure,
  emptyFour,
  emptyMeasure,
  type Four,
  fourOf,
  isZero,
  type Measure,
  monthOf,
  partOf,
  unclosedFour,
} from './measure.ts';

export const adjustingChoices = ['include', 'exclude', 'only'] as const;

export type Adjusting = (typeof adjustingChoices)[number];

/** A company or department with its figures; the ID of what names none is null. */
export type FigureGroup = { id: string | null; name: string; spans: Spans };

export type FigureMonth = { key: string; range: FiguresByAccount };

export type TrialBalanceInput = {
  accounts: readonly ReportAccount[];
  spans: Spans;
  /** With `group_by`: they make up `spans`. */
  groups?: readonly FigureGroup[];
  /** With `interval=month`, in their order: they make up the range. */
  months?: readonly FigureMonth[];
  adjusting: Adjusting;
  include_zero: boolean;
  /** Shows this account alone. */
  account_id?: string;
  lang: Language;
};

type Shown = Four & {
  breakdown?: (Four & { id: string | null; name: string })[];
  months?: { key: string; debit: bigint; credit: bigint; closing: bigint }[];
};

export type TrialBalanceRow = Shown & {
  account_id: string | null;
  code: string | null;
  name: string;
  account_type: AccountType | null;
  section: Section | null;
  parent_id: string | null;
  /** Of accounts that have others below: the figures of all of them and its own. */
  with_children?: Four;
};

export type TrialBalanceSection = Shown & { section: Section; account_type: AccountType; name: string };

export type TrialBalance = {
  rows: TrialBalanceRow[];
  sections: TrialBalanceSection[];
  totals: Shown;
  /** Whether debits equal credits over all accounts of the books, also where one is shown alone. */
  balanced: boolean;
};

/** The trial balance: what each account began with, moved and closed with. Signs are debit less credit for every account. */
export function trialBalance(input: TrialBalanceInput): TrialBalance {
  const { accounts, account_id, include_zero, lang } = input;
  const groups = countedGroups(input.adjusting);
  const measures = new Map(accounts.map((account) => [account.id, measureOf(account, input, groups)]));
  const unclosed = unclosedMeasure(input, groups);
  const children = childrenOf(accounts);
  const bySection = new Map(sectionNames.map((section) => [section, emptyMeasure()]));
  const total = emptyMeasure();
  const rows: TrialBalanceRow[] = [];

  for (const account of byCode(accounts)) {
    if (account_id !== undefined && account.id !== account_id) continue;
    const measure = measures.get(account.id)!;
    addMeasure(bySection.get(account.section)!, measure);
    addMeasure(total, measure);
    const below = children.has(account.id) ? withChildren(account.id, measures, children) : undefined;
    if (!include_zero && isZero(measure.own) && (!below || isZero(below))) continue;
    const row = { ...rowHead(account, lang), ...shown(measure, input) };
    rows.push(below ? { ...row, with_children: below } : row);
  }
  if (account_id === undefined) {
    addMeasure(total, unclosed);
    if (include_zero || !isZero(unclosed.own))
      rows.push({ ...unclosedHead(lang), ...shown(unclosed, input) });
  }
  return {
    rows,
    sections: [...bySection].map(([section, measure]) => ({
      section,
      account_type: sections[section].type,
      name: sections[section].name[lang],
      ...shown(measure, input),
    })),
    totals: shown(total, input),
    balanced: isBalanced([...measures.values(), unclosed]),
  };
}

function countedGroups(adjusting: Adjusting): readonly KindGroup[] {
  if (adjusting === 'include') return kindGroups;
  return kindGroups.filter((group) => (group === 'adjusting') === (adjusting === 'only'));
}

function measureOf(
  account: ReportAccount,
  { spans, groups = [], months = [] }: TrialBalanceInput,
  counted: readonly KindGroup[],
): Measure {
  const measure: Measure = { own: fourOf(account, spans, counted), parts: new Map() };
  for (const group of groups) {
    if (moves(group.spans, account.id))
      addFour(partOf(measure, group.id), fourOf(account, group.spans, counted));
  }
  for (const month of months) {
    if (month.range.has(account.id))
      addFour(partOf(measure, month.key), monthOf(month.range, account.id, counted));
  }
  return measure;
}

function unclosedMeasure(
  { accounts, spans, groups = [] }: TrialBalanceInput,
  counted: readonly KindGroup[],
): Measure {
  const measure: Measure = { own: unclosedFour(accounts, spans.earlier, counted), parts: new Map() };
  for (const group of groups)
    addFour(partOf(measure, group.id), unclosedFour(accounts, group.spans.earlier, counted));
  return measure;
}

function moves({ earlier, before, range }: Spans, account_id: string): boolean {
  return range.has(account_id) || before.has(account_id) || earlier.has(account_id);
}

function withChildren(
  account_id: string,
  measures: ReadonlyMap<string, Measure>,
  children: ReadonlyMap<string, readonly ReportAccount[]>,
): Four {
  const sum = emptyFour();
  addFour(sum, measures.get(account_id)!.own);
  for (const child of children.get(account_id) ?? [])
    addFour(sum, withChildren(child.id, measures, children));
  return sum;
}

/** Groups without figures are left out: a company trades on few accounts. Months never are: they stand in columns. */
function shown({ own, parts }: Measure, { groups, months }: TrialBalanceInput): Shown {
  const row: Shown = { ...own };
  if (groups) {
    row.breakdown = groups.flatMap(({ id, name }) => {
      const four = parts.get(id);
      return four && !isZero(four) ? [{ id, name, ...four }] : [];
    });
  }
  if (months) {
    let closing = own.opening;
    row.months = months.map(({ key }) => {
      const { debit, credit } = parts.get(key) ?? emptyFour();
      closing += debit - credit;
      return { key, debit, credit, closing };
    });
  }
  return row;
}

function rowHead(account: ReportAccount, lang: Language) {
  const { id, code, account_type, section, parent_id } = account;
  return { account_id: id, code, name: accountName(account, lang), account_type, section, parent_id };
}

function unclosedHead(lang: Language) {
  return {
    account_id: null,
    code: null,
    name: unclosedEarnings[lang],
    account_type: null,
    section: null,
    parent_id: null,
  };
}

function isBalanced(measures: readonly Measure[]): boolean {
  const { opening, debit, credit } = measures.reduce((sum, { own }) => {
    addFour(sum, own);
    return sum;
  }, emptyFour());
  return opening === 0n && debit === credit;
}
