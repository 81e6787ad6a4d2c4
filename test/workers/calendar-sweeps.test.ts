import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { restoreOrphans } from '../../shared/platform/outbox/orphans.ts';
import { calendarOrphans } from '../../shared/scheduler/calendars/orphans.ts';
import { calendarSweeps } from '../../shared/scheduler/calendars/sweeps.ts';
import { startApp } from '../support/app.ts';
import { bookedHost } from '../support/booked-hosts.ts';
import { runCalendarJobs } from '../support/calendar-jobs.ts';
import { googleFake } from '../support/google.ts';
import { CONNECTIONS, event, syncedCalendars } from '../support/synced-calendars.ts';

const google = await googleFake();
const app = await startApp({ environment: google.environment });
const { synced, connectionOf, keysOf } = syncedCalendars(app, google);
const { signal } = new AbortController();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const later = (milliseconds: number) => new Date(Date.now() + milliseconds);

function sweep(name: string, now: Date): Promise<number> {
  return calendarSweeps.find((one) => one.name === name)!.run(app.database, now, signal);
}

const restore = () => restoreOrphans(app.database, calendarOrphans, new Date(), signal);

function query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return app.database.withConnection('*', (connection) => connection.query<Row>(text, values));
}

/** Ends all that other tests have connected: sweeps look at every organization. */
async function alone(): Promise<void> {
  await query('DELETE FROM outbox');
  await query('DELETE FROM scheduler_channels');
  await query(`UPDATE scheduler_connections SET status = 'disconnected', disconnected_at = NULL`);
  await query('UPDATE scheduler_calendars SET next_sync_at = NULL');
}

/** The jobs of calendars that the outbox holds. */
async function asked(): Promise<string[]> {
  const rows = await query<{ name: string }>(
    `SELECT name FROM outbox WHERE queue = 'calendar-sync' ORDER BY name`,
  );
  return rows.map(({ name }) => name);
}

describe('what time asks for of calendars', () => {
  test('a calendar is read again after 15 minutes, by one run, also after an error, not without access', async () => {
    await alone();
    const { id, calendar } = await synced([event('a', 1)]);
    assert.equal(await sweep('calendars_due', later(14 * MINUTE)), 0);
    assert.equal(await sweep('calendars_due', later(16 * MINUTE)), 1);
    assert.equal(await sweep('calendars_due', later(16 * MINUTE)), 0);
    assert.deepEqual(await asked(), ['scheduler.sync_calendars']);
    google.calendars.put(calendar, event('b', 2) as never);
    await query('UPDATE scheduler_calendars SET next_sync_at = $2 WHERE connection_id = $1', [
      id,
      new Date().toISOString(),
    ]);
    await runCalendarJobs(app);
    assert.deepEqual(await keysOf(id), ['a', 'b']);
    await query(`UPDATE scheduler_connections SET status = 'reauth_required' WHERE id = $1`, [id]);
    assert.equal(await sweep('calendars_due', later(16 * MINUTE)), 0);
    await query(`UPDATE scheduler_connections SET status = 'error' WHERE id = $1`, [id]);
    assert.equal(await sweep('calendars_due', later(16 * MINUTE)), 1);
  });

  test('a channel is replaced two days before its end, and the one before is closed once', async () => {
    await alone();
    const { owner, id, calendar } = await synced();
    const opened = () => google.calendars.channels.filter((one) => one.calendar_id === calendar);
    const [first] = opened();
    assert.equal(await sweep('calendar_watches', new Date()), 0);
    await query(
      `UPDATE scheduler_channels SET expires_at = now() + interval '47 hours' WHERE connection_id = $1`,
      [id],
    );
    assert.equal(await sweep('calendar_watches', new Date()), 1);
    google.calendars.stopped.length = 0;
    google.verdict = ({ path }) => (path === '/channels/stop' ? { status: 503, body: {} } : undefined);
    assert.deepEqual(await runCalendarJobs(app), [
      { name: 'scheduler.watch_calendars', outcome: 'TryLater' },
    ]);
    google.verdict = () => undefined;
    assert.deepEqual(await runCalendarJobs(app), [{ name: 'scheduler.watch_calendars', outcome: 'done' }]);
    assert.deepEqual([opened().length, google.calendars.stopped], [2, [first!.id]]);
    const kept = await query<{ id: string }>('SELECT id FROM scheduler_channels WHERE connection_id = $1', [
      id,
    ]);
    assert.deepEqual(kept, [{ id: opened()[1]!.id }]);
    assert.equal((await connectionOf(owner)).push.active, true);
    assert.equal(await sweep('calendar_watches', new Date()), 0);
  });

  test('the secret of a calendar that was disconnected a day ago is forgotten, whatever Google says; no other', async () => {
    await alone();
    const [ended, living] = [await synced(), await synced()];
    assert.equal((await ended.owner.post(`${CONNECTIONS}/${ended.id}/disconnect`)).status, 200);
    const kept = async () => {
      const rows = await query<{ record_id: string }>(
        'SELECT record_id FROM sealed_secrets WHERE record_id = ANY ($1) ORDER BY record_id',
        [[ended.id, living.id]],
      );
      return rows.map(({ record_id }) => record_id);
    };
    assert.equal(await sweep('calendar_secrets', later(23 * HOUR)), 0);
    assert.deepEqual(await kept(), [ended.id, living.id].toSorted());
    assert.equal(await sweep('calendar_secrets', later(25 * HOUR)), 1);
    assert.deepEqual(await kept(), [living.id]);
  });

  test('a consent that nobody came back from is removed after ten minutes', async () => {
    await alone();
    const { owner } = await synced();
    await owner.post('/scheduler/calendars/connect/google', {});
    assert.equal(await sweep('expired_scheduler_consents', later(9 * MINUTE)), 0);
    assert.equal(await sweep('expired_scheduler_consents', later(11 * MINUTE)), 1);
  });
});

describe('work on calendars that lost its delivery', () => {
  test('is asked for again where a calendar is to be read, or was being read; what is cared for is left', async () => {
    await alone();
    const { owner, id, calendar } = await synced();
    google.calendars.put(calendar, event('a', 1) as never);
    await owner.post(`${CONNECTIONS}/${id}/sync`);
    assert.equal(await restore(), 0);
    await query('DELETE FROM outbox');
    await query(`UPDATE scheduler_connections SET sync_delivery_id = 'dlv_lost' WHERE id = $1`, [id]);
    assert.equal(await restore(), 1);
    assert.deepEqual(await asked(), ['scheduler.sync_calendars']);
    assert.equal(await restore(), 0);
    await runCalendarJobs(app);
    assert.deepEqual(await keysOf(id), ['a']);
  });

  test('is asked for again where an entry is to be written', async () => {
    await alone();
    const { book, syncOf, calendar } = await bookedHost(app, google);
    const booking = await book(20);
    assert.equal(await restore(), 0);
    await query('DELETE FROM outbox');
    assert.equal(await restore(), 1);
    assert.deepEqual(await asked(), ['scheduler.write_entry']);
    await runCalendarJobs(app);
    assert.deepEqual([await syncOf(booking), google.calendars.living(calendar).length], ['written', 1]);
  });
});
