import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newId } from '../../../shared/kernel/id.ts';
import { CalendarFailure, type ReadPage } from '../../../shared/scheduler/calendars/provider.ts';
import { providerOf } from '../../../shared/scheduler/calendars/providers.ts';
import { calendarText, uidOf } from '../../../shared/scheduler/icalendar/calendar.ts';
import { startApp } from '../../support/app.ts';
import { readByIcalJs } from '../../support/icalendar.ts';
import { newOwner } from '../../support/people.ts';
import { has_radicale, startRadicale } from '../../support/radicale.ts';

const CONNECT = '/scheduler/calendars/connect/caldav';
const TASKS =
  '<C:supported-calendar-component-set><C:comp name="VTODO"/></C:supported-calendar-component-set>';
const PARIS =
  '<C:calendar-timezone>BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:Europe/Paris\nEND:VTIMEZONE\nEND:VCALENDAR</C:calendar-timezone>';

/** Nobody listens there. */
const NOBODY = '127.0.0.1:9';

type Read = { holds: string; changes: ReadPage['changes']; token: string | null };

describe('calendars of a CalDAV server', { skip: !has_radicale && 'radicale is not installed' }, async () => {
  if (!has_radicale) return;
  const server = await startRadicale();
  const app = await startApp({ environment: { CALENDAR_HOSTS: `${server.host},${NOBODY}` } });
  const owner = await newOwner(app);
  const account = { url: server.url, username: server.username, password: server.password };

  async function connected(url: string) {
    const reply = await owner.post(CONNECT, { ...account, url });
    assert.equal(reply.status, 201, reply.text);
    return reply.body.connection;
  }

  /** What reads a calendar by its address. */
  async function reader(url: string): Promise<(sync_token: string | null) => Promise<Read>> {
    const { id, calendars } = await connected(url);
    const open = providerOf('caldav').open({
      database: app.database,
      services: app.context.outside,
      organization_id: owner.organization_id,
      connection_id: id,
      clock: () => new Date(),
    });
    return async (sync_token) => {
      const [from, to] = [new Date('2026-11-25'), new Date('2028-12-24')];
      const asked = { calendar_id: calendars[0].id, sync_token, from, to, owner_time_zone: 'Asia/Tokyo' };
      const { holds, pages } = await open.read(asked);
      const all: ReadPage[] = [];
      for await (const page of pages) all.push(page);
      return { holds, changes: all.flatMap(({ changes }) => changes), token: all.at(-1)!.next_sync_token };
    };
  }

  it('are found from the address of the server, and the first one checks conflicts', async () => {
    const work = await server.makeCalendar('a-work');
    const home = await server.makeCalendar('b-home', PARIS);
    await server.makeCalendar('tasks', TASKS);
    const { calendars, provider, account: shown } = await connected(server.url);
    assert.deepEqual([provider, shown], ['caldav', `hanako@${server.host}`]);
    const shown_calendars = calendars as { id: string; is_primary: boolean; checks_conflicts: boolean }[];
    assert.deepEqual(
      shown_calendars.toSorted((one, other) => (one.id < other.id ? -1 : 1)).map(withoutPlace),
      [
        { id: work, name: 'a-work', time_zone: null, is_write_target: false },
        { id: home, name: 'b-home', time_zone: 'Europe/Paris', is_write_target: false },
      ],
    );
    const places = shown_calendars.map(({ is_primary, checks_conflicts }) => [is_primary, checks_conflicts]);
    assert.deepEqual(places, [
      [true, true],
      [false, false],
    ]);
    await Promise.all([server.removeCalendar(work), server.removeCalendar(home)]);
  });

  it('are those of one address, where it is that of a calendar', async () => {
    const url = await server.makeCalendar('c-one');
    const { calendars } = await connected(url);
    assert.deepEqual(
      calendars.map(({ id }: { id: string }) => id),
      [url],
    );
    await server.removeCalendar(url);
  });

  it('are refused with a wrong password, or where there is no such server', async () => {
    const wrong = await owner.post(CONNECT, { ...account, password: 'wrong' });
    assert.deepEqual([wrong.status, wrong.body.errors[0].path], [422, '/password']);
    const nowhere = await owner.post(CONNECT, { ...account, url: `http://${NOBODY}/` });
    assert.deepEqual([nowhere.status, nowhere.body.code], [422, 'provider_error'], nowhere.text);
    const inside = await owner.post(CONNECT, { ...account, url: 'https://192.168.1.1/' });
    assert.deepEqual([inside.status, inside.body.code], [422, 'forbidden_address']);
    const colon = await owner.post(CONNECT, { ...account, username: 'a:b' });
    assert.deepEqual([colon.status, colon.body.errors[0].path], [422, '/username']);
  });

  it('are read whole, in their own zone, and then by what changed', async () => {
    const url = await server.makeCalendar('d-read', PARIS);
    await server.put(url, 'series.ics', event('series', '20261201T010000Z', 'RRULE:FREQ=DAILY;COUNT=3'));
    await server.put(url, 'day.ics', event('day', ';VALUE=DATE:20261207', '', ''));
    await server.put(url, 'old.ics', event('old', '20201201T010000Z'));
    const read = await reader(url);
    const whole = await read(null);
    assert.equal(whole.holds, 'all');
    assert.deepEqual(starts(whole), [
      '2026-12-01T01:00Z',
      '2026-12-02T01:00Z',
      '2026-12-03T01:00Z',
      '2026-12-06T23:00Z',
    ]);
    assert.deepEqual(await read(whole.token), { holds: 'changes', changes: [], token: whole.token });

    await keep(whole.changes, url);
    await server.put(url, 'series.ics', event('series', '20261201T010000Z', 'RRULE:FREQ=DAILY;COUNT=2'));
    await server.put(url, 'new one.ics', event('new', '20261210T010000Z'));
    await server.remove(url, 'day.ics');
    const changed = await read(whole.token);
    assert.equal(changed.holds, 'changes');
    assert.deepEqual(starts(changed), ['2026-12-01T01:00Z', '2026-12-02T01:00Z', '2026-12-10T01:00Z']);
    const gone = changed.changes.filter(({ busy }) => busy === null).map(({ key }) => key);
    const kept = new Set(changed.changes.filter(({ busy }) => busy).map(({ key }) => key));
    assert.deepEqual(
      gone.toSorted(),
      whole.changes
        .map(({ key }) => key)
        .filter((key) => !kept.has(key))
        .toSorted(),
    );
    assert.equal(gone.length, 2);
    assert.deepEqual((await read(changed.token)).changes, []);
    await server.removeCalendar(url);
  });

  /** Keeps what was read, as a sync does. */
  async function keep(changes: ReadPage['changes'], calendar_id: string): Promise<void> {
    await app.database.withConnection(owner.organization_id, (connection) =>
      connection.query(
        `INSERT INTO scheduler_external_events (organization_id, id, connection_id, calendar_id, external_key, user_id,
           "start", "end", all_day)
         SELECT $1, 'cevt_' || read.key, calendar.connection_id, $2, read.key, $3, read."start", read."end", false
           FROM scheduler_calendars AS calendar,
                jsonb_to_recordset($4::jsonb) AS read (key text, "start" timestamptz, "end" timestamptz)
          WHERE calendar.organization_id = $1 AND calendar.id = $2`,
        [
          owner.organization_id,
          calendar_id,
          owner.user_id,
          JSON.stringify(changes.map(({ key, busy }) => ({ key, ...busy }))),
        ],
      ),
    );
  }

  it('are read whole where the server does not know the token any more', async () => {
    const url = await server.makeCalendar('e-token');
    await server.put(url, 'a.ics', event('a', '20261201T010000Z'));
    const read = await reader(url);
    const { token } = await read(null);
    const unknown = { ...JSON.parse(token!), value: 'http://radicale.org/ns/sync/unknown' };
    const again = await read(JSON.stringify(unknown));
    assert.deepEqual([again.holds, starts(again)], ['all', ['2026-12-01T01:00Z']]);
    await server.removeCalendar(url);
  });

  it('take what mails carry, an invitation and what takes it back, as it was written', async () => {
    const url = await server.makeCalendar('h-mails');
    const { organization_id } = owner;
    const uid = uidOf(newId('book', new Date()), app.base_url);
    const [start, end] = ['2026-12-01T01:00:00.000Z', '2026-12-01T01:40:00.000Z'];
    const invites = {
      organizer: { name: `株式会社 "山田"; ${organization_id}`, address: 'no-reply@service.example' },
      attendees: [{ name: '試験 花子', address: "o'hara+tag@example.com" }],
    };
    const event = { uid, stamped_at: start, start, end, invites, location: null };
    const texts = { summary: '初回相談; 山田, 花子 \\ "東京"', description: '一行目\n二行目'.repeat(20) };
    const read = await reader(url);
    for (const [sequence, method, status, busy] of [
      [0, 'REQUEST', 'CONFIRMED', ['2026-12-01T01:00Z']],
      [1, 'CANCEL', 'CANCELLED', []],
    ] as const) {
      const text = calendarText({ method, events: [{ ...event, ...texts, sequence, status }] });
      await server.put(url, 'booking.ics', text);
      const { events } = readByIcalJs(await server.read(url, 'booking.ics'));
      assert.deepEqual(events, readByIcalJs(text).events);
      assert.deepEqual(starts(await read(null)), busy);
    }
    await server.removeCalendar(url);
  });

  it('are gone where the server does not have them any more', async () => {
    const url = await server.makeCalendar('f-gone');
    const read = await reader(url);
    await server.removeCalendar(url);
    await assert.rejects(read(null), (error) => error instanceof CalendarFailure && error.reason === 'gone');
  });

  it('of more than a hundred resources are read in parts, each once', async () => {
    const url = await server.makeCalendar('g-many');
    const days = Array.from({ length: 101 }, (_, day) => new Date(Date.UTC(2026, 11, 1 + day)));
    const events = days.map((day, index) => {
      const at = day.toISOString().slice(0, 10).replaceAll('-', '');
      return event(`event-${index}`, `${at}T010000Z`).split('\r\n').slice(3, -2);
    });
    await server.put(
      url,
      '',
      ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:test', ...events.flat(), 'END:VCALENDAR', ''].join('\r\n'),
    );
    const { changes } = await (await reader(url))(null);
    assert.equal(new Set(changes.map(({ key }) => key)).size, 101);
    await server.removeCalendar(url);
  });
});

function event(uid: string, start: string, rule = '', length = 'DURATION:PT1H'): string {
  const at = start.startsWith(';') ? start : `:${start}`;
  const lines = [`UID:${uid}`, 'DTSTAMP:20261126T000000Z', `DTSTART${at}`, length, rule].filter(Boolean);
  const all = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:test',
    'BEGIN:VEVENT',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ];
  return all.join('\r\n');
}

function withoutPlace<T extends { is_primary: boolean; checks_conflicts: boolean }>(calendar: T) {
  const { is_primary: _, checks_conflicts: __, ...others } = calendar;
  return others;
}

function starts({ changes }: Read): string[] {
  return changes
    .flatMap(({ busy }) => (busy ? [busy.start.toISOString().replace(':00.000Z', 'Z')] : []))
    .toSorted();
}
