/** The day (YYYY-MM-DD) of an instant in Japan, where the offices are: for readers whose time zone is not known. */
export function dayInJapan(instant: Date): string {
  return inJapan(instant).toPlainDate().toString();
}

/** The time of that day to the minute, as names of files have it: `0930`. */
export function minuteInJapan(instant: Date): string {
  const { hour, minute } = inJapan(instant);
  return `${String(hour).padStart(2, '0')}${String(minute).padStart(2, '0')}`;
}

function inJapan(instant: Date): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO('Asia/Tokyo');
}
