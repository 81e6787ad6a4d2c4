import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { OutsideServices } from '../../shared/platform/outside/open.ts';
import { startApp } from '../support/app.ts';
import { runCalendarJobs } from '../support/calendar-jobs.ts';
import { googleFake } from '../support/google.ts';
import { CONNECTIONS, event, syncedCalendars } from '../support/synced-calendars.ts';
import { until } from '../support/until.ts';

const google = await googleFake();
const app = await startApp({ environment: google.environment });
const { synced, connectionOf, keysOf } = syncedCalendars(app, google);
const { outside } = app.context;

describe('Google that hangs in the middle of a sync', () => {
  test('holds up nobody: no connection of the database, no row, and the sync goes on with its answer', async () => {
    const { owner, id, calendar } = await synced([event('a', 1)]);
    google.calendars.put(calendar, event('b', 2) as never);
    google.calendars.put(calendar, event('c', 3) as never);
    google.calendars.page_size = 1;
    const [hangs, answers] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const call: OutsideServices['call'] = async (asked) => {
      if (asked.url.includes('pageToken')) {
        hangs.resolve();
        await answers.promise;
      }
      return outside.call(asked);
    };
    await owner.post(`${CONNECTIONS}/${id}/sync`);
    const running = runCalendarJobs(app, { outside: { ...outside, call } });
    await hangs.promise;
    await until('no connection of the database is held', () => {
      const { open, idle, waiting } = app.database.use();
      return open === idle && waiting === 0;
    });
    const again = await owner.post(`${CONNECTIONS}/${id}/sync`);
    assert.equal(again.status, 202, again.text);
    const decided = [{ id: calendar, is_write_target: true }];
    assert.equal((await owner.patch(`${CONNECTIONS}/${id}`, { calendars: decided })).status, 200);
    assert.deepEqual(await keysOf(id), ['a']);
    answers.resolve();
    const ended = await running;
    google.calendars.page_size = 250;
    assert.ok(ended.every(({ outcome }) => outcome === 'done'));
    assert.deepEqual(await keysOf(id), ['a', 'b', 'c']);
  });

  test('for longer than a call may last is tried again, and nothing of it is kept', async () => {
    const { owner, id, calendar } = await synced([event('a', 1)]);
    google.calendars.put(calendar, event('b', 2) as never);
    google.verdict = ({ path }) => (path === `/calendars/${calendar}/events` ? 'silence' : undefined);
    const call: OutsideServices['call'] = (asked) => outside.call({ ...asked, time_limit: 100 });
    await owner.post(`${CONNECTIONS}/${id}/sync`);
    assert.deepEqual(await runCalendarJobs(app, { outside: { ...outside, call } }), [
      { name: 'scheduler.sync_calendars', outcome: 'TryLater' },
    ]);
    assert.deepEqual([await keysOf(id), (await connectionOf(owner)).status], [['a'], 'active']);
    google.verdict = () => undefined;
    await runCalendarJobs(app);
    assert.deepEqual(await keysOf(id), ['a', 'b']);
  });
});
