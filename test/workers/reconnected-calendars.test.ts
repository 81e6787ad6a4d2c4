import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inWork } from '../../shared/db/in-work.ts';
import { transaction } from '../../shared/db/transaction.ts';
import { systemActor } from '../../shared/kernel/reader.ts';
import { takeBackLeft } from '../../shared/scheduler/calendars/entries/left.ts';
import { busyLive } from '../../shared/scheduler/calendars/live/ask.ts';
import { startApp } from '../support/app.ts';
import { type BookedHost, bookedAt, bookedHost, connectedAgain } from '../support/booked-hosts.ts';
import { connectGoogle, runCalendarJobs } from '../support/calendar-jobs.ts';
import { googleFake } from '../support/google.ts';
import { somebodyWaits } from '../support/held.ts';
import { CONNECTIONS } from '../support/synced-calendars.ts';

const google = await googleFake();
const app = await startApp({ environment: google.environment });

const { asked, connected, disconnected, hoursIn, elsewhereOf } = connectedAgain(app, google);

/** What calendars say of a host when they are asked just now. */
async function liveOf({ owner: { organization_id, user_id } }: BookedHost) {
  const live = { database: app.database, services: app.context.outside, clock: app.context.now };
  const members = [{ user_id, role: 'required' as const }];
  const [from, to] = [Date.parse(bookedAt(0)), Date.parse(bookedAt(8))];
  return (await busyLive(live, { organization_id, members, from, to })).get(user_id);
}

async function externalOf(id: string): Promise<object[]> {
  return app.database.withConnection('*', ({ query }) =>
    query('SELECT external_key FROM scheduler_external_events WHERE connection_id = $1', [id]),
  );
}

describe('an account that is connected again', () => {
  test('has its entries of before: they occupy nobody, and go on with their bookings', async () => {
    const host = await bookedHost(app, google);
    const { owner, id, calendar, book, move, cancel, syncOf } = host;
    const [one, other] = [await book(1), await book(5)];
    await runCalendarJobs(app);
    await disconnected(owner, id);
    assert.equal(await syncOf(one), 'none');
    const again = await connected(host);
    assert.notEqual(again, id);
    assert.deepEqual(await externalOf(again), []);
    assert.deepEqual([await syncOf(one), hoursIn(calendar)], ['written', [1, 5]]);
    assert.deepEqual(await liveOf(host), { known: 'live', busy: [] });
    await move(one, 2);
    await cancel(other);
    await runCalendarJobs(app);
    assert.deepEqual(hoursIn(calendar), [2]);
  });

  test('has what happened meanwhile: bookings that were moved, cancelled and made', async () => {
    const host = await bookedHost(app, google);
    const { owner, id, calendar, book, move, cancel, syncOf } = host;
    const [moved, cancelled] = [await book(1), await book(5)];
    await runCalendarJobs(app);
    await disconnected(owner, id);
    await move(moved, 2);
    await cancel(cancelled);
    const made = await book(8);
    assert.deepEqual(hoursIn(calendar), [1, 5]);
    const again = await connected(host);
    assert.deepEqual([await syncOf(made), hoursIn(calendar)], ['written', [2, 8]]);
    await owner.post(`${CONNECTIONS}/${again}/sync`);
    await runCalendarJobs(app);
    assert.deepEqual(await externalOf(again), []);
  });

  test('has an entry of a booking to come of which nothing is known any more', async () => {
    const host = await bookedHost(app, google);
    const { owner, id, calendar, book, syncOf } = host;
    const booking = await book(1);
    await runCalendarJobs(app);
    await disconnected(owner, id);
    await app.database.withConnection('*', ({ query }) => query('DELETE FROM scheduler_left_entries'));
    const again = await connected(host);
    await owner.post(`${CONNECTIONS}/${again}/sync`);
    await runCalendarJobs(app);
    assert.deepEqual([await syncOf(booking), hoursIn(calendar)], ['written', [1]]);
    assert.deepEqual(await externalOf(again), []);
  });

  test('loses the entry of a booking that stands in another account by now', async () => {
    const host = await bookedHost(app, google);
    const { owner, id, calendar, book, move } = host;
    const booking = await book(1);
    await runCalendarJobs(app);
    await disconnected(owner, id);
    const other = elsewhereOf(host);
    const elsewhere = other.calendar;
    await connected(other);
    await move(booking, 2);
    await runCalendarJobs(app);
    assert.deepEqual([hoursIn(calendar), hoursIn(elsewhere)], [[1], [2]]);
    const [start, end] = [bookedAt(1), bookedAt(2)];
    const meeting = { id: 'meeting', start: { dateTime: start }, end: { dateTime: end } };
    google.calendars.put(elsewhere, { ...meeting, status: 'confirmed' });
    const busy = [{ start: Date.parse(start), end: Date.parse(end) }];
    assert.deepEqual(await liveOf(host), { known: 'live', busy });
    google.calendars.remove(elsewhere, 'meeting');
    const again = await connected(host);
    assert.deepEqual([hoursIn(calendar), hoursIn(elsewhere)], [[], [2]]);
    assert.deepEqual(await externalOf(again), []);
  });
});

