/** Days of issue, YYYY-MM-DD, both included. */
export type Period = { from: string; to: string };

/** A month and its days. */
export type Month = Period & { month: string };

/**
 * The days that a dashboard is about: those asked for, and of the fiscal year that they are in where only one is; the
 * present fiscal year when none is.
 */
export function periodFor(asked: Partial<Period>, today: string, start_month: number): Period {
  const from = asked.from ?? fiscalYearOf(asked.to ?? today, start_month).from;
  return { from, to: asked.to ?? fiscalYearOf(from, start_month).to };
}

/** The fiscal year that a day is in, when each begins with the first of that month. */
export function fiscalYearOf(day: string, start_month: number): Period {
  const date = Temporal.PlainDate.from(day);
  const year = date.month < start_month ? date.year - 1 : date.year;
  const from = Temporal.PlainDate.from({ year, month: start_month, day: 1 });
  return { from: from.toString(), to: from.add({ years: 1 }).subtract({ days: 1 }).toString() };
}

/** The twelve months that end with that of a day, oldest first. */
export function monthsUntil(day: string): Month[] {
  const last = Temporal.PlainDate.from(day).toPlainYearMonth();
  return Array.from({ length: 12 }, (_, index) => {
    const month = last.subtract({ months: 11 - index });
    const from = month.toPlainDate({ day: 1 }).toString();
    return { month: month.toString(), from, to: month.toPlainDate({ day: month.daysInMonth }).toString() };
  });
}
