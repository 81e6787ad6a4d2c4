import type { TestApp } from './app.ts';
import { googleHost } from './calendar-jobs.ts';
import type { GoogleFake } from './google.ts';
import { deskOf } from './scheduler.ts';

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** An hour of a day on which a host can be booked around the clock. */
export const bookedAt = (hour: number) => new Date(Date.UTC(2027, 0, 12, hour)).toISOString();

/** A host whose bookings stand in a calendar of the fake, and what happens to both. */
export async function bookedHost(app: TestApp, google: GoogleFake) {
  const { owner, id, calendar } = await googleHost(app, google);
  const desk = deskOf(app, owner, owner);
  const account = google.account;
  await desk.availability({ time_zone: 'UTC', weekly: [{ days: DAYS, start: '00:00', end: '24:00' }] });
  const type = await desk.eventType({ min_notice_minutes: 0, booking_window: { type: 'none' } });
  const book = async (hour: number): Promise<string> => {
    const guest = { name: '佐藤 花子', email: 'guest@example.com' };
    const body = { event_type_id: type.id, start: bookedAt(hour), guest, notify: false };
    return (await desk.done('POST', '/bookings', body)).booking.id;
  };
  return {
    owner,
    id,
    calendar,
    account,
    book,
    move: (booking: string, hour: number) =>
      desk.done('POST', `/bookings/${booking}/reschedule`, { start: bookedAt(hour), notify: false }),
    cancel: (booking: string) => desk.done('POST', `/bookings/${booking}/cancel`, { notify: false }),
    syncOf: async (booking: string) =>
      (await desk.done('GET', `/bookings/${booking}`)).booking.calendar_sync as string,
  };
}

export type BookedHost = Awaited<ReturnType<typeof bookedHost>>;
