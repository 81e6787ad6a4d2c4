/** The month that the story is about, by its days: the calendar month before the day on which it is told. */
export type Month = { month: string; first: string; last: string; today: string };

/** The month before a day, all of which is past whatever day of a month it is. */
export function monthBefore(today: string): Month {
  const first = Temporal.PlainDate.from(today).with({ day: 1 }).subtract({ months: 1 });
  const last = first.add({ months: 1 }).subtract({ days: 1 });
  return {
    month: first.toPlainYearMonth().toString(),
    first: first.toString(),
    last: last.toString(),
    today,
  };
}

/** A date some months before another one, always the first of its month where that one is. */
export function monthsEarlier(date: string, months: number): string {
  return Temporal.PlainDate.from(date).subtract({ months }).toString();
}

/** A time of a date in Tokyo, as the API takes one; from 24:00 on it is on the next day. */
export function at(date: string, time: string): string {
  const [hours, minutes] = time.split(':') as [string, string];
  const day = Temporal.PlainDate.from(date).add({ days: Math.floor(Number(hours) / 24) });
  return `${day}T${String(Number(hours) % 24).padStart(2, '0')}:${minutes}:00+09:00`;
}

/** What a date is in the roster of the night shift. */
export type Shift = { date: string; day_type: 'workday' | 'prescribed_holiday' | 'legal_holiday' };

const [MONDAY, SUNDAY] = [1, 7];

/**
 * Nights from Tuesday to Saturday. That of Saturday ends on the legal holiday. The last date of the month is off, so that no shift of
 * it ends on a day that is not over yet.
 */
export function nightRoster({ first, last }: Pick<Month, 'first' | 'last'>): Shift[] {
  const start = Temporal.PlainDate.from(first);
  const days = start.until(last).days + 1;
  return Array.from({ length: days }, (_, index) => {
    const date = start.add({ days: index });
    if (date.dayOfWeek === SUNDAY) return { date: date.toString(), day_type: 'legal_holiday' };
    const isOff = date.dayOfWeek === MONDAY || date.toString() === last;
    return { date: date.toString(), day_type: isOff ? 'prescribed_holiday' : 'workday' };
  });
}
