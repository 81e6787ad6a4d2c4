import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { CalendarFailure, type ReadPage } from '../../../shared/scheduler/calendars/provider.ts';
import { providerOf } from '../../../shared/scheduler/calendars/providers.ts';
import { startApp } from '../../support/app.ts';
import { startFeedServer } from '../../support/feed-server.ts';
import { newOwner } from '../../support/people.ts';

const feeds = await startFeedServer();
const app = await startApp({ environment: { CALENDAR_HOSTS: feeds.host } });
const owner = await newOwner(app);

const CONNECT = '/scheduler/calendars/connect/ics';

function calendar(...events: string[]): string {
  return ['BEGIN:VCALENDAR', 'X-WR-TIMEZONE:Europe/Paris', ...events, 'END:VCALENDAR', ''].join('\r\n');
}

function event(uid: string, ...lines: string[]): string {
  return ['BEGIN:VEVENT', `UID:${uid}`, 'DTSTART;VALUE=DATE:20261201', ...lines, 'END:VEVENT'].join('\r\n');
}

let paths = 0;

/** Connects a feed at a path of its own; answers the path, and what reads it, in less time where it is to be too little. */
async function connected(
  time_limit = 120_000,
): Promise<{ path: string; read: (sync_token: string | null) => Promise<Read> }> {
  const path = `/feed-${++paths}.ics`;
  const reply = await owner.post(CONNECT, { url: `http://${feeds.host}${path}` });
  assert.equal(reply.status, 201, reply.text);
  const { id, calendars } = reply.body.connection;
  const { named_by_members } = app.context.outside;
  const open = providerOf('ics').open({
    database: app.database,
    services: {
      ...app.context.outside,
      named_by_members: {
        ...named_by_members,
        call: (call) => {
          assert.equal(call.time_limit, 10_000);
          return named_by_members.call({ ...call, time_limit });
        },
      },
    },
    organization_id: owner.organization_id,
    connection_id: id,
    clock: () => new Date(),
  });
  const read = async (sync_token: string | null): Promise<Read> => {
    const { holds, pages } = await open.read({
      calendar_id: calendars[0].id,
      sync_token,
      from: new Date('2026-11-25'),
      to: new Date('2028-12-24'),
      owner_time_zone: 'Asia/Tokyo',
    });
    const all: ReadPage[] = [];
    for await (const page of pages) all.push(page);
    return { holds, changes: all.flatMap(({ changes }) => changes), token: all.at(-1)!.next_sync_token };
  };
  return { path, read };
}

type Read = { holds: string; changes: ReadPage['changes']; token: string | null };

async function failureOf(reading: Promise<unknown>): Promise<string> {
  const error = await reading.then(
    () => assert.fail('It was read'),
    (thrown) => thrown,
  );
  assert.ok(error instanceof CalendarFailure, String(error));
  return `${error.reason} ${error.word}`;
}

