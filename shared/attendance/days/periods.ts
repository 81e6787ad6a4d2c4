import { dateOf, dayOf } from '../../kernel/local-time.ts';
import type { DatedSettings, Period } from './types.ts';

/** What periods follow from. */
export type ClosingRow = Pick<DatedSettings, 'effective_from' | 'closing_day'>;

/** A period in days since 1970; `month` counts months since year 0. */
export type PeriodDays = { month: number; start: number; end: number };

/** `2026-04` as a number of months. */
export function monthNumber(month: string): number {
  return Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1;
}

/** A number of months as `2026-04`. */
export function monthText(month: number): string {
  return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`;
}

function closingDate(month: number, closing: 'end' | number): number {
  if (closing !== 'end') return dayOf(`${monthText(month)}-${String(closing).padStart(2, '0')}`);
  return dayOf(`${monthText(month + 1)}-01`) - 1;
}

/**
 * The closing periods: a period begins on the day after the one before, and ends on the closing day of its month that
 * holds on the day it begins. So periods follow each other without hole or overlap whatever changes, and each month has
 * one; after a change one of them is shorter or longer than a month.
 */
export class Periods {
  private readonly rows: { from: number; closing: 'end' | number }[];
  /** The month before which nothing but the first row decides. */
  private readonly regular: number;
  private readonly known: PeriodDays[] = [];
  private last: PeriodDays | null = null;

  /** `rows` in order of `effective_from`; the first one holds before its date too. */
  constructor(rows: readonly ClosingRow[]) {
    this.rows = rows.map((row) => ({ from: dayOf(row.effective_from), closing: row.closing_day }));
    const first = this.rows[0]!.closing;
    const change = rows.find((row) => row.closing_day !== first);
    this.regular = change ? monthNumber(change.effective_from) - 1 : Number.POSITIVE_INFINITY;
  }

  /** The period of a month, by its number. */
  ofMonth(month: number): PeriodDays {
    if (month < this.regular) return this.regularPeriod(month);
    for (let next = this.regular + this.known.length; next <= month; next += 1) {
      const start = (this.known.at(-1) ?? this.regularPeriod(next - 1)).end + 1;
      this.known.push({ month: next, start, end: closingDate(next, this.closingOn(start)) });
    }
    return this.known[month - this.regular]!;
  }

  /** The period that a day lies in. */
  ofDay(day: number): PeriodDays {
    if (this.last && this.last.start <= day && day <= this.last.end) return this.last;
    const period = this.ofMonth(monthNumber(dateOf(day)));
    // A month's period ends in that month and begins on its first day or before.
    this.last = day <= period.end ? period : this.ofMonth(period.month + 1);
    return this.last;
  }

  private regularPeriod(month: number): PeriodDays {
    const { closing } = this.rows[0]!;
    return { month, start: closingDate(month - 1, closing) + 1, end: closingDate(month, closing) };
  }

  private closingOn(day: number): 'end' | number {
    return this.rows.findLast(({ from }) => from <= day)?.closing ?? this.rows[0]!.closing;
  }
}

/** The period of a month (`YYYY-MM`) under some settings. */
export function periodOfMonth(rows: readonly ClosingRow[], month: string): Period {
  return shown(new Periods(rows).ofMonth(monthNumber(month)));
}

/** The period of a date. */
export function periodOfDate(rows: readonly ClosingRow[], date: string): Period {
  return shown(new Periods(rows).ofDay(dayOf(date)));
}

/** A period with its dates written out. */
export function shown({ month, start, end }: PeriodDays): Period {
  return { month: monthText(month), start: dateOf(start), end: dateOf(end) };
}
