import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { uidOf } from '../../shared/scheduler/icalendar/calendar.ts';
import { startApp } from '../support/app.ts';
import { connectGoogle, runCalendarJobs } from '../support/calendar-jobs.ts';
import { googleFake } from '../support/google.ts';
import { at, CONNECTIONS, event, syncedCalendars } from '../support/synced-calendars.ts';

const google = await googleFake();
const app = await startApp({ environment: google.environment });
const { synced, connectionOf, busyOf, keysOf } = syncedCalendars(app, google);

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
      event('ours', 8, { iCalUID: uidOf('book_01kaj2n5w5fq8b4m0g3v7x9rtc', app.base_url) }),
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
    await owner.post(`${CONNECTIONS}/${id}/sync`);
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
    await owner.post(`${CONNECTIONS}/${id}/sync`);
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
    const { job } = (await owner.post(`${CONNECTIONS}/${id}/sync`)).body;
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
    await owner.post(`${CONNECTIONS}/${id}/sync`);
    await runCalendarJobs(app);
    assert.deepEqual(await keysOf(id), ['a', 'b']);
  });

  test('whose token ends between two pages is a full one at once', async () => {
    const { owner, id, calendar } = await synced([event('a', 1)]);
    for (const key of ['b', 'c']) google.calendars.put(calendar, event(key, 2));
    google.calendars.page_size = 1;
    google.verdict = ({ query }) =>
      query['syncToken'] !== undefined && query['pageToken'] !== undefined
        ? { status: 410, body: { error: { errors: [{ reason: 'fullSyncRequired' }] } } }
        : undefined;
    await owner.post(`${CONNECTIONS}/${id}/sync`);
    await runCalendarJobs(app);
    google.calendars.page_size = 250;
    assert.equal((await connectionOf(owner)).status, 'active');
    assert.deepEqual(await keysOf(id), ['a', 'b', 'c']);
  });

  test('one that is asked for while another runs causes one more', async () => {
    const { owner, id, calendar } = await synced();
    let asked = 0;
    google.verdict = ({ path }) => {
      if (path === `/calendars/${calendar}/events`) asked += 1;
      return undefined;
    };
    await owner.post(`${CONNECTIONS}/${id}/sync`);
    const meanwhile = google.verdict;
    let told: Promise<unknown> = Promise.resolve();
    google.verdict = (call) => {
      meanwhile(call);
      if (asked === 1) told = owner.post(`${CONNECTIONS}/${id}/sync`);
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
    const { job } = (await owner.post(`${CONNECTIONS}/${id}/sync`)).body;
    await runCalendarJobs(app);
    await owner.post(`${CONNECTIONS}/${id}/sync`);
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
    await owner.post(`${CONNECTIONS}/${id}/sync`);
    await runCalendarJobs(app);
    const shown = await connectionOf(owner);
    assert.deepEqual([shown.status, shown.status_reason], ['reauth_required', 'secret_unreadable']);
  });

  test('that Google puts off is asked again when Google says; at last the next time', async () => {
    const { owner, id } = await synced();
    google.verdict = () => ({ status: 429, headers: { 'Retry-After': '7' }, body: {} });
    const { job } = (await owner.post(`${CONNECTIONS}/${id}/sync`)).body;
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
    await owner.post(`${CONNECTIONS}/${id}/sync`);
    await runCalendarJobs(app);
    const shown = await connectionOf(owner);
    assert.deepEqual([shown.status, shown.status_reason], ['error', 'not_allowed']);
    google.verdict = () => undefined;
    await owner.post(`${CONNECTIONS}/${id}/sync`);
    await runCalendarJobs(app);
    assert.equal((await connectionOf(owner)).status, 'active');
  });
});