describe('a feed is connected', () => {
  it('by a person, with a calendar that checks conflicts; nothing shows its address', async () => {
    const url = `http://${feeds.host}/private-0123456789/basic.ics`;
    const reply = await owner.post(CONNECT, { url });
    assert.equal(reply.status, 201);
    const { id, created_at, updated_at, ...shown } = reply.body.connection;
    assert.deepEqual(shown, {
      object: 'scheduler.calendar_connection',
      user_id: owner.user_id,
      provider: 'ics',
      account: feeds.host,
      status: 'active',
      status_reason: null,
      calendars: [
        {
          id: 'feed',
          name: feeds.host,
          time_zone: null,
          is_primary: true,
          checks_conflicts: true,
          is_write_target: false,
        },
      ],
      push: { active: false, expires_at: null },
      last_synced_at: null,
      lag_seconds: null,
    });
    const [told] = await app.database.withConnection(owner.organization_id, (connection) =>
      connection.query<{ found: boolean }>(
        `SELECT bool_or(entry::text LIKE '%private-0123456789%') AS found
           FROM (SELECT to_jsonb(audit_logs) AS entry FROM audit_logs UNION ALL SELECT to_jsonb(events) FROM events
                 UNION ALL SELECT to_jsonb(scheduler_connections) FROM scheduler_connections) AS kept`,
        [],
      ),
    );
    assert.equal(told!.found, false);
    const again = await owner.post(CONNECT, { url });
    assert.equal(again.body.connection.id, id);
  });

  it('not with an API key', async () => {
    const { post } = await app.actor();
    assert.equal((await post(CONNECT, { url: `http://${feeds.host}/a.ics` })).body.code, 'session_required');
  });

  it('though it cannot be read: that is for the first sync to say', async () => {
    for (const url of [`http://${feeds.host}/nowhere.ics`, 'https://feeds.invalid/a.ics']) {
      assert.equal((await owner.post(CONNECT, { url })).status, 201);
    }
  });

  for (const host of [
    '127.0.0.1',
    'localhost',
    '10.1.2.3',
    '169.254.169.254',
    '[::1]',
    '[::ffff:127.0.0.1]',
  ]) {
    it(`not at ${host}, which is not of the public internet`, async () => {
      const reply = await owner.post(CONNECT, { url: `https://${host}/a.ics` });
      assert.deepEqual([reply.status, reply.body.code], [422, 'forbidden_address']);
    });
  }

  for (const url of [
    'http://example.com/a.ics',
    'ftp://example.com/a.ics',
    'a.ics',
    'https://a:b@example.com/',
  ]) {
    it(`not at ${url}`, async () => {
      const reply = await owner.post(CONNECT, { url });
      assert.deepEqual([reply.status, reply.body.errors[0].path], [422, '/url'], reply.text);
    });
  }
});

describe('a feed is read', () => {
  it('whole, in the zone that it names', async () => {
    const { path, read } = await connected();
    feeds.answers[path] = (answer) => void answer.end(calendar(event('a', 'SUMMARY:休み'), event('b')));
    const { holds, changes } = await read(null);
    assert.equal(holds, 'all');
    const [first, second] = changes;
    assert.deepEqual([first!.uid, second!.uid], ['a', 'b']);
    assert.deepEqual(first!.busy, {
      start: new Date('2026-11-30T23:00:00Z'),
      end: new Date('2026-12-01T23:00:00Z'),
      all_day: true,
      title: '休み',
    });
  });

  it('without what its owner declined', async () => {
    const { path, read } = await connected();
    const declined = event('a', `ATTENDEE;PARTSTAT=DECLINED:mailto:${owner.email}`);
    feeds.answers[path] = (answer) => void answer.end(calendar(declined));
    assert.deepEqual((await read(null)).changes, []);
  });

  it('again only where it changed, by what its server says of it', async () => {
    const { path, read } = await connected();
    let [tag, text] = ['"1"', calendar(event('a'))];
    feeds.answers[path] = (answer, { 'if-none-match': known }) =>
      known === tag ? void answer.writeHead(304).end() : void answer.setHeader('ETag', tag).end(text);
    const { token } = await read(null);
    assert.deepEqual(await read(token), { holds: 'changes', changes: [], token });
    [tag, text] = ['"2"', calendar(event('b'))];
    const changed = await read(token);
    assert.deepEqual([changed.holds, changed.changes.map(({ uid }) => uid)], ['all', ['b']]);
  });

  it('by its date, or its content, where there is no tag', async () => {
    const { path, read } = await connected();
    const modified = 'Thu, 26 Nov 2026 09:00:00 GMT';
    feeds.answers[path] = (answer, { 'if-modified-since': known }) =>
      known === modified
        ? void answer.writeHead(304).end()
        : void answer.setHeader('Last-Modified', modified).end(calendar(event('a')));
    const { token } = await read(null);
    assert.equal((await read(token)).holds, 'changes');
    feeds.answers[path] = (answer) => void answer.end(calendar(event('a')));
    assert.equal((await read(token)).holds, 'changes');
  });
});

