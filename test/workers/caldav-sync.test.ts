import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startApp } from '../support/app.ts';
import { failingAt, leavingOut, startCaldavProxy, withoutChanges } from '../support/caldav-proxy.ts';
import { runCalendarJobs } from '../support/calendar-jobs.ts';
import { newOwner } from '../support/people.ts';
import { has_radicale, startRadicale } from '../support/radicale.ts';
import { CONNECTIONS } from '../support/synced-calendars.ts';

describe('servers of CalDAV', { skip: !has_radicale && 'radicale is not installed' }, async () => {
  if (!has_radicale) return;
  const server = await startRadicale();
  const proxy = await startCaldavProxy(server.host);
  const app = await startApp({ environment: { CALENDAR_HOSTS: proxy.host } });

  /** An owner whose calendar has two events, and was read once. */
  async function synced(name: string) {
    const url = await server.makeCalendar(name);
    await server.put(url, 'a.ics', event('a', 1));
    await server.put(url, 'b.ics', event('b', 2));
    const owner = await newOwner(app);
    const { username, password } = server;
    const account = { url: proxy.at(url), username, password };
    const made = await owner.post('/scheduler/calendars/connect/caldav', account);
    assert.equal(made.status, 201, made.text);
    const { id } = made.body.connection;
    await runCalendarJobs(app);
    const sync = async () => {
      proxy.calls.length = 0;
      await owner.post(`${CONNECTIONS}/${id}/sync`);
      return (await runCalendarJobs(app)).map(({ outcome }) => outcome);
    };
    const hours = async () => {
      const rows = await app.database.withConnection(owner.organization_id, ({ query }) =>
        query<{ start: string }>(
          'SELECT "start" FROM scheduler_external_events WHERE connection_id = $1 ORDER BY "start"',
          [id],
        ),
      );
      return rows.map(({ start }) => new Date(start).getUTCHours());
    };
    return { url, sync, hours };
  }

  const asked = (report: string) => proxy.calls.filter(({ body }) => body.includes(report)).length;

  it('without changes by a token are read whole when their tag changes, and not before', async () => {
    proxy.change = withoutChanges;
    const { url, sync, hours } = await synced('tags');
    assert.deepEqual(await hours(), [1, 2]);
    await sync();
    assert.deepEqual([asked('calendar-query'), asked('calendar-multiget')], [0, 0]);
    await server.put(url, 'a.ics', event('a', 5));
    await server.remove(url, 'b.ics');
    await server.put(url, 'c.ics', event('c', 6));
    assert.deepEqual(await sync(), ['done']);
    assert.deepEqual([asked('sync-collection'), asked('calendar-query')], [0, 1]);
    assert.deepEqual(await hours(), [5, 6]);
  });

  for (const [which, change] of [
    ['fail at', failingAt('b.ics')],
    ['leave out', leavingOut('b.ics')],
  ] as const) {
    it(`that ${which} one of several events lose none: all is read by the token of before`, async () => {
      proxy.change = (_, answer) => answer;
      const { url, sync, hours } = await synced(`part-${which.replace(' ', '-')}`);
      await server.put(url, 'a.ics', event('a', 5));
      await server.put(url, 'b.ics', event('b', 6));
      proxy.change = change;
      assert.deepEqual(await sync(), ['TryLater']);
      assert.deepEqual(await hours(), [1, 2]);
      proxy.change = (_, answer) => answer;
      assert.deepEqual(await sync(), ['done']);
      assert.deepEqual(await hours(), [5, 6]);
    });
  }

  it('that answer for a part of what is asked are asked for the rest', async () => {
    proxy.change = (_, answer) => answer;
    const { url, sync, hours } = await synced('parts');
    await server.put(url, 'a.ics', event('a', 5));
    await server.put(url, 'b.ics', event('b', 6));
    proxy.change = (call, answer) =>
      call.body.includes('a.ics') ? leavingOut('b.ics')(call, answer) : answer;
    assert.deepEqual(await sync(), ['done']);
    assert.deepEqual([asked('calendar-multiget'), await hours()], [2, [5, 6]]);
  });

  it('are not asked for events that they say are removed', async () => {
    proxy.change = (_, answer) => answer;
    const { url, sync, hours } = await synced('removed');
    await server.remove(url, 'b.ics');
    assert.deepEqual(await sync(), ['done']);
    assert.deepEqual([asked('calendar-multiget'), await hours()], [0, [1]]);
  });
});

function event(uid: string, hour: number): string {
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:test',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20261126T000000Z',
    `DTSTART:20270112T0${hour}0000Z`,
    'DURATION:PT1H',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');
}
