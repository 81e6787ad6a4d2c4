import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../support/app.ts';
import { connectGoogle, runCalendarJobs } from '../support/calendar-jobs.ts';
import { googleFake } from '../support/google.ts';
import { newOwner, type Person } from '../support/people.ts';

const google = await googleFake();
let shift = 0;
const app = await startApp({ environment: google.environment, now: () => new Date(Date.now() + shift) });
const LIST = '/scheduler/calendars/connections';

type Owner = Person & { organization_id: string };

const MINUTE = 60_000;
let serial = 0;

/** An owner whose account has one calendar of its own, which was read once. */
async function synced(events: object[] = []) {
  serial += 1;
  const calendar = `person${serial}@gmail.example`;
  google.account = { sub: `${serial}`, email: calendar, scope: null };
  google.verdict = () => undefined;
  google.token_verdict = () => undefined;
  google.calendars.add(calendar);
  for (const event of events) google.calendars.put(calendar, event as never);
  const owner = await newOwner(app);
  const { id } = await connectGoogle(google, owner);
  await owner.patch(`${LIST}/${id}`, {
    calendars: [
      ...(await connectionOf(owner)).calendars.map((one: { id: string }) => ({
        id: one.id,
        checks_conflicts: one.id === calendar,
      })),
    ],
  });
  await runCalendarJobs(app);
  return { owner, id, calendar };
}

const connectionOf = async (owner: Owner) => (await owner.get(LIST)).body.items[0];

/** The busy times of a connection by their keys, in their order. */
async function busyOf(id: string): Promise<[string, string, string, boolean][]> {
  const rows = await app.database.withConnection('*', ({ query }) =>
    query<{ external_key: string; start: string; end: string; all_day: boolean }>(
      `SELECT external_key, "start", "end", all_day FROM scheduler_external_events WHERE connection_id = $1
        ORDER BY external_key`,
      [id],
    ),
  );
  return rows.map((row) => [row.external_key, row.start, row.end, row.all_day]);
}

const keysOf = async (id: string) => (await busyOf(id)).map(([key]) => key);

const at = (hour: number) => new Date(Date.UTC(2027, 0, 12, hour)).toISOString();

function event(id: string, hour: number, fields: object = {}) {
  return {
    id,
    status: 'confirmed',
    summary: '打ち合わせ',
    start: { dateTime: at(hour) },
    end: { dateTime: at(hour + 1) },
    ...fields,
  };
}

