import type { Work } from '../../kernel/work.ts';
import { sequenceAfter } from '../icalendar/sequence.ts';
import { type BookingHappening, bookingChanged, bookingsChanged } from './changes.ts';
import { BookingHostModel, BookingModel, type BookingRecord } from './record.ts';

/** What of a booking changes; the sequence of its iCalendar mails and `updated_at` follow. */
export type BookingColumns = Partial<
  Omit<BookingRecord, 'id' | 'ics_sequence' | 'created_at' | 'updated_at'>
>;

/** What happened to a booking, and whether guests and hosts are told. */
type Happened = { action: BookingHappening; notify: boolean };

/** Writes a change of a locked booking, with all that follows from it, and answers the row after. */
export async function saveBooking(
  work: Work,
  before: BookingRecord,
  patch: BookingColumns,
  happened: Happened,
): Promise<BookingRecord> {
  const after = writeChange(work, before, patch);
  await bookingChanged(work, { ...happened, before, after });
  return after;
}

/** The same change of several locked bookings, told as one. */
export async function saveBookings(
  work: Work,
  bookings: readonly BookingRecord[],
  patchOf: (before: BookingRecord) => BookingColumns,
  happened: Happened,
): Promise<void> {
  const changes = bookings.map((before) => {
    return { ...happened, before, after: writeChange(work, before, patchOf(before)) };
  });
  await bookingsChanged(work, changes);
}

function writeChange(work: Work, before: BookingRecord, patch: BookingColumns): BookingRecord {
  const changed = { ...before, ...patch };
  const changes = {
    ...patch,
    ics_sequence: sequenceAfter(before, changed),
    updated_at: work.touch(before),
  };
  const after: BookingRecord = { ...changed, ...changes };
  work.update(BookingModel, before.id, changes);
  if (patch.user_ids || patch.start) {
    work.run('DELETE FROM scheduler_booking_hosts WHERE organization_id = $1 AND booking_id = $2', [
      work.organization_id,
      before.id,
    ]);
    writeHosts(work, after);
  }
  return after;
}

/** Writes who hosts a booking, for the lists of one host. */
export function writeHosts(work: Work, { id: booking_id, user_ids, start }: BookingRecord): void {
  work.insertAll(
    BookingHostModel,
    user_ids.map((user_id) => ({ booking_id, user_id, start })),
  );
}
