/** 締め日と支払日. A day that a month does not have is its last day, as is `end`. */
export type DueTerms = { closing_day: number | 'end'; months_later: number; pay_day: number | 'end' };

/**
 * The day on which an invoice of `issue_date` (both YYYY-MM-DD) is to be paid: it belongs to the first closing day on
 * or after it, and is paid on the pay day `months_later` months after that one's month, or a month later where that
 * would lie before the closing day; 9999-12-31 is the last day there is.
 */
export function dueDate(issue_date: string, { closing_day, months_later, pay_day }: DueTerms): string {
  const issued = Temporal.PlainDate.from(issue_date);
  const closing = firstOnOrAfter(issued, closing_day);
  const month = Temporal.PlainYearMonth.from(closing).add({ months: months_later });
  const due = dayOf(month, pay_day);
  const last = isBefore(due, closing) ? dayOf(month.add({ months: 1 }), pay_day) : due;
  return last.year > 9999 ? '9999-12-31' : last.toString();
}

function firstOnOrAfter(date: Temporal.PlainDate, day: number | 'end'): Temporal.PlainDate {
  const month = Temporal.PlainYearMonth.from(date);
  const inMonth = dayOf(month, day);
  return isBefore(inMonth, date) ? dayOf(month.add({ months: 1 }), day) : inMonth;
}

function dayOf(month: Temporal.PlainYearMonth, day: number | 'end'): Temporal.PlainDate {
  return month.toPlainDate({ day: day === 'end' ? month.daysInMonth : Math.min(day, month.daysInMonth) });
}

function isBefore(left: Temporal.PlainDate, right: Temporal.PlainDate): boolean {
  return Temporal.PlainDate.compare(left, right) < 0;
}
