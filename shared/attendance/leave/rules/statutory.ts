import { type LeaveTable, leaveLawOn } from './law.ts';
import { lastOfMonths, monthsAfter } from './months.ts';

/** What the terms of employment say about how much somebody works. */
export type WorkingShare = {
  /** Null where no week is like another. */
  weekly_days: number | null;
  weekly_hours: number | null;
  annual_days: number | null;
};

/** A day on which the law grants annual leave. */
export type GrantDate = {
  granted_on: string;
  /** 0 for the first one. */
  grant_index: number;
  service_months: number;
};

/**
 * The days from `from` to `to` on which the law grants annual leave to somebody hired on a day: after 6, 18, 30 months
 * and so on, each counted from the hire. In their order.
 */
export function grantDatesBetween(hired_on: string, from: string, to: string): GrantDate[] {
  const { first_months, every_months } = leaveLawOn(from);
  const found: GrantDate[] = [];
  for (let grant_index = 0; ; grant_index += 1) {
    const service_months = first_months + grant_index * every_months;
    const granted_on = monthsAfter(hired_on, service_months);
    if (granted_on > to) return found;
    if (granted_on >= from) found.push({ granted_on, grant_index, service_months });
  }
}

/** The first grant of annual leave after a day. */
export function nextGrantDate(hired_on: string, after: string): GrantDate {
  const { first_months, every_months } = leaveLawOn(after);
  // A grant a year: the one after is at most so far away, whatever day the hire was on.
  const until = monthsAfter(after > hired_on ? after : hired_on, first_months + every_months + 1);
  return grantDatesBetween(hired_on, after, until).find(({ granted_on }) => granted_on > after)!;
}

/** The day on which a period of attendance begins: the grant before this one, or the hire. */
export function periodBefore({ grant_index, granted_on }: GrantDate, hired_on: string): string {
  const { first_months, every_months } = leaveLawOn(granted_on);
  return grant_index === 0
    ? hired_on
    : monthsAfter(hired_on, first_months + (grant_index - 1) * every_months);
}

/** The last day on which what was granted on a day can be taken. */
export function expiryOf(granted_on: string): string {
  return lastOfMonths(granted_on, leaveLawOn(granted_on).expiry_months);
}

/** By which table somebody is granted leave: hours a week first, then days a week, then days a year. */
export function tableFor(terms: WorkingShare, granted_on: string): LeaveTable {
  const { full_weekly_hours, tables } = leaveLawOn(granted_on);
  const { weekly_days, weekly_hours, annual_days } = terms;
  if (weekly_hours !== null && weekly_hours >= full_weekly_hours) return 'full';
  const reached = tables.find((row) =>
    weekly_days === null ? (annual_days ?? 0) >= row.annual_days : weekly_days >= row.weekly_days,
  );
  return reached?.table ?? 'none';
}

/** The days that a grant has, its attendance being met. */
export function daysOf({ grant_index, granted_on }: GrantDate, table: LeaveTable): number {
  if (table === 'none') return 0;
  const days = leaveLawOn(granted_on).days[table];
  return days[Math.min(grant_index, days.length - 1)]!;
}
