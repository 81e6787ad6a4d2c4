import { dayAfter, dayBefore, monthOf } from '../years/days.ts';

/** Days of a span, inclusive; `from` is null where it reaches back to the first entry. */
export type DaySpan = { from: string | null; to: string };

/** Days of a part of a month. */
export type DayRange = { from: string; to: string };

/** Days at an end of a span: more of it, or days of its months that it does not hold. */
export type Edge = DayRange & { sign: 1 | -1 };

/** A span as the sums that make it up: whole months from the first to the one before `end`, and the days at its ends. */
export type Segments = { months: { from: string | null; end: string } | null; edges: Edge[] };

/**
 * Takes a span apart into whole months and days at its ends. A month that is broken counts as the days that it has, or as
 * the whole of it less the days that it has not: whichever are fewer, so that never more than half a month is read by day.
 */
export function segmentsOf({ from, to }: DaySpan): Segments {
  const edges: Edge[] = [];
  const first = from === null ? null : monthOf(from);
  const last = monthOf(to);
  if (first === last) return within({ from: from!, to });
  let start = first;
  if (from !== null && first !== null) {
    const end = lastDayOf(first);
    const missing = { from: first, to: dayBefore(from) };
    if (from === first) start = first;
    else if (countOf(missing) < countOf({ from, to: end })) edges.push({ ...missing, sign: -1 });
    else {
      edges.push({ from, to: end, sign: 1 });
      start = nextMonth(first);
    }
  }
  let end = nextMonth(last);
  const rest = { from: dayAfter(to), to: lastDayOf(last) };
  if (to !== rest.to) {
    if (countOf(rest) < countOf({ from: last, to })) edges.push({ ...rest, sign: -1 });
    else {
      edges.push({ from: last, to, sign: 1 });
      end = last;
    }
  }
  return { months: start === null || start < end ? { from: start, end } : null, edges };
}

/** The same of days in one month. */
function within(days: DayRange): Segments {
  const month = monthOf(days.from);
  const end = lastDayOf(month);
  const missing: DayRange[] = [];
  if (days.from > month) missing.push({ from: month, to: dayBefore(days.from) });
  if (days.to < end) missing.push({ from: dayAfter(days.to), to: end });
  const count = missing.reduce((sum, range) => sum + countOf(range), 0);
  if (countOf(days) <= count) return { months: null, edges: [{ ...days, sign: 1 }] };
  const months = { from: month, end: nextMonth(month) };
  return { months, edges: missing.map((range) => ({ ...range, sign: -1 })) };
}

function countOf({ from, to }: DayRange): number {
  return Temporal.PlainDate.from(from).until(to, { largestUnit: 'days' }).days + 1;
}

/** The last day of a month, which its first day names. */
function lastDayOf(month: string): string {
  return dayBefore(nextMonth(month));
}

/** The first day of the month behind one. */
export function nextMonth(month: string): string {
  return Temporal.PlainDate.from(month).add({ months: 1 }).toString();
}

/** The months of some days, each with its key (`2026-04`) and the days of it that they hold. */
export function monthsOf({ from, to }: DayRange): (DayRange & { key: string })[] {
  const months: (DayRange & { key: string })[] = [];
  for (let month = monthOf(from); month <= to; month = nextMonth(month)) {
    const last = lastDayOf(month);
    months.push({ key: month.slice(0, 7), from: month < from ? from : month, to: last > to ? to : last });
  }
  return months;
}