describe('a full sync', () => {
  test('keeps what makes its owner busy, whole days from midnight to midnight of the calendar', async () => {
    const { owner, id, calendar } = await synced([
      event('busy', 1),
      event('offset', 2, {
        start: { dateTime: '2027-01-12T12:00:00+09:00' },
        end: { dateTime: '2027-01-12T13:00:00+09:00' },
      }),
      event('day', 3, { start: { date: '2027-01-12' }, end: { date: '2027-01-13' } }),
      event('free', 4, { transparency: 'transparent' }),
      event('declined', 5, { attendees: [{ self: true, responseStatus: 'declined' }] }),
      event('accepted', 6, { attendees: [{ self: true, responseStatus: 'accepted' }] }),
      event('place', 7, { eventType: 'workingLocation' }),
      event('ours', 8, { iCalUID: `book_01kaj2n5w5fq8b4m0g3v7x9rtc@${new URL(app.base_url).host}` }),
      event('instant', 9, { end: { dateTime: at(9) } }),
    ]);
    assert.deepEqual(await busyOf(id), [
      ['accepted', at(6), at(7), false],
      ['busy', at(1), at(2), false],
      ['day', '2027-01-11T15:00:00.000Z', '2027-01-12T15:00:00.000Z', true],
      ['offset', '2027-01-12T03:00:00.000Z', '2027-01-12T04:00:00.000Z', false],
    ]);
    const shown = await connectionOf(owner);
    assert.deepEqual([shown.status, shown.push.active, shown.lag_seconds < 60], ['active', true, true]);
    const asked = google.calls.find(({ path }) => path === `/calendars/${calendar}/events`)!.query;
    const days = (name: string) => Math.round((Date.parse(asked[name]!) - Date.now()) / 86_400_000);
    assert.deepEqual([asked['singleEvents'], days('timeMin'), days('timeMax')], ['true', -1, 760]);
  });

  test('takes all pages in one commit; one that fails leaves what was there', async () => {
    const { owner, id, calendar } = await synced([event('old', 1)]);
    google.calendars.page_size = 2;
    for (const hour of [2, 3, 4, 5]) google.calendars.put(calendar, event(`new${hour}`, hour));
    google.calendars.remove(calendar, 'old');
    google.calendars.forgetTokens();
    google.verdict = ({ query }) => (query['pageToken'] === '2' ? { status: 503, body: {} } : undefined);
    await owner.post(`${LIST}/${id}/sync`);
    const failed = await runCalendarJobs(app);
    assert.deepEqual(
      failed.map(({ outcome }) => outcome),
      ['TryLater'],
    );
    assert.deepEqual(await keysOf(id), ['old']);
    google.verdict = () => undefined;
    await runCalendarJobs(app);
    assert.deepEqual(await keysOf(id), ['new2', 'new3', 'new4', 'new5']);
    google.calendars.page_size = 250;
  });

  test('comes again after seven days, whatever changes said', async () => {
    const { owner, id, calendar } = await synced([event('a', 1)]);
    await app.database.withConnection('*', ({ query }) =>
      query(`UPDATE scheduler_calendars SET full_sync_at = full_sync_at - interval '8 days'`),
    );
    google.calls.length = 0;
    await owner.post(`${LIST}/${id}/sync`);
    await runCalendarJobs(app);
    const [asked] = google.calls.filter(({ path }) => path === `/calendars/${calendar}/events`);
    assert.equal(asked!.query['syncToken'], undefined);
    assert.deepEqual(await keysOf(id), ['a']);
  });
});

describe('an incremental sync', () => {
  test('takes changes and deletions since the last one', async () => {
    const { owner, id, calendar } = await synced([event('a', 1), event('b', 2), event('c', 3)]);
    google.calendars.remove(calendar, 'a');
    google.calendars.put(calendar, event('b', 5));
    google.calendars.put(calendar, event('c', 3, { transparency: 'transparent' }));
    google.calendars.put(calendar, event('d', 6));
    google.calls.length = 0;
    const { job } = (await owner.post(`${LIST}/${id}/sync`)).body;
    await runCalendarJobs(app);
    assert.deepEqual(
      (await busyOf(id)).map(([key, start]) => [key, start]),
      [
        ['b', at(5)],
        ['d', at(6)],
      ],
    );
    assert.notEqual(google.calls[0]!.query['syncToken'], undefined);
    const ended = (await owner.get(`/jobs/${job.id}`)).body.job;
    assert.deepEqual([ended.status, ended.result], ['succeeded', { calendars: 1 }]);
  });

  test('whose token Google no longer knows is a full one at once', async () => {
    const { owner, id, calendar } = await synced([event('a', 1)]);
    google.calendars.forgetTokens();
    google.calendars.put(calendar, event('b', 2));
    await owner.post(`${LIST}/${id}/sync`);
    await runCalendarJobs(app);
    assert.deepEqual(await keysOf(id), ['a', 'b']);
  });

  test('one that is asked for while another runs causes one more', async () => {
    const { owner, id, calendar } = await synced();
    let asked = 0;
    google.verdict = ({ path }) => {
      if (path === `/calendars/${calendar}/events`) asked += 1;
      return undefined;
    };
    await owner.post(`${LIST}/${id}/sync`);
    const meanwhile = google.verdict;
    let told: Promise<unknown> = Promise.resolve();
    google.verdict = (call) => {
      meanwhile(call);
      if (asked === 1) told = owner.post(`${LIST}/${id}/sync`);
      return undefined;
    };
    await runCalendarJobs(app);
    await told;
    await runCalendarJobs(app);
    assert.equal(asked, 2);
  });
});

