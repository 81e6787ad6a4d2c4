import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { googleFake } from '../../support/google.ts';
import { newMember, newOwner, type Person } from '../../support/people.ts';

const google = await googleFake();
const app = await startApp({ environment: google.environment });
google.calendars.add('hanako@gmail.example');
google.calendars.add('holidays');

const CONNECT = '/scheduler/calendars/connect/google';
const LIST = '/scheduler/calendars/connections';

/** Asks for a consent, gives it, and answers the path that leads back below /api/v1. */
async function consented(person: Person, body: object = {}): Promise<string> {
  const asked = await person.post(CONNECT, body);
  assert.equal(asked.status, 200, asked.text);
  const back = await google.consent(asked.body.authorization_url);
  return back.replace('/api/v1', '');
}

async function connected(person: Person) {
  const reply = await person.get(await consented(person));
  assert.equal(reply.status, 200, reply.text);
  return reply.body.connection;
}

describe('connecting Google', () => {
  test('asks for what the service needs, with PKCE and a state', async () => {
    const owner = await newOwner(app);
    const { authorization_url } = (await owner.post(CONNECT, {})).body;
    const asked = new URL(authorization_url).searchParams;
    assert.deepEqual(
      ['response_type', 'access_type', 'prompt', 'code_challenge_method'].map((name) => asked.get(name)),
      ['code', 'offline', 'consent', 'S256'],
    );
    assert.equal(asked.get('redirect_uri'), `${app.base_url}/api/v1/scheduler/calendars/callback/google`);
    assert.match(
      asked.get('scope')!,
      /^openid email .*calendar\.events .*calendarlist\.readonly .*freebusy$/,
    );
  });

  test('keeps the connection, whose primary calendar checks conflicts and takes bookings, and shows no token', async () => {
    const owner = await newOwner(app);
    const connection = await connected(owner);
    const { account, status, provider, last_synced_at, lag_seconds } = connection;
    assert.deepEqual(
      [account, status, provider, last_synced_at, lag_seconds],
      ['hanako@gmail.example', 'active', 'google', null, null],
    );
    assert.deepEqual(
      connection.calendars.map((one: Record<string, unknown>) => [
        one['id'],
        one['checks_conflicts'],
        one['is_write_target'],
      ]),
      [
        ['hanako@gmail.example', true, true],
        ['holidays', false, false],
      ],
    );
    const listed = await owner.get(LIST);
    assert.deepEqual(
      listed.body.items.map(({ id }: { id: string }) => id),
      [connection.id],
    );
    const audited = await owner.get('/scheduler/audit-logs');
    assert.doesNotMatch(JSON.stringify([listed.body, audited.body]), /token|eyJ/);
    assert.equal(audited.body.items[0].entity_type, 'calendar_connection');
  });

  test('the same account again renews its connection', async () => {
    const owner = await newOwner(app);
    const first = await connected(owner);
    await owner.patch(`${LIST}/${first.id}`, { calendars: [{ id: 'holidays', checks_conflicts: true }] });
    const again = await connected(owner);
    assert.equal(again.id, first.id);
    assert.ok(again.calendars.every((one: Record<string, unknown>) => one['checks_conflicts']));
  });

  test('leads on to a path of this service, with the connection or the code of what failed', async () => {
    const owner = await newOwner(app);
    const back = await owner.get(await consented(owner, { return_to: '/settings?tab=calendars#top' }));
    assert.equal(back.status, 303, back.text);
    assert.match(back.headers.get('location')!, /^\/settings\?tab=calendars&connected=ccon_\w+#top$/);
    const denied = (await consented(owner, { return_to: '/settings' })).replace(
      /code=[^&]*/,
      'error=access_denied',
    );
    const refused = await owner.get(denied);
    assert.deepEqual(
      [refused.status, refused.headers.get('location')],
      [303, '/settings?calendar_error=access_denied'],
    );
  });

  for (const return_to of ['https://elsewhere.example', '//x', '/\\x', '/a/..//x', 'x']) {
    test(`does not lead to ${return_to}`, async () => {
      const owner = await newOwner(app);
      const reply = await owner.post(CONNECT, { return_to });
      assert.deepEqual([reply.status, reply.body.errors[0].path], [422, '/return_to']);
    });
  }

  test('a state works once, within ten minutes, for who asked', async () => {
    const owner = await newOwner(app);
    const back = await consented(owner);
    const other = await newMember(app, owner, 'member');
    const theirs = await other.get(back);
    assert.deepEqual([theirs.status, theirs.body.code], [403, 'session_required']);
    assert.equal((await owner.get(back)).status, 200);
    const again = await owner.get(back);
    assert.deepEqual([again.status, again.body.code], [422, 'invalid_state']);
    const late = await consented(owner);
    await app.database.withConnection('*', ({ query }) =>
      query(`UPDATE scheduler_consents SET expires_at = now() - interval '1 second'`),
    );
    const over = await owner.get(late);
    assert.deepEqual([over.status, over.body.code], [422, 'invalid_state']);
    const made_up = await owner.get('/scheduler/calendars/callback/google?state=x&code=y&prompt=z');
    assert.deepEqual([made_up.status, made_up.body.code], [422, 'invalid_state']);
  });

  test('nothing is kept of a consent that was not given, or in part, or that Google does not exchange', async () => {
    const owner = await newOwner(app);
    const codes: string[] = [];
    const back = (await consented(owner)).replace(/code=[^&]*/, 'error=access_denied');
    codes.push((await owner.get(back)).body.code);
    google.account.scope = 'openid email https://www.googleapis.com/auth/calendar.events';
    codes.push((await owner.get(await consented(owner))).body.code);
    google.account.scope = null;
    google.token_verdict = () => ({ status: 400, body: { error: 'invalid_grant' } });
    codes.push((await owner.get(await consented(owner))).body.code);
    google.token_verdict = () => undefined;
    assert.deepEqual(codes, ['access_denied', 'missing_scope', 'provider_error']);
    assert.deepEqual((await owner.get(LIST)).body.items, []);
  });

  test('needs a session, and a client that an operator has set', async () => {
    const { actor: _, ...key } = await app.actor();
    assert.equal((await key.post(CONNECT, {})).body.code, 'session_required');
    const other = await startApp({});
    const owner = await newOwner(other);
    const reply = await owner.post(CONNECT, {});
    assert.deepEqual([reply.status, reply.body.code], [409, 'provider_not_configured']);
  });
});

describe('a connection', () => {
  test('is decided about by its owner: one write target, and what a calendar that checks no more said is gone', async () => {
    const owner = await newOwner(app);
    const { id } = await connected(owner);
    await app.database.withConnection('*', ({ query }) =>
      query(
        `INSERT INTO scheduler_external_events (organization_id, id, connection_id, calendar_id, external_key, user_id,
           "start", "end", all_day)
         SELECT organization_id, 'cevt_' || right(id, 26), id, 'hanako@gmail.example', 'e1', user_id, now(),
                now() + interval '1 hour', false FROM scheduler_connections WHERE id = $1`,
        [id],
      ),
    );
    const changed = await owner.patch(`${LIST}/${id}`, {
      calendars: [
        { id: 'hanako@gmail.example', checks_conflicts: false },
        { id: 'holidays', is_write_target: true },
      ],
    });
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual(
      changed.body.connection.calendars.map((one: Record<string, unknown>) => [
        one['checks_conflicts'],
        one['is_write_target'],
      ]),
      [
        [false, false],
        [false, true],
      ],
    );
    const left = await app.database.withConnection('*', ({ query }) =>
      query('SELECT 1 FROM scheduler_external_events WHERE connection_id = $1', [id]),
    );
    assert.deepEqual(left, []);
    const unknown = await owner.patch(`${LIST}/${id}`, { calendars: [{ id: 'nowhere' }] });
    assert.deepEqual([unknown.status, unknown.body.errors[0].path], [422, '/calendars/0/id']);
  });

  test('is no business of other members; admins see it and disconnect it', async () => {
    const owner = await newOwner(app);
    const [admin, hanako, ...others] = [
      await newMember(app, owner, 'admin'),
      await newMember(app, owner, 'member'),
      await newMember(app, owner, 'member'),
      await newMember(app, owner, 'manager'),
    ];
    const { id } = await connected(hanako);
    const refusesOf = async (person: typeof admin, calls: readonly string[]) => {
      for (const call of calls) {
        const refused = await (call === ''
          ? person.patch(`${LIST}/${id}`, {})
          : person.post(`${LIST}/${id}${call}`));
        assert.deepEqual([refused.status, refused.body.code], [403, 'not_owner'], call);
      }
    };
    for (const other of others) {
      assert.deepEqual((await other.get(LIST)).body.items, []);
      await refusesOf(other, ['', '/sync', '/disconnect']);
    }
    const stranger = await newOwner(app);
    assert.equal((await stranger.post(`${LIST}/${id}/disconnect`)).status, 404);
    assert.equal((await admin.get(LIST)).body.items.length, 1);
    await refusesOf(admin, ['', '/sync']);
    const ended = await admin.post(`${LIST}/${id}/disconnect`);
    assert.deepEqual([ended.status, ended.body.connection.status], [200, 'disconnected']);
    assert.equal((await admin.post(`${LIST}/${id}/disconnect`)).body.job.id, ended.body.job.id);
    assert.equal((await hanako.post(`${LIST}/${id}/sync`)).body.code, 'connection_ended');
  });

  test('is read now when its owner asks; who asks again gets the job that waits', async () => {
    const owner = await newOwner(app);
    const { id } = await connected(owner);
    const first = await owner.post(`${LIST}/${id}/sync`);
    assert.deepEqual([first.status, first.body.job.status], [202, 'queued']);
    assert.equal((await owner.post(`${LIST}/${id}/sync`)).body.job.id, first.body.job.id);
  });

  test('ends with the membership of its owner', async () => {
    const owner = await newOwner(app);
    const member = await newMember(app, owner, 'member');
    const { id } = await connected(member);
    assert.equal((await owner.delete(`/members/${member.member_id}`)).status, 200);
    const [row] = (await owner.get(LIST)).body.items;
    assert.deepEqual([row.id, row.status], [id, 'disconnected']);
  });
});

describe('what Google tells', () => {
  const PUSH = '/scheduler/calendars/push/google';

  test('has the calendar of a channel read, whoever else calls learns nothing', async () => {
    const owner = await newOwner(app);
    const { id } = await connected(owner);
    const channel = `${owner.organization_id}-0123456789abcdefghijkl`;
    await app.database.withConnection('*', async ({ query }) => {
      await query(
        `INSERT INTO scheduler_channels (organization_id, id, connection_id, calendar_id, resource_id, token_hash, expires_at,
           created_at)
         VALUES ($1, $2, $3, 'hanako@gmail.example', 'r', encode(sha256('the token'), 'hex'), now() + interval '1 day', now())`,
        [owner.organization_id, channel, id],
      );
      await query('UPDATE scheduler_calendars SET next_sync_at = NULL');
      await query('UPDATE scheduler_connections SET sync_is_queued = false');
    });
    const due = () =>
      app.database.withConnection('*', async ({ query }) => {
        const found = await query<{ id: string }>(
          'SELECT id FROM scheduler_calendars WHERE connection_id = $1 AND next_sync_at IS NOT NULL',
          [id],
        );
        return found.map((row) => row.id);
      });
    const told = async (headers: Record<string, string>) =>
      (await app.anonymous.post(PUSH, undefined, headers)).status;
    assert.equal(await told({}), 204);
    assert.equal(await told({ 'X-Goog-Channel-ID': channel, 'X-Goog-Channel-Token': 'another' }), 204);
    assert.equal(await told({ 'X-Goog-Channel-ID': 'unknown', 'X-Goog-Channel-Token': 'the token' }), 204);
    assert.deepEqual(await due(), []);
    assert.equal(await told({ 'X-Goog-Channel-ID': channel, 'X-Goog-Channel-Token': 'the token' }), 204);
    assert.deepEqual(await due(), ['hanako@gmail.example']);
  });
});
