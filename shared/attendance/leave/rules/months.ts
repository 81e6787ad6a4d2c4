import { daysBetween, daysLater } from '../../../kernel/days.ts';
import { dateOf, dayOf } from '../../../kernel/local-time.ts';
import { monthNumber, monthText } from '../../days/periods.ts';

/**
 * The day so many months after a day (YYYY-MM-DD), counted from it at once and not month by month. A day that the month
 * lacks becomes the first of the next month, as periods end with their last day (Civil Code art. 143(2)):
 * 2027-08-29 and 18 months are 2029-03-01.
 */
export function monthsAfter(day: string, months: number): string {
  const month = monthNumber(day) + months;
  const first = dayOf(`${monthText(month)}-01`);
  const next = dayOf(`${monthText(month + 1)}-01`);
  return dateOf(Math.min(first + Number(day.slice(8)) - 1, next));
}

/** The last of so many months that begin with a day. */
export function lastOfMonths(day: string, months: number): string {
  return daysLater(monthsAfter(day, months), -1);
}

/** How many whole months lie between a day and a later one, and the days of the month that is begun. */
export type MonthCount = {
  months: number;
  /** Days beyond the whole months. */
  rest: number;
  /** How many days the begun month has, from its first day to the day before the next one begins. */
  of: number;
};

/** Counts the months from the first day to the last one, both within. */
export function monthsWithin(first: string, last: string): MonthCount {
  const end = daysLater(last, 1);
  // The months between those of both days, or one less where the last of them is not whole.
  const most = monthNumber(end) - monthNumber(first);
  const months = monthsAfter(first, most) <= end ? most : most - 1;
  const begun = monthsAfter(first, months);
  return { months, rest: daysBetween(begun, end), of: daysBetween(begun, monthsAfter(first, months + 1)) };
}
