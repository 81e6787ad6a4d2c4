import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uidOf } from '../../shared/scheduler/icalendar/calendar.ts';
import { startApp } from '../support/app.ts';
import { runCalendarJobs } from '../support/calendar-jobs.ts';
import { startFeedServer } from '../support/feed-server.ts';
import { newOwner } from '../support/people.ts';

const feeds = await startFeedServer();
const app = await startApp({ environment: { CALENDAR_HOSTS: feeds.host } });

const LIST = '/scheduler/calendars/connections';
let paths = 0;

/** An owner with a feed at an address of its own, which was read once. */
async function synced(text: string) {
  const path = `/feed-${++paths}.ics`;
  feeds.answers[path] = (answer) => void answer.end(text);
  const owner = await newOwner(app);
  const made = await owner.post('/scheduler/calendars/connect/ics', { url: `http://${feeds.host}${path}` });
  assert.equal(made.status, 201, made.text);
  await runCalendarJobs(app);
  const { id } = made.body.connection;
  const again = async (changed: string) => {
    feeds.answers[path] = (answer) => void answer.end(changed);
    await owner.post(`${LIST}/${id}/sync`);
    await runCalendarJobs(app);
  };
  const shown = async () => (await owner.get(LIST)).body.items[0];
  const busy = async () => {
    const rows = await app.database.withConnection(owner.organization_id, ({ query }) =>
      query<{ start: string; title: string | null }>(
        'SELECT "start", title FROM scheduler_external_events WHERE connection_id = $1 ORDER BY "start"',
        [id],
      ),
    );
    return rows.map(({ start, title }) => `${start} ${title}`);
  };
  return { again, shown, busy, path, owner, id };
}

