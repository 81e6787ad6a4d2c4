/** Days of issue, YYYY-MM-DD, both included. */
export type Period = { from: string; to: string };

/** The same where an end that is null leaves all days on that side. */
export type AskedPeriod = { from: string | null; to: string | null };

/** A month and its days. */
export type Month = Period & { month: string };

/** The twelve months that end with that of a day, oldest first. */
export function monthsUntil(day: string): Month[] {
  const last = Temporal.PlainDate.from(day).toPlainYearMonth();
  return Array.from({ length: 12 }, (_, index) => {
    const month = last.subtract({ months: 11 - index });
    const from = month.toPlainDate({ day: 1 }).toString();
    return { month: month.toString(), from, to: month.toPlainDate({ day: month.daysInMonth }).toString() };
  });
}
