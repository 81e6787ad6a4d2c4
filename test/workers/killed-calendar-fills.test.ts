import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { bookedHost, connectedAgain } from '../support/booked-hosts.ts';
import { runCalendarJobs } from '../support/calendar-jobs.ts';
import { googleFake } from '../support/google.ts';
import { somebodyWaits, whileHeld } from '../support/held.ts';
import { CONNECTIONS } from '../support/synced-calendars.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';

const google = await googleFake();
const app = await startApp({ environment: google.environment });
const { asked, connected, disconnected, hoursIn, elsewhereOf } = connectedAgain(app, google);

const start = () => {
  const { dataDir: DATA_DIR } = app.context.settings;
  const own = { DATABASE_URL: app.database_url, DATA_DIR, BASE_URL: app.base_url };
  return startWorkers({ ...own, ...google.environment }, ['--queues', 'calendar-sync']);
};

test('workers that are killed while a calendar is filled leave each booking one entry', async () => {
  const host = await bookedHost(app, google);
  const { owner, id, calendar, book, syncOf } = host;
  const [one, other] = [await book(1), await book(2)];
  await runCalendarJobs(app);
  await disconnected(owner, id);
  const elsewhere = elsewhereOf(host);
  const present = await connected(elsewhere);
  const undecided = [{ id: elsewhere.calendar, is_write_target: false }];
  await owner.patch(`${CONNECTIONS}/${present}`, { calendars: undecided });
  const made = await book(3);
  await asked(host);
  google.calls.length = 0;
  const removals = () => google.calls.filter(({ method }) => method === 'DELETE').length;

  google.verdict = ({ method }) => (method === 'DELETE' ? 'silence' : undefined);
  const first = await start();
  await until('a duplicate is removed', () => removals() === 1);
  await first.kill();
  google.verdict = () => undefined;
  await whileHeld(app.database, 'scheduler_hosts', async () => {
    const second = await start();
    await somebodyWaits(app.database);
    await second.kill();
  });
  const third = await start();
  await until('the booking that was made has its entry', async () => (await syncOf(made)) === 'written');
  assert.equal(await third.stop(), 0);

  assert.deepEqual([hoursIn(calendar), hoursIn(elsewhere.calendar)], [[3], [1, 2]]);
  assert.deepEqual([await syncOf(one), await syncOf(other)], ['written', 'written']);
  const written = google.calls.filter(({ method, path }) => method === 'POST' && path.endsWith('/events'));
  assert.equal(written.length, 1);
  const left = await app.database.withConnection('*', ({ query }) =>
    query('SELECT FROM scheduler_left_entries'),
  );
  assert.equal(left.length, 0);
});