function calendar(...events: [uid: string, start: string, ...lines: string[]][]): string {
  const texts = events.flatMap(([uid, start, ...lines]) => [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTART:${start}`,
    'DURATION:PT1H',
    ...lines,
    'END:VEVENT',
  ]);
  return ['BEGIN:VCALENDAR', ...texts, 'END:VCALENDAR', ''].join('\r\n');
}

test('a feed makes its owner busy, but for our own bookings in it', async () => {
  const { shown, busy, again } = await synced(
    calendar(
      ['a', '20270112T010000Z', 'SUMMARY:会議', 'RRULE:FREQ=DAILY;COUNT=2'],
      [uidOf('book_01kaj2n5w5fq8b4m0g3v7x9rtc', app.base_url), '20270112T050000Z'],
    ),
  );
  assert.deepEqual(await busy(), ['2027-01-12T01:00:00.000Z 会議', '2027-01-13T01:00:00.000Z 会議']);
  const { status, lag_seconds, account } = await shown();
  assert.deepEqual([status, lag_seconds < 60, account], ['active', true, feeds.host]);
  await again(calendar(['b', '20270114T010000Z', 'SUMMARY:面談']));
  assert.deepEqual(await busy(), ['2027-01-14T01:00:00.000Z 面談']);
});

test('a feed that is broken becomes an error with its reason, keeps what was read, and works again', async () => {
  const good = calendar(['a', '20270112T010000Z', 'SUMMARY:会議']);
  const { shown, busy, again } = await synced(good);
  for (const [text, reason] of [
    ['<html></html>', 'not_a_calendar'],
    [calendar(['a', '20270112T010000Z', 'RRULE:FREQ=SECONDLY']), 'too_many_events'],
  ] as const) {
    await again(text);
    const { status, status_reason } = await shown();
    assert.deepEqual([status, status_reason], ['error', reason]);
    assert.deepEqual(await busy(), ['2027-01-12T01:00:00.000Z 会議']);
  }
  await again(good);
  assert.deepEqual([(await shown()).status, (await shown()).status_reason], ['active', null]);
});

test('a feed that was broken when it was connected is an error, too', async () => {
  const { shown } = await synced('nothing');
  assert.deepEqual([(await shown()).status, (await shown()).status_reason], ['error', 'not_a_calendar']);
});

test('a feed that never answered is an error once its tries are over; one that was read today may be away', async () => {
  const away = () => runCalendarJobs(app, { last_attempt: true });
  const refuse = (path: string) => {
    feeds.answers[path] = (answer) => void answer.writeHead(503).end();
  };
  const path = `/feed-${++paths}.ics`;
  refuse(path);
  const owner = await newOwner(app);
  await owner.post('/scheduler/calendars/connect/ics', { url: `http://${feeds.host}${path}` });
  await away();
  const never = (await owner.get(LIST)).body.items[0];
  assert.deepEqual([never.status, never.last_synced_at], ['error', null]);
  assert.notEqual(never.status_reason, null);
  feeds.answers[path] = (answer) => void answer.end(calendar(['a', '20270112T010000Z']));
  await owner.post(`${LIST}/${never.id}/sync`);
  await runCalendarJobs(app);
  const now_read = (await owner.get(LIST)).body.items[0];
  assert.deepEqual([now_read.status, now_read.status_reason], ['active', null]);
  refuse(path);
  await owner.post(`${LIST}/${never.id}/sync`);
  await away();
  assert.equal((await owner.get(LIST)).body.items[0].status, 'active');
  await app.database.withConnection(owner.organization_id, ({ query }) =>
    query(
      `UPDATE scheduler_connections SET last_synced_at = last_synced_at - interval '25 hours' WHERE id = $1`,
      [never.id],
    ),
  );
  await owner.post(`${LIST}/${never.id}/sync`);
  await away();
  assert.equal((await owner.get(LIST)).body.items[0].status, 'error');
});

test('a feed that asks to be asked again at once waits a while, as one that names no time', async () => {
  const { path, owner, id } = await synced(calendar());
  feeds.answers[path] = (answer) => void answer.writeHead(429, { 'Retry-After': '0' }).end();
  await owner.post(`${LIST}/${id}/sync`);
  assert.deepEqual(await runCalendarJobs(app), [{ name: 'scheduler.sync_calendars', outcome: 'TryLater' }]);
});

test('a feed that puts each reading off shows it after a day, and is asked when it says', async () => {
  // What other tests left to be tried again is none of this one.
  await app.database.withConnection('*', ({ query }) => query('DELETE FROM outbox'));
  const { path, owner, id, shown } = await synced(calendar());
  feeds.answers[path] = (answer) => void answer.writeHead(429, { 'Retry-After': '3600' }).end();
  await owner.post(`${LIST}/${id}/sync`);
  const tried = async () => (await runCalendarJobs(app)).map(({ outcome }) => outcome);
  assert.deepEqual([await tried(), await tried()], [['Postponed'], ['Postponed']]);
  assert.equal((await shown()).status, 'active');
  await app.database.withConnection(owner.organization_id, ({ query }) =>
    query(
      `UPDATE scheduler_connections SET last_synced_at = last_synced_at - interval '24 hours' WHERE id = $1`,
      [id],
    ),
  );
  assert.deepEqual(await tried(), ['done']);
  assert.deepEqual([(await shown()).status, (await shown()).status_reason], ['error', 'rate_limited']);
  const [next] = await app.database.withConnection(owner.organization_id, ({ query }) =>
    query<{ is_later: boolean }>(
      `SELECT next_sync_at > now() + interval '50 minutes' AS is_later FROM scheduler_calendars WHERE connection_id = $1`,
      [id],
    ),
  );
  assert.deepEqual(next, { is_later: true });
  feeds.answers[path] = (answer) => void answer.end(calendar());
  await owner.post(`${LIST}/${id}/sync`);
  assert.deepEqual([await tried(), (await shown()).status], [['done'], 'active']);
});

test('a feed of 10,000 events is kept whole', async () => {
  const events = Array.from({ length: 10_000 }, (_, index): [string, string] => {
    const start = new Date(Date.UTC(2027, 0, 1) + index * 3_600_000);
    return [`event-${index}`, start.toISOString().replace(/\.\d+/, '').replace(/[-:]/g, '')];
  });
  const { busy, shown } = await synced(calendar(...events));
  assert.equal((await shown()).status, 'active');
  assert.equal((await busy()).length, 10_000);
});