describe('a calendar that fails', () => {
  test('whose access was taken away has to be connected again: one mail tells its owner', async () => {
    const { owner, id } = await synced([event('a', 1)]);
    google.refuseTokens();
    google.token_verdict = () => ({ status: 400, body: { error: 'invalid_grant' } });
    const { job } = (await owner.post(`${LIST}/${id}/sync`)).body;
    await runCalendarJobs(app);
    await owner.post(`${LIST}/${id}/sync`);
    await runCalendarJobs(app);
    const shown = await connectionOf(owner);
    assert.deepEqual([shown.status, shown.status_reason], ['reauth_required', 'invalid_grant']);
    assert.deepEqual(await keysOf(id), ['a']);
    assert.equal((await owner.get(`/jobs/${job.id}`)).body.job.status, 'failed');
    const mails = await app.database.withConnection('*', ({ query }) =>
      query(`SELECT 1 FROM mails WHERE purpose = 'scheduler.calendar_reconnect' AND organization_id = $1`, [
        owner.organization_id,
      ]),
    );
    assert.equal(mails.length, 1);
    google.token_verdict = () => undefined;
    await connectGoogle(google, owner);
    await runCalendarJobs(app);
    assert.equal((await connectionOf(owner)).status, 'active');
  });

  test('whose secret no key opens has to be connected again', async () => {
    const { owner, id } = await synced();
    await app.database.withConnection('*', ({ query }) =>
      query(`UPDATE sealed_secrets SET key_id = 'lost' WHERE record_id = $1`, [id]),
    );
    await owner.post(`${LIST}/${id}/sync`);
    await runCalendarJobs(app);
    const shown = await connectionOf(owner);
    assert.deepEqual([shown.status, shown.status_reason], ['reauth_required', 'secret_unreadable']);
  });

  test('that Google puts off is asked again when Google says; at last the next time', async () => {
    const { owner, id } = await synced();
    google.verdict = () => ({ status: 429, headers: { 'Retry-After': '7' }, body: {} });
    const { job } = (await owner.post(`${LIST}/${id}/sync`)).body;
    assert.deepEqual(await runCalendarJobs(app), [
      { name: 'scheduler.sync_calendars', outcome: 'Postponed' },
    ]);
    await runCalendarJobs(app, { last_attempt: true });
    assert.equal((await owner.get(`/jobs/${job.id}`)).body.job.error.code, 'rate_limited');
    assert.equal((await connectionOf(owner)).status, 'active');
  });

  test('that Google refuses shows why, and works again with the next answer', async () => {
    const { owner, id } = await synced();
    google.verdict = () => ({ status: 403, body: { error: { errors: [{ reason: 'forbidden' }] } } });
    await owner.post(`${LIST}/${id}/sync`);
    await runCalendarJobs(app);
    const shown = await connectionOf(owner);
    assert.deepEqual([shown.status, shown.status_reason], ['error', 'not_allowed']);
    google.verdict = () => undefined;
    await owner.post(`${LIST}/${id}/sync`);
    await runCalendarJobs(app);
    assert.equal((await connectionOf(owner)).status, 'active');
  });
});

describe('tokens', () => {
  test('are refreshed once by all who need one at the same time', async () => {
    const { id, owner } = await synced();
    shift += 2 * 60 * MINUTE;
    google.grants.length = 0;
    await owner.post(`${LIST}/${id}/sync`);
    await runCalendarJobs(app);
    assert.deepEqual(google.grants, ['refresh_token']);
    google.refuseTokens();
    await owner.post(`${LIST}/${id}/sync`);
    await runCalendarJobs(app);
    assert.deepEqual(google.grants, ['refresh_token', 'refresh_token']);
    shift = 0;
  });
});

describe('disconnecting', () => {
  test('forgets what was read at once; a job closes channels, revokes and forgets the token', async () => {
    const { owner, id } = await synced([event('a', 1)]);
    google.calendars.stopped.length = 0;
    google.revoked.length = 0;
    const { job } = (await owner.post(`${LIST}/${id}/disconnect`)).body;
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
