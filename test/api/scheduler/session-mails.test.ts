import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newGuests } from '../../support/bookings.ts';
import { readByIcalJs } from '../../support/icalendar.ts';
import { lettersAbout } from '../../support/letters.ts';

const app = await startApp();

/** Noon in Japan, three days ahead. */
const noon = new Date(Math.floor(Date.now() / 86_400_000 + 3) * 86_400_000 + 3 * 3_600_000).toISOString();

/** What the calendars of hosts heard of a session: the name, method, number and headcount of each mail. */
async function heardOf(session_id: string) {
  const letters = await lettersAbout(app, 'scheduler.session', session_id);
  return letters.map(({ calendar }) => {
    const { method, events } = readByIcalJs(calendar!.text);
    const { uid, sequence, summary } = events[0]!;
    return [uid.split('@')[0], method, sequence, summary.slice(-5)];
  });
}

it('the host of seats gets one event with its headcount, each guest the event of their own booking', async () => {
  const locations = [{ type: 'in_person', label: '本社', value: '東京都千代田区1-1' }];
  const { desk, book } = await newGuests(app, { seats_per_slot: 3, locations });
  const first = await book({ start: noon });
  assert.equal(first.status, 201, first.text);
  const second = await book({ start: noon });
  assert.equal(second.status, 201, second.text);
  const { session_id } = (await desk.get(`/scheduler/bookings/${first.body.booking.id}`)).body.booking;
  await app.anonymous.post(`/scheduler/b/${first.body.token}/cancel`, {});
  await app.anonymous.post(`/scheduler/b/${second.body.token}/cancel`, {});
  assert.deepEqual(await heardOf(session_id), [
    [session_id, 'REQUEST', 0, '(1/3)'],
    [session_id, 'REQUEST', 1, '(2/3)'],
    [session_id, 'REQUEST', 2, '(1/3)'],
    [session_id, 'CANCEL', 3, '(0/3)'],
  ]);
  const [opened, ...others] = await lettersAbout(app, 'scheduler.session', session_id);
  assert.match(opened!.subject, /^新しい予約が入りました/);
  assert.match(opened!.paragraphs.join('\n'), /東京都千代田区1-1/);
  assert.match(opened!.calendar!.text, /LOCATION:.*東京都/);
  assert.match(others[0]!.subject, /^参加人数が変わりました/);
  const own = await lettersAbout(app, 'scheduler.booking', first.body.booking.id);
  assert.deepEqual(
    own.map(({ calendar }) => calendar?.method),
    ['REQUEST', 'CANCEL'],
    'the host reads of the session alone',
  );
});

it('a session that is cancelled is told to its host once, and to each guest', async () => {
  const { desk, book } = await newGuests(app, { seats_per_slot: 3 });
  const [first] = [await book({ start: noon }), await book({ start: noon })];
  const { session_id } = (await desk.done('GET', `/bookings/${first!.body.booking.id}`)).booking;
  const { session } = await desk.done('POST', `/sessions/${session_id}/cancel`, { reason: '中止' });
  assert.deepEqual(await heardOf(session_id), [
    [session_id, 'REQUEST', 0, '(1/3)'],
    [session_id, 'REQUEST', 1, '(2/3)'],
    [session_id, 'CANCEL', 2, '(0/3)'],
  ]);
  assert.deepEqual([session.status, session.taken, session.ics_sequence], ['cancelled', 0, 2]);
  const told = await lettersAbout(app, 'scheduler.booking', first!.body.booking.id);
  assert.equal(told.at(-1)!.calendar!.method, 'CANCEL');
});

it('a time that becomes one of seats leaves the calendars of its hosts as what it was', async () => {
  const { desk, event_type, book } = await newGuests(app);
  const { booking, token } = (await book({ start: noon })).body;
  await desk.done('PATCH', `/event-types/${event_type.id}`, { seats_per_slot: 3 });
  const later = new Date(Date.parse(noon) + 3_600_000).toISOString();
  const moved = await app.anonymous.post(`/scheduler/b/${token}/reschedule`, { start: later });
  assert.equal(moved.status, 200, moved.text);
  const { session_id } = (await desk.done('GET', `/bookings/${booking.id}`)).booking;
  assert.deepEqual(await heardOf(session_id), [[session_id, 'REQUEST', 0, '(1/3)']]);
  const toHost = (await lettersAbout(app, 'scheduler.booking', booking.id)).filter(
    ({ to }) => to[0]!.address !== booking.guest.email,
  );
  assert.deepEqual(
    toHost.map(({ calendar }) => {
      const { method, events } = readByIcalJs(calendar!.text);
      return [method, events[0]!.sequence, events[0]!.start];
    }),
    [
      ['REQUEST', 0, noon],
      ['CANCEL', 1, noon],
    ],
  );
});
