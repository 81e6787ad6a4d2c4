/** 締め日と支払日. A day that a month does not have is its last day, as is `end`. */
export type DueTerms = { closing_day: number | 'end'; months_later: number; pay_day: number | 'end' };

/**
 * The day on which an invoice of `issue_date` (both YYYY-MM-DD) is to be paid: it belongs to the first closing day on
 * or after it, and is paid on the pay day `months_later` months after that one's month, or a month later where that
 * would lie before the closing day; 9999-12-31 is the last day there is.
 */
export function dueDate(issue_date: string, { closing_day, months_later, pay_day }: DueTerms): string {
  const [year, month, day] = issue_date.split('-').map(Number) as [number, number, number];
  const issued = year * 12 + month - 1;
  const closes = dayIn(issued, closing_day) >= day ? issued : issued + 1;
  const month_due = closes + months_later;
  const isEarly = months_later === 0 && dayIn(month_due, pay_day) < dayIn(closes, closing_day);
  return written(isEarly ? month_due + 1 : month_due, pay_day);
}

/** The day as a number, cut to the days of the month. Months count from the beginning of the year 0. */
function dayIn(month: number, day: number | 'end'): number {
  const days = new Date(Date.UTC(4000 + (Math.floor(month / 12) % 400), (month % 12) + 1, 0)).getUTCDate();
  return day === 'end' ? days : Math.min(day, days);
}

function written(month: number, day: number | 'end'): string {
  const year = Math.floor(month / 12);
  if (year > 9999) return '9999-12-31';
  const digits = (value: number, width: number) => String(value).padStart(width, '0');
  return `${digits(year, 4)}-${digits((month % 12) + 1, 2)}-${digits(dayIn(month, day), 2)}`;
}
