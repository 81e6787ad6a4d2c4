/** The day after a day: both YYYY-MM-DD. */
export function dayAfter(day: string): string {
  return Temporal.PlainDate.from(day).add({ days: 1 }).toString();
}

/** The day before a day. */
export function dayBefore(day: string): string {
  return Temporal.PlainDate.from(day).subtract({ days: 1 }).toString();
}

/** The last day of so many months that begin on a day. */
export function lastDayOfMonths(start: string, months: number): string {
  return Temporal.PlainDate.from(start).add({ months }).subtract({ days: 1 }).toString();
}

/** The first day of a day's month. */
export function monthOf(day: string): string {
  return `${day.slice(0, 7)}-01`;
}