describe('an account that is disconnected again', () => {
  test('while its duplicates are removed keeps its other entries', async () => {
    const host = await bookedHost(app, google);
    const { owner, id, calendar, book } = host;
    await book(1);
    await runCalendarJobs(app);
    await disconnected(owner, id);
    await connected(elsewhereOf(host));
    google.account = host.account;
    google.verdict = ({ method }) => (method === 'DELETE' ? { status: 503 } : undefined);
    const again = (await connectGoogle(google, owner)).id;
    await owner.patch(`${CONNECTIONS}/${again}`, { calendars: [{ id: calendar, is_write_target: true }] });
    await runCalendarJobs(app);
    await book(5);
    await runCalendarJobs(app);
    assert.deepEqual(hoursIn(calendar), [1, 5]);
    google.verdict = () => undefined;
    const { outside } = app.context;
    const call: typeof outside.call = async (asked) => {
      const answer = await outside.call(asked);
      if (asked.method === 'DELETE') await owner.post(`${CONNECTIONS}/${again}/disconnect`);
      return answer;
    };
    await runCalendarJobs(app, { outside: { ...outside, call } });
    assert.deepEqual(hoursIn(calendar), [5]);
  });

  test('by the time that a job fills it is left alone', async () => {
    const host = await bookedHost(app, google);
    const { owner, id, book } = host;
    const booking = await book(1);
    await runCalendarJobs(app);
    await owner.post(`${CONNECTIONS}/${id}/disconnect`);
    const where = { actor: systemActor, request_id: null, ip_address: null, now: new Date() };
    const isTaken = await app.database.withConnection(owner.organization_id, (connection) =>
      inWork(
        { ...where, connection, organization_id: owner.organization_id },
        (work) => takeBackLeft(work, id, owner.user_id),
        { may_change_nothing: true },
      ),
    );
    assert.equal(isTaken, false);
    await connected(host);
    assert.deepEqual([await host.syncOf(booking), hoursIn(host.calendar)], ['written', [1]]);
  });

  test('while somebody books has the booking when it is connected again', async () => {
    const host = await bookedHost(app, google);
    const { owner, id, calendar, book, move, syncOf } = host;
    const booking = await book(1);
    const entries = await app.database.withConnection('*', ({ query }) =>
      query<object>('DELETE FROM scheduler_calendar_entries WHERE record_id = $1 RETURNING *', [booking]),
    );
    await owner.post(`${CONNECTIONS}/${id}/disconnect`);
    // A booking that has read the calendar as it was commits its entry now.
    await app.database.withConnection('*', ({ query }) =>
      query(
        `INSERT INTO scheduler_calendar_entries
         SELECT * FROM jsonb_populate_record(NULL::scheduler_calendar_entries, $1::jsonb)`,
        [JSON.stringify(entries[0])],
      ),
    );
    await runCalendarJobs(app);
    await connected(host);
    await move(booking, 2);
    await runCalendarJobs(app);
    assert.deepEqual([await syncOf(booking), hoursIn(calendar)], ['written', [2]]);
  });
});

test('a calendar that is connected for the first time gets the bookings to come', async () => {
  const host = await bookedHost(app, google);
  const { owner, id, book, syncOf } = host;
  await disconnected(owner, id);
  const booking = await book(1);
  await runCalendarJobs(app);
  assert.equal(await syncOf(booking), 'none');
  const calendar = `first-${host.calendar}`;
  google.calendars.add(calendar);
  const account = { sub: calendar, email: calendar, scope: null };
  await connected({ ...host, account, calendar });
  assert.deepEqual([await syncOf(booking), hoursIn(calendar)], ['written', [1]]);
});

test('a booking that is confirmed while a calendar is filled has its entry', async () => {
  const host = await bookedHost(app, google);
  const { owner, id, calendar, book, syncOf } = host;
  await disconnected(owner, id);
  const booking = await book(1);
  const { organization_id } = owner;
  const change = (columns: string) =>
    `UPDATE scheduler_bookings SET ${columns} WHERE organization_id = $1 AND id = $2`;
  const values = [organization_id, booking];
  const pending = `status = 'pending', pending_expires_at = "start"`;
  await app.database.withConnection(organization_id, ({ query }) => query(change(pending), values));
  const [begun, filled] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const confirming = app.database.withConnection(organization_id, (connection) =>
    transaction(connection, async (commit) => {
      await connection.query(change(`status = 'confirmed', pending_expires_at = NULL`), values);
      begun.resolve();
      await filled.promise;
      await commit(Promise.resolve());
    }),
  );
  await begun.promise;
  await asked(host);
  const filling = runCalendarJobs(app);
  await Promise.race([filling, somebodyWaits(app.database)]);
  filled.resolve();
  await Promise.all([confirming, filling]);
  assert.deepEqual([await syncOf(booking), hoursIn(calendar)], ['written', [1]]);
});
