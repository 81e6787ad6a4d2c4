import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { OutsideServices } from '../../shared/platform/outside/open.ts';
import { type TokenSource, tokensOf } from '../../shared/scheduler/calendars/google/tokens.ts';
import { CalendarFailure } from '../../shared/scheduler/calendars/provider.ts';
import { startApp } from '../support/app.ts';
import { connectGoogle } from '../support/calendar-jobs.ts';
import { googleFake } from '../support/google.ts';
import { syncedCalendars } from '../support/synced-calendars.ts';
import { until } from '../support/until.ts';

const google = await googleFake();
const app = await startApp({ environment: google.environment });
const { synced } = syncedCalendars(app, google);
const { outside } = app.context;

const HOUR = 3_600_000;
const later = () => new Date(Date.now() + 2 * HOUR);

/** The tokens of a connection, two hours after it was made, as one process has them. */
function source(
  { owner, id }: Awaited<ReturnType<typeof synced>>,
  { call = outside.call, signal }: { call?: OutsideServices['call']; signal?: AbortSignal } = {},
): TokenSource {
  const services = { ...outside, call };
  const { organization_id } = owner;
  const opening = { database: app.database, services, organization_id, connection_id: id, clock: later };
  return tokensOf({ ...opening, ...(signal ? { signal } : {}) }, outside.google!);
}

/** A way to Google that lets nobody through before it is opened. */
function gate() {
  const [asked, open] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const call: OutsideServices['call'] = async (what) => {
    asked.resolve();
    await open.promise;
    return outside.call(what);
  };
  return { call, asked: asked.promise, open: open.resolve };
}

/** A lease does not end by itself while a test runs, however slow the machine is. */
const LONG = `token_lease_ends_at = now() + interval '1 hour'`;

const setLease = (id: string, changes: string) =>
  app.database.withConnection('*', ({ query }) =>
    query(`UPDATE scheduler_connections SET ${changes} WHERE id = $1`, [id]),
  );

const isNobodyWorking = () => {
  const { open, idle, waiting } = app.database.use();
  return open === idle && waiting === 0;
};

describe('a token that many need at the same time', () => {
  test('is asked for once: all get it, and no connection of the database waits for Google', async () => {
    const calendar = await synced();
    google.grants.length = 0;
    const { call, asked, open } = gate();
    const first = source(calendar, { call }).accessToken();
    await asked;
    await setLease(calendar.id, LONG);
    await until('no connection of the database is held', isNobodyWorking);
    const others = Array.from({ length: 20 }, () => source(calendar).accessToken());
    await until('the others have looked', isNobodyWorking);
    open();
    const tokens = await Promise.all([first, ...others]);
    assert.deepEqual([google.grants, new Set(tokens).size], [['refresh_token'], 1]);
  });

  test('is asked for by the next one where Google did not give it', async () => {
    const calendar = await synced();
    google.token_verdict = () => ({ status: 503, body: {} });
    await assert.rejects(
      source(calendar).accessToken(),
      (error) => error instanceof CalendarFailure && error.word === 'token_status_503',
    );
    google.token_verdict = () => undefined;
    google.grants.length = 0;
    await source(calendar).accessToken();
    assert.deepEqual(google.grants, ['refresh_token']);
  });

  test('is asked for by another process once the time of a killed one is over, and not before', async () => {
    const calendar = await synced();
    await setLease(calendar.id, `token_lease = 'killed', ${LONG}`);
    google.grants.length = 0;
    let isThere = false;
    const waiting = source(calendar)
      .accessToken()
      .finally(() => {
        isThere = true;
      });
    await until('it has looked', isNobodyWorking);
    assert.deepEqual([isThere, google.grants], [false, []]);
    await setLease(calendar.id, 'token_lease_ends_at = now()');
    await waiting;
    assert.deepEqual(google.grants, ['refresh_token']);
  });

  test('is waited for no longer than who asks has time', async () => {
    const calendar = await synced();
    await setLease(calendar.id, `token_lease = 'other', ${LONG}`);
    const ending = new AbortController();
    const waiting = source(calendar, { signal: ending.signal }).accessToken();
    const over = new Error('the time is over');
    ending.abort(over);
    await assert.rejects(waiting, over);
  });

  test('of an account that was connected again meanwhile does not take the place of its new one', async () => {
    const calendar = await synced();
    const { call, asked, open } = gate();
    const first = source(calendar, { call }).accessToken();
    await asked;
    await connectGoogle(google, calendar.owner);
    const kept = await source(calendar).refreshToken();
    open();
    await first;
    assert.equal(await source(calendar).refreshToken(), kept);
  });
});
