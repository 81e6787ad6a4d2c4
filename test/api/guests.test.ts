import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { read, write } from '../../api/http/endpoint.ts';
import { EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import { factsOf } from '../../shared/kernel/fact.ts';
import { Failure } from '../../shared/kernel/failure.ts';
import { newId } from '../../shared/kernel/id.ts';
import type { LinkPurpose } from '../../shared/platform/links/purpose.ts';
import { startApp } from '../support/app.ts';
import { linkInMail } from '../support/letters.ts';
import { contractOfLinks, linkOf } from '../support/link-contract.ts';
import { newMember, newOwner, withCookie } from '../support/people.ts';

const purpose: LinkPurpose = {
  name: 'note',
  page: '/notes',
  token: 'derived',
  lifetime: 60_000,
  max_uses: null,
  one_living: false,
  use_ends_others: false,
  refusals: { unknown: 'not_found', revoked: 'expired', expired: 'expired', used: 'expired' },
};
const noteFacts = factsOf({ domain: 'crm', entity_type: 'note' });
const Note = z.strictObject({ id: z.string(), object: z.literal('crm.note'), text: z.string() });
const params = z.strictObject({ token: z.string() });
const guests = { scope: 'link', link: purpose, params } as const;

const endpoints = [
  read({
    id: 'crm.notes.get',
    method: 'get',
    path: '/api/v1/crm/notes/:token',
    ...guests,
    summary: 'Read a note',
    reply: z.strictObject({ record_id: z.string(), organization_id: z.string(), actor: z.string() }),
    handle: async ({ link }, { organization_id, actor }) => ({
      record_id: link!.record_id,
      organization_id,
      actor: `${actor.type} ${actor.id} ${actor.grants.length}`,
    }),
  }),
  ...['', '/again'].map((more) =>
    write({
      id: `crm.notes.create${more.replace('/', '_')}`,
      method: 'post',
      path: `/api/v1/crm/notes/:token${more}`,
      ...guests,
      summary: 'Leave a note',
      body: z.strictObject({ text: z.string() }),
      status: 201,
      reply: z.strictObject({ note: Note }),
      handle: async ({ body }, work) => {
        if (body.text === 'refused') throw new Failure('limit_reached');
        const note = { id: newId('cont', work.now), object: 'crm.note' as const, text: body.text };
        work.record(noteFacts.created, { before: null, after: note });
        return { note };
      },
    }),
  ),
  write({
    id: 'crm.notes.erase',
    method: 'post',
    path: '/api/v1/crm/notes/:token/erase',
    ...guests,
    summary: 'Erase a note',
    body: z.strictObject({ text: z.string() }),
    reply: z.strictObject({ cookies: z.string().nullable() }),
    admits: async ({ link, cookies, is_repeated }) => {
      if (!link.record_id.startsWith('record_open')) throw new Failure('not_found');
      if (cookies === null && !is_repeated) throw new Failure('insufficient_scope');
    },
    handle: async ({ cookies }, work) => {
      work.nothingChanged();
      return { cookies };
    },
  }),
];
const NOW = new Date('2026-11-21T00:00:00.000Z');
const app = await startApp({ endpoints, now: () => NOW });

for (const endpoint of endpoints) {
  describe(endpoint.id, () =>
    contractOfLinks(app, endpoint, () => (endpoint.method === 'get' ? undefined : { text: 'hello' })),
  );
}

describe('a call with a link', () => {
  test('200: acts in the organization of the link as a guest without rights, whoever is signed in', async () => {
    const token = await linkOf(app, purpose, 'record_2');
    const reply = await app.anonymous.get(`/crm/notes/${token}`);
    assert.deepEqual(reply.body, {
      record_id: 'record_2',
      organization_id: 'org_a',
      actor: 'guest record_2 0',
    });
    const key = await app.actor();
    assert.deepEqual((await key.get(`/crm/notes/${token}`)).body, reply.body);
  });

  test('201: the audit log names the record that the link opens', async () => {
    const token = await linkOf(app, purpose, 'record_3');
    const { body } = await app.anonymous.post(`/crm/notes/${token}`, { text: 'hello' });
    const rows = await app.database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
      query('SELECT organization_id, actor_type, actor_id FROM audit_logs WHERE entity_id = $1', [
        body.note.id,
      ]),
    );
    assert.deepEqual(rows, [{ organization_id: 'org_a', actor_type: 'guest', actor_id: 'record_3' }]);
  });

  test('413: a body beyond 16 KiB', async () => {
    const token = await linkOf(app, purpose);
    const reply = await app.anonymous.post(`/crm/notes/${token}`, { text: 'x'.repeat(17_000) });
    assert.equal(reply.status, 413, reply.text);
  });
});

