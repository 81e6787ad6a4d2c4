/** The day (YYYY-MM-DD) of an instant in Japan, where the offices are: for readers whose time zone is not known. */
export function dayInJapan(instant: Date): string {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime())
    .toZonedDateTimeISO('Asia/Tokyo')
    .toPlainDate()
    .toString();
}
