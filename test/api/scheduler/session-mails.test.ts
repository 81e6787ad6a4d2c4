import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newGuests } from '../../support/bookings.ts';
import { readByIcalJs } from '../../support/icalendar.ts';
import { lettersAbout } from '../../support/letters.ts';

const app = await startApp();

it('the host of seats gets one event with its headcount, each guest the event of their own booking', async () => {
  const { desk, book } = await newGuests(app, { seats_per_slot: 3 });
  const noon = new Date(Math.floor(Date.now() / 86_400_000 + 3) * 86_400_000 + 3 * 3_600_000).toISOString();
  const first = await book({ start: noon });
  assert.equal(first.status, 201, first.text);
  const second = await book({ start: noon });
  assert.equal(second.status, 201, second.text);
  const { session_id } = (await desk.get(`/scheduler/bookings/${first.body.booking.id}`)).body.booking;
  await app.anonymous.post(`/scheduler/b/${first.body.token}/cancel`, {});
  await app.anonymous.post(`/scheduler/b/${second.body.token}/cancel`, {});
  const letters = await lettersAbout(app, 'scheduler.session', session_id);
  const heard = letters.map(({ calendar }) => {
    const { method, events } = readByIcalJs(calendar!.text);
    const { uid, sequence, summary } = events[0]!;
    return [uid.split('@')[0], method, sequence, summary.slice(-5)];
  });
  assert.deepEqual(heard, [
    [session_id, 'REQUEST', 0, '(1/3)'],
    [session_id, 'REQUEST', 1, '(2/3)'],
    [session_id, 'REQUEST', 2, '(1/3)'],
    [session_id, 'CANCEL', 3, '(0/3)'],
  ]);
  const own = await lettersAbout(app, 'scheduler.booking', first.body.booking.id);
  assert.deepEqual(
    own.map(({ calendar }) => calendar?.method),
    ['REQUEST', 'CANCEL'],
    'the host reads of the session alone',
  );
});
