/** The day (YYYY-MM-DD) that it is at an instant in a time zone of the IANA database. */
export function todayIn(time_zone: string, now: Date): string {
  return Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(time_zone)
    .toPlainDate()
    .toString();
}

/** The instant at which a day begins in a time zone, as ISO 8601 in UTC with milliseconds. */
export function startOfDay(day: string, time_zone: string): string {
  const { epochMilliseconds } = Temporal.PlainDate.from(day).toZonedDateTime(time_zone);
  return new Date(epochMilliseconds).toISOString();
}

/** The day so many days later, or earlier with a negative count. */
export function daysLater(day: string, count: number): string {
  return Temporal.PlainDate.from(day).add({ days: count }).toString();
}

/** How many days `to` lies after `from`; negative when it lies before. */
export function daysBetween(from: string, to: string): number {
  return Temporal.PlainDate.from(from).until(to, { largestUnit: 'day' }).days;
}
