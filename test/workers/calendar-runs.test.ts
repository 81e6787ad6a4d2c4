import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../support/app.ts';
import { connectGoogle, runCalendarJobs } from '../support/calendar-jobs.ts';
import { googleFake } from '../support/google.ts';
import { CONNECTIONS, event, syncedCalendars } from '../support/synced-calendars.ts';

const google = await googleFake();
let shift = 0;
const app = await startApp({ environment: google.environment, now: () => new Date(Date.now() + shift) });
const { synced, connectionOf, keysOf } = syncedCalendars(app, google);

const MINUTE = 60_000;

describe('a calendar beside one that fails', () => {
  test('does not make the connection work again', async () => {
    const { owner, id, calendar } = await synced();
    const other = `${calendar}.other`;
    google.calendars.add(other);
    await connectGoogle(google, owner);
    await owner.patch(`${CONNECTIONS}/${id}`, { calendars: [{ id: other, checks_conflicts: true }] });
    google.verdict = ({ path }) =>
      path === `/calendars/${other}/events`
        ? { status: 403, body: { error: { errors: [{ reason: 'forbidden' }] } } }
        : undefined;
    await owner.post(`${CONNECTIONS}/${id}/sync`);
    await runCalendarJobs(app);
    assert.equal((await connectionOf(owner)).status, 'error');
    const channel = google.calendars.channels.findLast(({ calendar_id }) => calendar_id === calendar)!;
    await owner.post('/scheduler/calendars/push/google', undefined, {
      'X-Goog-Channel-ID': channel.id,
      'X-Goog-Channel-Token': channel.token,
    });
    await runCalendarJobs(app);
    assert.equal((await connectionOf(owner)).status, 'error');
    google.verdict = () => undefined;
    await owner.post(`${CONNECTIONS}/${id}/sync`);
    await runCalendarJobs(app);
    assert.equal((await connectionOf(owner)).status, 'active');
  });
});

describe('tokens', () => {
  test('are refreshed once by all who need one at the same time', async () => {
    const { id, owner } = await synced();
    shift += 2 * 60 * MINUTE;
    google.grants.length = 0;
    await owner.post(`${CONNECTIONS}/${id}/sync`);
    await runCalendarJobs(app);
    assert.deepEqual(google.grants, ['refresh_token']);
    google.refuseTokens();
    await owner.post(`${CONNECTIONS}/${id}/sync`);
    await runCalendarJobs(app);
    assert.deepEqual(google.grants, ['refresh_token', 'refresh_token']);
    shift = 0;
  });
});

describe('disconnecting', () => {
  test('while a calendar is read leaves nothing of what was read', async () => {
    const { owner, id } = await synced([event('a', 1), event('b', 2), event('c', 3)]);
    google.calendars.forgetTokens();
    google.calendars.page_size = 1;
    await owner.post(`${CONNECTIONS}/${id}/sync`);
    google.verdict = ({ query }) => (query['pageToken'] === '2' ? { status: 403 } : undefined);
    const { outside } = app.context;
    const call: typeof outside.call = async (asked) => {
      if (asked.url.includes('pageToken=1')) await owner.post(`${CONNECTIONS}/${id}/disconnect`);
      return outside.call(asked);
    };
    await runCalendarJobs(app, { outside: { ...outside, call } });
    google.calendars.page_size = 250;
    const left = await app.database.withConnection('*', ({ query }) =>
      query('SELECT external_key FROM scheduler_read_events WHERE connection_id = $1', [id]),
    );
    assert.deepEqual(left, []);
  });

  test('takes no access back from an account that is connected again before the job runs', async () => {
    const { owner, id } = await synced();
    google.calendars.stopped.length = 0;
    google.revoked.length = 0;
    const { job } = (await owner.post(`${CONNECTIONS}/${id}/disconnect`)).body;
    await connectGoogle(google, owner);
    await runCalendarJobs(app);
    assert.equal((await owner.get(`/jobs/${job.id}`)).body.job.status, 'succeeded');
    assert.deepEqual([google.calendars.stopped.length, google.revoked.length], [1, 0]);
  });

  test('forgets what was read at once; a job closes channels, revokes and forgets the token', async () => {
    const { owner, id } = await synced([event('a', 1)]);
    google.calendars.stopped.length = 0;
    google.revoked.length = 0;
    const { job } = (await owner.post(`${CONNECTIONS}/${id}/disconnect`)).body;
    assert.deepEqual(await keysOf(id), []);
    await runCalendarJobs(app);
    assert.equal((await owner.get(`/jobs/${job.id}`)).body.job.status, 'succeeded');
    assert.deepEqual([google.calendars.stopped.length, google.revoked.length], [1, 1]);
    const secrets = await app.database.withConnection('*', ({ query }) =>
      query('SELECT 1 FROM sealed_secrets WHERE record_id = $1', [id]),
    );
    assert.deepEqual(secrets, []);
    assert.equal((await connectionOf(owner)).push.active, false);
  });
});
