import assert from 'node:assert/strict';
import type { TestApp } from './app.ts';
import { connectGoogle, googleHost, runCalendarJobs } from './calendar-jobs.ts';
import type { GoogleFake } from './google.ts';
import type { Person } from './people.ts';
import { deskOf } from './scheduler.ts';
import { CONNECTIONS } from './synced-calendars.ts';

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

/** How hosts connect their accounts again, and what stands in their calendars then. */
export function connectedAgain(app: TestApp, google: GoogleFake) {
  async function disconnected({ post }: Person, id: string): Promise<void> {
    const ended = await post(`${CONNECTIONS}/${id}/disconnect`);
    assert.equal(ended.status, 200, ended.text);
    await runCalendarJobs(app);
  }

  /** Connects an account, of which one calendar checks conflicts and takes bookings; answers the connection's ID. */
  async function asked({ owner, account, calendar }: Pick<BookedHost, 'owner' | 'account' | 'calendar'>) {
    google.account = account;
    const { id, calendars } = await connectGoogle(google, owner);
    const decided = (calendars as { id: string }[]).map((one) => ({
      id: one.id,
      checks_conflicts: one.id === calendar,
      is_write_target: one.id === calendar,
    }));
    assert.equal((await owner.patch(`${CONNECTIONS}/${id}`, { calendars: decided })).status, 200);
    return id;
  }

  /** The same, and all that follows from it. */
  async function connected(host: Parameters<typeof asked>[0]): Promise<string> {
    const id = await asked(host);
    const ended = await runCalendarJobs(app);
    assert.ok(
      ended.every(({ outcome }) => outcome === 'done'),
      JSON.stringify(ended),
    );
    return id;
  }

  /** The hours at which the entries of a calendar begin. */
  const hoursIn = (calendar: string) =>
    google.calendars
      .living(calendar)
      .map(({ start }) => new Date((start as { dateTime: string }).dateTime).getUTCHours())
      .toSorted((one, other) => one - other);

  /** Another account of a host, with a calendar of its own. */
  function elsewhereOf<Host extends BookedHost>(host: Host): Host {
    const calendar = `elsewhere-${host.calendar}`;
    google.calendars.add(calendar);
    return { ...host, calendar, account: { sub: calendar, email: calendar, scope: null } };
  }

  return { asked, connected, disconnected, hoursIn, elsewhereOf };
}
