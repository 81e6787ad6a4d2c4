import { dayBefore, monthOf } from '../years/days.ts';

/** Days of a span, inclusive; `from` is null where it reaches back to the first entry. */
export type DaySpan = { from: string | null; to: string };

/** Days of a part of a month. */
export type DayRange = { from: string; to: string };

/** A span as the sums that make it up: whole months from the first to the one before `end`, and the days of broken months. */
export type Segments = { months: { from: string | null; end: string } | null; days: DayRange[] };

/** Takes a span apart into whole months and the days of the broken months at its ends. */
export function segmentsOf({ from, to }: DaySpan): Segments {
  const first = from === null ? null : wholeMonthFrom(from);
  const end = wholeMonthsUntil(to);
  if (from !== null && first! >= end) {
    // No whole month lies between: both ends are in one month, or in two that follow each other.
    const turn = monthOf(to);
    if (from >= turn) return { months: null, days: [{ from, to }] };
    return {
      months: null,
      days: [
        { from, to: dayBefore(turn) },
        { from: turn, to },
      ],
    };
  }
  const days: DayRange[] = [];
  if (from !== null && first! > from) days.push({ from, to: dayBefore(first!) });
  if (end <= to) days.push({ from: end, to });
  return { months: { from: first, end }, days };
}

/** The first day of the first month that begins on a day or later. */
function wholeMonthFrom(day: string): string {
  const month = monthOf(day);
  return month === day ? day : nextMonth(month);
}

/** The first day of the month behind the last whole one that ends on a day or before. */
function wholeMonthsUntil(day: string): string {
  const month = monthOf(day);
  const next = nextMonth(month);
  return dayBefore(next) === day ? next : month;
}

/** The first day of the month behind one. */
export function nextMonth(month: string): string {
  return Temporal.PlainDate.from(month).add({ months: 1 }).toString();
}

/** The months of some days, each with its key (`2026-04`) and the days of it that they hold. */
export function monthsOf({ from, to }: DayRange): (DayRange & { key: string })[] {
  const months: (DayRange & { key: string })[] = [];
  for (let month = monthOf(from); month <= to; month = nextMonth(month)) {
    const last = dayBefore(nextMonth(month));
    months.push({ key: month.slice(0, 7), from: month < from ? from : month, to: last > to ? to : last });
  }
  return months;
}
