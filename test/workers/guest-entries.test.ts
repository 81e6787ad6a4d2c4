import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { releaseDueMails } from '../../shared/scheduler/mails/order.ts';
import { startApp } from '../support/app.ts';
import { googleHost, runCalendarJobs } from '../support/calendar-jobs.ts';
import { googleFake } from '../support/google.ts';
import { readByIcalJs } from '../support/icalendar.ts';
import { lettersAbout } from '../support/letters.ts';
import type { Person } from '../support/people.ts';

const google = await googleFake();
const app = await startApp({ environment: google.environment });

/** An event type of those fields that a host with a calendar has, and guests who book it at a start. */
async function bookedBy(owner: Person, fields: object) {
  await owner.post('/scheduler/availability', {
    name: '毎日',
    weekly: [
      { days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'], start: '09:00', end: '18:00' },
    ],
  });
  const type = { title: '講習', duration_minutes: 30, booking_window: { type: 'none' }, ...fields };
  const { body } = await owner.post('/scheduler/event-types', type);
  const { slug } = (await owner.get('/organization')).body.organization;
  return async (start: string) => {
    const guest = { name: '佐藤 花子', email: 'guest@example.com' };
    const path = `/scheduler/p/${slug}/${body.event_type.slug}/book`;
    const reply = await app.anonymous.post(path, { start, guest });
    assert.equal(reply.status, 201, reply.text);
    return reply.body;
  };
}

/** A Tuesday at 10:00 in Japan, and an hour later. */
const [TEN, ELEVEN] = ['2027-01-12T01:00:00.000Z', '2027-01-12T02:00:00.000Z'];

test('the entry of a session goes with its last seat, also where that is moved to another session', async () => {
  const { owner, calendar } = await googleHost(app, google);
  const reserve = await bookedBy(owner, { seats_per_slot: 2 });
  const { token } = await reserve(TEN);
  await runCalendarJobs(app);
  const moved = await app.anonymous.post(`/scheduler/b/${token}/reschedule`, { start: ELEVEN });
  assert.equal(moved.status, 200, moved.text);
  await runCalendarJobs(app);
  const starts = google.calendars.living(calendar).map(({ start }) => start);
  assert.deepEqual(starts, [{ dateTime: ELEVEN }]);
});

describe('the mail to a guest about a meeting', () => {
  const link = 'https://meet.google.example/xyz';
  /** A booking whose meeting has no link yet, and whether the delivery of its mail to the guest is asked for. */
  const meeting = async () => {
    google.calendars.meeting_link = null;
    const { owner } = await googleHost(app, google);
    const reserve = await bookedBy(owner, { locations: [{ type: 'google_meet' }] });
    const begun = Date.now();
    const { booking } = await reserve(TEN);
    const asked = () =>
      app.database.withConnection('*', ({ query }) =>
        query<{ recipient: string }>(
          `SELECT said.recipient FROM scheduler_mails AS said
             JOIN outbox ON outbox.payload ->> 'mail_id' = said.mail_id
            WHERE said.record_id = $1 ORDER BY said.recipient`,
          [booking.id],
        ),
      );
    const recipients = async () => (await asked()).map(({ recipient }) => recipient);
    await runCalendarJobs(app);
    assert.deepEqual(await recipients(), [owner.user_id], 'hosts do not wait');
    return { id: booking.id as string, begun, recipients };
  };

  test('waits for its link, and has it', async () => {
    const { id, recipients } = await meeting();
    google.calendars.meeting_link = link;
    await runCalendarJobs(app);
    assert.equal((await recipients())[0], 'guest');
    const [letter] = await lettersAbout(app, 'scheduler.booking', id);
    assert.ok(letter!.paragraphs.join('\n').includes(link));
    assert.equal(readByIcalJs(letter!.calendar!.text).events[0]!.location, `Google Meet ${link}`);
  });

  test('goes after a minute without one', async () => {
    const { begun, recipients } = await meeting();
    const { signal } = new AbortController();
    await releaseDueMails(app.database, new Date(begun + 59_999), signal);
    assert.equal((await recipients()).length, 1);
    const after = new Date(Date.now() + 60_000);
    await releaseDueMails(app.database, after, signal);
    assert.equal((await recipients())[0], 'guest');
    await releaseDueMails(app.database, after, signal);
    assert.equal((await recipients()).length, 2);
  });
});