describe('a feed that cannot be read says why', () => {
  const often = (rule: string) =>
    calendar(event('a').replace(';VALUE=DATE:20261201', `:20261201T010000Z\r\n${rule}`));
  const cases: [string, (answer: ServerResponse) => void, string][] = [
    ['a page', (answer) => answer.end('<html></html>'), 'broken not_a_calendar'],
    ['a secret address that was taken back', (answer) => answer.writeHead(403).end(), 'broken status_403'],
    ['no feed', (answer) => answer.writeHead(404).end(), 'broken status_404'],
    ['a server in trouble', (answer) => answer.writeHead(503).end(), 'unavailable status_503'],
    ['too many calls', (answer) => answer.writeHead(429).end(), 'rate rate_limited'],
    ['a redirect to another host', (answer) => leadTo(answer, 'http://127.0.0.1:9/a'), 'broken redirect'],
    ['a redirect to itself', (answer) => leadTo(answer, '/around.ics'), 'broken redirect'],
    [
      'one that repeats each second',
      (answer) => answer.end(often('DURATION:PT1S\r\nRRULE:FREQ=SECONDLY')),
      'broken too_many_events',
    ],
    [
      'one with a broken rule',
      (answer) => answer.end(often('DURATION:PT1S\r\nRRULE:FREQ=NEVER')),
      'broken broken_event',
    ],
  ];
  feeds.answers['/around.ics'] = (answer) => leadTo(answer, '/around.ics');

  for (const [name, answered, expected] of cases) {
    it(name, async () => {
      const { path, read } = await connected();
      feeds.answers[path] = answered;
      assert.equal(await failureOf(read(null)), expected);
    });
  }

  it('one of a gigabyte is left after ten MiB, and takes no memory here', async () => {
    const { path, read } = await connected();
    const part = Buffer.from(`${event('old').replace('20261201', '20201201')}\r\n`.repeat(1_000));
    let sent = 0;
    feeds.answers[path] = (answer) => {
      answer.setHeader('Content-Length', GIGABYTE);
      answer.write('BEGIN:VCALENDAR\r\n');
      const go = () => {
        while (!answer.destroyed && sent < GIGABYTE && answer.write(part)) sent += part.length;
      };
      answer.on('drain', go).on('error', () => undefined);
      go();
    };
    const before = process.memoryUsage().rss;
    assert.equal(await failureOf(read(null)), 'broken too_large');
    assert.ok(sent < 64 * MIB, `${sent} bytes were taken`);
    assert.ok(process.memoryUsage().rss - before < 100 * MIB, 'The memory grew');
  });

  it('one that does not end is left at the end of its time', async () => {
    const { path, read } = await connected(300);
    feeds.answers[path] = (answer) => {
      const timer = setInterval(() => answer.write('X-NOTHING:x\r\n'), 50);
      answer.once('close', () => clearInterval(timer));
      answer.write('BEGIN:VCALENDAR\r\n');
    };
    assert.equal(await failureOf(read(null)), 'broken too_slow');
  });
});

function leadTo(answer: ServerResponse, Location: string): void {
  answer.writeHead(302, { Location }).end();
}

const MIB = 1024 * 1024;
const GIGABYTE = 1024 * MIB;

describe('a calendar of a CalDAV server', () => {
  it('has a name that can be stored, whatever its server calls it', async () => {
    const shown: string[] = [];
    for (const name of ['a\0b', `${'x'.repeat(199)}\u{1f600}`]) {
      feeds.answers['/named/'] = (answer) =>
        void answer.writeHead(207).end(`<multistatus xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">
          <response><href>/named/</href><propstat><prop><displayname>${name}</displayname>
          <resourcetype><C:calendar/></resourcetype></prop><status>HTTP/1.1 200 OK</status></propstat></response>
        </multistatus>`);
      const account = { url: `http://${feeds.host}/named/`, username: 'hanako', password: 'secret' };
      const reply = await owner.post('/scheduler/calendars/connect/caldav', account);
      assert.equal(reply.status, 201, reply.text);
      shown.push(reply.body.connection.calendars[0].name);
    }
    assert.deepEqual(shown, ['ab', `${'x'.repeat(199)}\ufffd`]);
  });
});
