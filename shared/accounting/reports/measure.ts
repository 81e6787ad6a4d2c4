import { isProfitAndLoss } from '../accounts/kinds.ts';
import type { KindGroup } from '../journals/kinds.ts';
import { balanceOf, type FiguresByAccount, type ReportAccount, type Spans, sumsOf } from './figures.ts';

/** The four figures of a row of the trial balance. Opening and closing are debit less credit for every account. */
export type Four = { opening: bigint; debit: bigint; credit: bigint; closing: bigint };

/** What a row shows: its own figures, and those of each group or month, by the ID of the group or the key of the month. */
export type Measure = { own: Four; parts: Map<string | null, Four> };

export function emptyFour(): Four {
  return { opening: 0n, debit: 0n, credit: 0n, closing: 0n };
}

export function emptyMeasure(): Measure {
  return { own: emptyFour(), parts: new Map() };
}

export function isZero({ opening, debit, credit, closing }: Four): boolean {
  return opening === 0n && debit === 0n && credit === 0n && closing === 0n;
}

/** Adds figures to others in place. */
export function addFour(to: Four, { opening, debit, credit, closing }: Four): void {
  to.opening += opening;
  to.debit += debit;
  to.credit += credit;
  to.closing += closing;
}

/** Adds a measure to another in place. */
export function addMeasure(to: Measure, { own, parts }: Measure): void {
  addFour(to.own, own);
  for (const [key, four] of parts) addFour(partOf(to, key), four);
}

/** The figures of a part of a measure, which are begun at zero. */
export function partOf(measure: Measure, key: string | null): Four {
  const known = measure.parts.get(key);
  if (known) return known;
  const begun = emptyFour();
  measure.parts.set(key, begun);
  return begun;
}

/**
 * The figures of an account around the range. Revenue and expense begin each year at zero; what is of kind `opening` in the
 * range is a part of what the range began with.
 */
export function fourOf(account: ReportAccount, spans: Spans, groups: readonly KindGroup[]): Four {
  const earlier = isProfitAndLoss(account.account_type)
    ? 0n
    : balanceOf(spans.earlier.get(account.id), groups);
  const range = spans.range.get(account.id);
  const { debit, credit } = movementOf(spans.range, account.id, groups);
  const begun = balanceOf(
    range,
    groups.filter((group) => group === 'opening'),
  );
  const opening = earlier + balanceOf(spans.before.get(account.id), groups) + begun;
  return { opening, debit, credit, closing: opening + debit - credit };
}

/** The figures of a month of an account: what it moved. What it closed with follows from the months before. */
export function monthOf(range: FiguresByAccount, account_id: string, groups: readonly KindGroup[]): Four {
  const { debit, credit } = movementOf(range, account_id, groups);
  return { opening: 0n, debit, credit, closing: 0n };
}

/** What years before this one earned and no closing entry took over: it stays as it is throughout the year. */
export function unclosedFour(
  accounts: readonly ReportAccount[],
  earlier: FiguresByAccount,
  groups: readonly KindGroup[],
): Four {
  let balance = 0n;
  for (const { id, account_type } of accounts) {
    if (isProfitAndLoss(account_type)) balance += balanceOf(earlier.get(id), groups);
  }
  return { opening: balance, debit: 0n, credit: 0n, closing: balance };
}

function movementOf(range: FiguresByAccount, account_id: string, groups: readonly KindGroup[]) {
  return sumsOf(
    range.get(account_id),
    groups.filter((group) => group !== 'opening'),
  );
}