describe('a call that admits guests by what the link opens', () => {
  const Cookie = 'service.note=1';
  const erase = async (record: string, body: unknown, headers: Record<string, string> = {}) =>
    app.anonymous.post(`/crm/notes/${await linkOf(app, purpose, record)}/erase`, body, headers);

  test('refuses before it looks at the form, and hears the cookies of its own pages alone', async () => {
    assert.equal((await erase('record_10', '{"no')).status, 404);
    assert.equal((await erase('record_open_1', '{"no')).status, 403);
    assert.equal((await erase('record_open_1', '{"no', { Cookie })).status, 400);
    assert.equal((await erase('record_open_1', {}, { Cookie })).status, 422);
    assert.deepEqual((await erase('record_open_1', { text: 'a' }, { Cookie })).body, { cookies: Cookie });
    for (const [name, value] of [
      ['Origin', 'https://elsewhere.example'],
      ['Sec-Fetch-Site', 'cross-site'],
    ] as const) {
      assert.equal((await erase('record_open_1', { text: 'a' }, { Cookie, [name]: value })).status, 403);
    }
  });

  test('knows a request that repeats an answered one', async () => {
    const key = { 'Idempotency-Key': 'two' };
    const first = await erase('record_open_2', { text: 'a' }, { Cookie, ...key });
    const again = await erase('record_open_2', { text: 'a' }, key);
    assert.equal(again.headers.get('idempotency-replayed'), 'true', again.text);
    assert.deepEqual(again.body, first.body);
  });
});

describe('an Idempotency-Key of a guest', () => {
  const headers = { 'Idempotency-Key': 'one' };

  test('replays by path and token, also of many at once', async () => {
    const [token, other] = [
      await linkOf(app, purpose, 'record_4'),
      await linkOf(app, purpose, 'record_5'),
    ] as const;
    const send = (path: string, text = 'hello') =>
      app.anonymous.post(`/crm/notes/${path}`, { text }, headers);
    const replies = await Promise.all([1, 2, 3].map(() => send(token)));
    const first = replies.find(
      ({ status, headers: told }) => status === 201 && !told.get('idempotency-replayed'),
    );
    for (const { status, body } of replies) {
      assert.ok(status === 409 ? body.code === 'idempotency_key_in_use' : status === 201);
    }
    const again = await send(token);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.deepEqual(again.body, first!.body);
    assert.equal((await send(token, 'another')).body.code, 'idempotency_key_reused');
    for (const path of [other, `${token}/again`]) {
      const reply = await send(path);
      assert.equal(reply.status, 201, reply.text);
      assert.notEqual(reply.body.note.id, first!.body.note.id, 'another path or token is another request');
    }
  });

  test('keeps the refusal of a rule, and no token', async () => {
    const token = await linkOf(app, purpose, 'record_6');
    const send = () => app.anonymous.post(`/crm/notes/${token}`, { text: 'refused' }, headers);
    assert.equal((await send()).status, 409);
    assert.equal((await send()).headers.get('idempotency-replayed'), 'true');
    const kept = await app.database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
      query("SELECT row_to_json(k)::text AS text FROM idempotency_keys k WHERE organization_id = 'org_a'"),
    );
    assert.ok(kept.length > 0 && !JSON.stringify(kept).includes(token));
  });
});

describe('the limits of guests', () => {
  test('429: a tenth of the limit for writes and half of it for reads, of each link by itself', async () => {
    const strict = await startApp({
      endpoints,
      now: () => NOW,
      environment: { RATE_LIMIT_PER_MINUTE: '20' },
    });
    const [token, other] = [
      await linkOf(strict, purpose, 'record_7'),
      await linkOf(strict, purpose, 'record_8'),
    ] as const;
    const post = (path: string) => strict.anonymous.post(`/crm/notes/${path}`, { text: 'hello' });
    const statuses = [await post(token), await post(token), await post(token)].map(({ status }) => status);
    assert.deepEqual(statuses, [201, 201, 429]);
    assert.equal((await post(other)).status, 201);
    for (let round = 0; round < 10; round++) {
      assert.equal((await strict.anonymous.get(`/crm/notes/${token}`)).status, 200);
    }
    const over = await strict.anonymous.get(`/crm/notes/${token}`);
    assert.equal(over.status, 429);
    assert.match(over.headers.get('ratelimit-policy') ?? '', /"link_read";q=10;w=60/);
  });

  test('429: who goes on guessing tokens; a right one passes nevertheless', async () => {
    const here = await startApp({ endpoints, now: () => NOW });
    const token = await linkOf(here, purpose, 'record_9');
    const guess = (number: number) => here.anonymous.get(`/crm/notes/${String(number).padStart(64, '0')}`);
    const statuses: number[] = [];
    for (let round = 0; round < 61; round++) statuses.push((await guess(round)).status);
    assert.deepEqual([...new Set(statuses.slice(0, 60))], [404]);
    assert.equal(statuses[60], 429);
    assert.equal((await here.anonymous.get(`/crm/notes/${token}`)).status, 200);
  });
});

test('GET /invitation-links/{token}: what accepting needs, for somebody known and for somebody new', async () => {
  const real = await startApp();
  const owner = await newOwner(real);
  const member = await newMember(real, await newOwner(real), 'member');
  for (const [email, has_account] of [
    ['new.person@example.com', false],
    [member.email, true],
  ] as const) {
    const { invitation } = (await owner.post('/invitations', { email, role: 'member' })).body;
    const path = `/invitation-links/${await linkInMail(real, 'invitation', invitation.id)}`;
    const { status, body, text } = await real.anonymous.get(path);
    assert.equal(status, 200, text);
    assert.deepEqual(
      [body.invitation.email, body.invitation.role, body.invitation.has_account],
      [email, 'member', has_account],
    );
    assert.ok(!text.includes(owner.organization_id) && !text.includes(invitation.id), text);
    assert.deepEqual((await withCookie(real, 'service.session_token=x.y').get(path)).body, body);
    await owner.delete(`/invitations/${invitation.id}`);
    assert.equal((await real.anonymous.get(path)).body.code, 'expired');
  }
});
