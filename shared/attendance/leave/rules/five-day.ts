import { leaveLawOn } from './law.ts';
import { lastOfMonths, monthsWithin } from './months.ts';
import { daysOfHalves } from './room.ts';

/** A grant as the duty sees it. */
export type DutyGrant = { granted_on: string; days: number };

/** A time within which an employer must see to it that leave is taken (Labour Standards Act art. 39(7)). */
export type DutyWindow = {
  window_start: string;
  /** The last day. */
  window_end: string;
  /** Whole months, and a begun one by its days: cut after two decimals. */
  months: number;
  required_days: number;
};

/** Whether a grant of annual leave brings the duty. */
export function bringsDuty({ granted_on, days }: DutyGrant): boolean {
  return days >= leaveLawOn(granted_on).duty_from_days;
}

/**
 * The windows of grants, in their order. A grant before a window's end makes it one that ends so many months after that
 * grant (Enforcement Regulations art. 24-5), with days in proportion to its months, up to the half-day.
 */
export function dutyWindows(grants: readonly DutyGrant[]): DutyWindow[] {
  return dutySpans(grants).map(({ first, last }) => windowOf(first, last));
}

/** The window that holds a day, of the grants made by then; null where none does. */
export function dutyWindowOn(grants: readonly DutyGrant[], as_of: string): DutyWindow | null {
  const made = grants.filter(({ granted_on }) => granted_on <= as_of);
  const span = dutySpans(made).find(({ first, last }) => first <= as_of && as_of <= last);
  return span ? windowOf(span.first, span.last) : null;
}

function dutySpans(grants: readonly DutyGrant[]): { first: string; last: string }[] {
  const starts = grants
    .filter(bringsDuty)
    .map(({ granted_on }) => granted_on)
    .toSorted();
  const windows: { first: string; last: string }[] = [];
  for (const first of starts) {
    const last = lastOfMonths(first, leaveLawOn(first).duty_months);
    const before = windows.at(-1);
    if (before && first <= before.last) before.last = last;
    else windows.push({ first, last });
  }
  return windows;
}

function windowOf(window_start: string, window_end: string): DutyWindow {
  const { duty_days, duty_months } = leaveLawOn(window_start);
  const { months, rest, of } = monthsWithin(window_start, window_end);
  // (months + rest / of) x duty_days / duty_months x 2, up: all in whole numbers.
  const halves = Math.ceil(((months * of + rest) * duty_days * 2) / (of * duty_months));
  return {
    window_start,
    window_end,
    months: Math.floor(((months * of + rest) * 100) / of) / 100,
    required_days: daysOfHalves(halves),
  };
}

/** What was taken of whole and half days within a window. */
export type FiveDay = DutyWindow & { taken_days: number; met: boolean };

/**
 * The duty as of a day: the window that holds it, of the grants made by then; null where none does. `taken` are the
 * half-days of annual leave by day.
 */
export function fiveDayOn(
  grants: readonly DutyGrant[],
  taken: readonly { date: string; halves: number }[],
  as_of: string,
): FiveDay | null {
  const window = dutyWindowOn(grants, as_of);
  return window && fiveDayWithin(window, taken);
}

/** The duty of a window: what was taken within it. */
export function fiveDayWithin(
  window: DutyWindow,
  taken: readonly { date: string; halves: number }[],
): FiveDay {
  const within = taken.filter(({ date }) => window.window_start <= date && date <= window.window_end);
  const taken_days = daysOfHalves(within.reduce((sum, { halves }) => sum + halves, 0));
  return { ...window, taken_days, met: taken_days >= window.required_days };
}
