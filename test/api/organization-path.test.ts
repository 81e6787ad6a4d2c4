import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { read, write } from '../../api/http/endpoint.ts';
import { EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import { factsOf } from '../../shared/kernel/fact.ts';
import { notFound } from '../../shared/kernel/failure.ts';
import { newId } from '../../shared/kernel/id.ts';
import { startApp } from '../support/app.ts';

const noteFacts = factsOf({ domain: 'crm', entity_type: 'note' });
const Note = z.strictObject({ id: z.string(), object: z.literal('crm.note') });
const params = z.strictObject({ orgSlug: z.string(), page: z.string() });

let now = new Date();

const app = await startApp({
  now: () => now,
  endpoints: [
    read({
      id: 'crm.notes.get',
      method: 'get',
      path: '/api/v1/crm/notes/:orgSlug/:page',
      scope: 'organization',
      summary: 'Read notes',
      params,
      reply: z.strictObject({ organization_id: z.string(), actor: z.string() }),
      handle: async (_, { organization_id, actor: { type, id, grants } }) => ({
        organization_id,
        actor: `${type} ${id} ${grants.length}`,
      }),
    }),
    read({
      id: 'crm.boards.get',
      method: 'get',
      path: '/api/v1/crm/boards/:orgSlug/:page',
      scope: 'organization',
      is_unlimited: true,
      summary: 'Read a board, as often as one likes',
      params,
      reply: z.strictObject({ page: z.string() }),
      handle: async ({ params: { page } }) => {
        if (page.startsWith('unknown')) throw notFound();
        return { page };
      },
    }),
    write({
      id: 'crm.notes.create',
      method: 'post',
      path: '/api/v1/crm/notes/:orgSlug/:page',
      scope: 'organization',
      summary: 'Leave a note',
      params,
      status: 201,
      reply: z.strictObject({ note: Note, token: z.string() }),
      secrets: ['token'],
      renew: async ({ note }, { organization_id }) => ({
        token: `${organization_id} ${(note as { id: string }).id}`,
      }),
      async handle(_, work) {
        const note = { id: newId('cont', work.now), object: 'crm.note' as const };
        work.record(noteFacts.created, { before: null, after: note });
        return { note, token: `${work.organization_id} ${note.id}` };
      },
    }),
  ],
});

async function newOrganization(): Promise<{ organization_id: string; slug: string }> {
  const { organization_id } = (await app.actor()).actor;
  const [found] = await app.database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query<{ slug: string }>('SELECT slug FROM organizations WHERE id = $1', [organization_id]),
  );
  return { organization_id, slug: found!.slug };
}

describe('a call whose path names an organization', () => {
  test('200: acts in it, as somebody without any right', async () => {
    const { organization_id, slug } = await newOrganization();
    const { body } = await app.anonymous.get(`/crm/notes/${slug}/one`);
    assert.deepEqual(body, { organization_id, actor: 'guest guest 0' });
  });

  test('404: no organization has the slug', async () => {
    const { status, body } = await app.anonymous.get('/crm/notes/nobody-has-this/one');
    assert.deepEqual([status, body.code], [404, 'not_found']);
  });

  test('429: after 60 slugs in a minute that nobody has, while those of organizations go on being found', async () => {
    const { slug } = await newOrganization();
    for (let sent = 0; sent < 60; sent++) await app.anonymous.get(`/crm/notes/nobody-${sent}/one`);
    const beyond = await app.anonymous.get('/crm/notes/nobody-beyond/one');
    assert.equal(beyond.status, 429, beyond.text);
    assert.match(beyond.headers.get('ratelimit') ?? '', /"failed_slugs";r=0/);
    assert.equal((await app.anonymous.get(`/crm/notes/${slug}/one`)).status, 200);
  });

  test('429: after 60 of what an organization does not have, where nothing else is counted; what it has goes on', async () => {
    const { slug } = await newOrganization();
    now = new Date(now.getTime() + 60_000);
    for (let sent = 0; sent < 60; sent++) {
      const { status } = await app.anonymous.get(`/crm/boards/${slug}/unknown-${sent}`);
      assert.equal(status, 404);
    }
    const beyond = await app.anonymous.get(`/crm/boards/${slug}/unknown`);
    assert.equal(beyond.status, 429, beyond.text);
    assert.match(beyond.headers.get('ratelimit') ?? '', /"failed_slugs";r=0/);
    for (let sent = 0; sent < 70; sent++) {
      assert.equal((await app.anonymous.get(`/crm/boards/${slug}/one`)).status, 200);
    }
  });

  test('201: is repeated by the path, with its secrets computed anew and no secret kept', async () => {
    const { organization_id, slug } = await newOrganization();
    const post = (page: string) =>
      app.anonymous.send('post', `/crm/notes/${slug}/${page}`, {}, { 'Idempotency-Key': 'once' });
    const first = await post('one');
    assert.equal(first.status, 201, first.text);
    const again = await post('one');
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.deepEqual(again.body, first.body);
    assert.notEqual((await post('two')).body.note.id, first.body.note.id);
    const kept = await app.database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
      query<{ body: unknown }>('SELECT body FROM idempotency_keys WHERE organization_id = $1', [
        organization_id,
      ]),
    );
    assert.deepEqual(
      kept.map(({ body }) => (body as { token: unknown }).token),
      [null, null],
    );
  });
});
