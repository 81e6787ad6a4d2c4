import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { remindersOf } from '../../../shared/scheduler/reminders/due.ts';
import { sendDueReminders } from '../../../shared/scheduler/reminders/sweep.ts';
import { startApp } from '../../support/app.ts';
import { newGuests } from '../../support/bookings.ts';
import { lettersAbout } from '../../support/letters.ts';
import { changeBooking } from '../../support/stored-bookings.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const signal = new AbortController().signal;
let now = new Date();
const app = await startApp({ now: () => now });

describe('the reminders of a time', () => {
  const start = '2027-01-15T01:00:00.000Z';
  const at = (minutes: number) => new Date(Date.parse(start) - minutes * MINUTE);
  const due = (
    rules: Parameters<typeof remindersOf>[0],
    moment: Date,
    to: 'guest' | 'hosts' | 'both' = 'both',
  ) =>
    remindersOf(rules, { start, user_ids: ['usr_a', 'usr_b'], to }, moment).map(
      ({ minutes_before, recipient }) => `${minutes_before} ${recipient}`,
    );

  it('go to whom the rule names, once each', () => {
    const rules = [
      { minutes_before: 60, to: 'both' as const },
      { minutes_before: 60, to: 'guest' as const },
      { minutes_before: 10, to: 'hosts' as const },
    ];
    assert.deepEqual(due(rules, at(90)), ['60 guest', '60 usr_a', '60 usr_b', '10 usr_a', '10 usr_b']);
    assert.deepEqual(due(rules, at(90), 'guest'), ['60 guest']);
    assert.deepEqual(due(rules, at(90), 'hosts'), ['60 usr_a', '60 usr_b', '10 usr_a', '10 usr_b']);
  });

  it('are never those that are past', () => {
    const rules = [{ minutes_before: 60, to: 'guest' as const }];
    assert.deepEqual([due(rules, at(60.5)), due(rules, at(60)), due(rules, at(59))], [['60 guest'], [], []]);
  });
});

/** An organization that reminds guests a day and an hour before; a booking of two days ahead. */
async function reminding() {
  now = new Date();
  const client = await app.actor();
  const { organization_id, user_id } = client.actor;
  const default_reminders = [1_440, 60].map((minutes_before) => ({ minutes_before, to: 'guest' }));
  assert.equal((await client.patch('/scheduler/settings', { default_reminders })).status, 200);
  const made = await changeBooking(app, { organization_id }, 'created', [null, { user_ids: [user_id] }]);
  /** Looks so many minutes before a start, and answers how many reminders were asked for altogether. */
  const look = async (minutes: number, { start } = made) => {
    now = new Date(Date.parse(start) - minutes * MINUTE);
    await sendDueReminders(app.database, now, signal);
    const mails = await app.database.withConnection(organization_id, ({ query }) =>
      query("SELECT FROM mails WHERE organization_id = $1 AND purpose = 'scheduler.reminder'", [
        organization_id,
      ]),
    );
    return mails.length;
  };
  return { organization_id, made, look };
}

describe('a booking', () => {
  it('is told once of each time before it, however often is looked', async () => {
    const { look } = await reminding();
    assert.deepEqual([await look(1_441), await look(1_440), await look(1_439)], [0, 1, 1]);
    await Promise.all([look(60), look(60)]);
    assert.equal(await look(59), 2);
    assert.equal(await look(-1), 2);
  });

  it('that was moved or cancelled is not told of its old time', async () => {
    const { organization_id, made, look } = await reminding();
    const later = (time: string) => new Date(Date.parse(time) + 5 * 86_400_000).toISOString();
    const moved = await changeBooking(app, { organization_id }, 'rescheduled', [
      made,
      { start: later(made.start), end: later(made.end), revision: 1 },
    ]);
    assert.equal(await look(30), 0);
    assert.equal(await look(1_440, moved), 1);
    await changeBooking(app, { organization_id, now }, 'cancelled', [
      moved,
      { status: 'cancelled', revision: 2 },
    ]);
    assert.equal(await look(60, moved), 1);
  });

  it('is told of the nearest alone by workers that come late, and of nothing once it has begun', async () => {
    const late = await reminding();
    assert.equal(await late.look(30), 1);
    const begun = await reminding();
    assert.equal(await begun.look(0), 0);
  });

  it('that waits for confirmation is not told of', async () => {
    const { organization_id, made, look } = await reminding();
    await changeBooking(app, { organization_id }, 'rescheduled', [made, { status: 'pending', revision: 1 }]);
    assert.equal(await look(60), 0);
  });
});

describe('a session', () => {
  /** One of three seats two days ahead, of which everybody is reminded an hour before; and who hosts it. */
  async function sharing() {
    now = new Date();
    const reminders = [{ minutes_before: 60, to: 'both' }];
    const { desk, book } = await newGuests(app, { seats_per_slot: 3, reminders });
    const start = new Date(Math.floor(now.getTime() / DAY + 3) * DAY + 3 * 60 * MINUTE).toISOString();
    const booked = async () => (await book({ start })).body;
    const seats = [await booked(), await booked()];
    const { session_id } = (await desk.done('GET', `/bookings/${seats[0].booking.id}`)).booking;
    /** Looks an hour before, and answers what was asked for: how many mails to guests, and to hosts of the session. */
    const look = async () => {
      now = new Date(Date.parse(start) - 60 * MINUTE);
      await sendDueReminders(app.database, now, signal);
      const ids = seats.map(({ booking }) => booking.id);
      const guests = await Promise.all(ids.map((id) => lettersAbout(app, 'scheduler.reminder', id)));
      return [
        guests.map((letters) => letters.length),
        (await lettersAbout(app, 'scheduler.session_reminder', session_id)).length,
      ];
    };
    const leave = (seat: number) => app.anonymous.post(`/scheduler/b/${seats[seat].token}/cancel`, {});
    return { look, leave, session_id };
  }

  it('reminds each guest of a booking, and its host once, with the seats that are taken', async () => {
    const { look, session_id } = await sharing();
    assert.deepEqual(await look(), [[1, 1], 1]);
    assert.deepEqual(await look(), [[1, 1], 1]);
    const [letter] = await lettersAbout(app, 'scheduler.session_reminder', session_id);
    assert.match(letter!.paragraphs.join('\n'), /参加人数：2 \/ 3/);
    assert.equal(letter!.calendar, undefined);
  });

  it('reminds neither who has left it, nor its host when everybody has', async () => {
    const one = await sharing();
    await one.leave(0);
    assert.deepEqual(await one.look(), [[0, 1], 1]);
    const all = await sharing();
    await all.leave(0);
    await all.leave(1);
    assert.deepEqual(await all.look(), [[0, 0], 0]);
  });
});
