import type { Slot } from '../../../shared/scheduler/slots/types.ts';
import type { Asked } from './address.ts';
import type { Formats } from './format.ts';
import { monthAfter, monthOf } from './month.ts';

/** Free times by their dates in the visitor's zone, in their order. */
export type Days = ReadonlyMap<string, readonly Slot[]>;

/** What of the free times is shown. */
export type Choice = {
  month: string;
  /** The day whose times are shown; null where the month has none. */
  date: string | null;
  /** The first day with times after what is shown, where that shows none. */
  next_free: string | null;
};

/** The months around which the times of a page are read: the one that is asked for, or that of today, and the next one. */
export function firstMonth({ date, month }: Pick<Asked, 'date' | 'month'>, today: string): string {
  const asked = date === null ? month : monthOf(date);
  const present = monthOf(today);
  return asked === null || asked < present ? present : asked;
}

/** The dates that are read: from the first date of a month to that of the month after the next: 62 days at most. */
export function rangeOf(month: string): { from: string; to: string } {
  return { from: `${month}-01`, to: `${monthAfter(month, 2)}-01` };
}

/** Free times as the API answers them, in milliseconds since 1970. */
export function slotsOf(slots: readonly { start: string; end: string; seats_left: number }[]): Slot[] {
  return slots.map(({ start, end, seats_left }) => ({
    start: Date.parse(start),
    end: Date.parse(end),
    seats_left,
  }));
}

/** Free times by the dates on which they begin. */
export function daysOf(slots: readonly Slot[], { date }: Pick<Formats, 'date'>): Days {
  return Map.groupBy(slots, ({ start }) => date(start));
}

/**
 * What is shown of the times of two months: the day that is asked for, else the first one of the month with times. Who asks
 * for nothing is shown the next month where this one has none.
 */
export function choiceOf(asked: Pick<Asked, 'date' | 'month'>, first: string, days: Days): Choice {
  const dates = [...days.keys()].toSorted();
  const month = asked.date === null && asked.month === null ? monthOf(dates[0] ?? first) : first;
  const date =
    asked.date !== null && monthOf(asked.date) === month
      ? asked.date
      : (dates.find((each) => monthOf(each) === month) ?? null);
  const shows = date !== null && days.has(date);
  const after = date ?? `${month}-31`;
  return { month, date, next_free: shows ? null : (dates.find((each) => each > after) ?? null) };
}
