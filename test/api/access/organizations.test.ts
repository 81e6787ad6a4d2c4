import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { askedVersion } from '../../../shared/platform/access/organizations/record.ts';
import { startApp } from '../../support/app.ts';
import { faultsIn } from '../../support/facts.ts';
import { newMember, newOwner, newPerson } from '../../support/people.ts';

const app = await startApp();

describe('POST /organizations', () => {
  test('201: makes its creator the owner, and their session acts in it', async () => {
    const person = await newPerson(app);
    assert.equal((await person.get('/crm/contacts')).body.code, 'no_active_organization');
    const reply = await person.post('/organizations', { name: 'Yamada Trading 株式会社' });
    assert.equal(reply.status, 201, reply.text);
    const { organization } = reply.body;
    assert.equal(organization.slug, 'yamada-trading');
    assert.deepEqual(organization.metadata, { api_version: '2026-02-22' });
    assert.deepEqual((await person.get('/organization')).body, { organization });
    assert.equal(reply.headers.get('location'), `/api/v1/organizations/${organization.id}`);
    assert.deepEqual((await person.get(`/organizations/${organization.id}`)).body, { organization });
    const { items } = (await person.get('/members')).body;
    assert.deepEqual(
      items.map(({ user_id, role }: { user_id: string; role: string }) => [user_id, role]),
      [[person.user_id, 'owner']],
    );
    const audit = (await person.get('/audit-logs')).body.items;
    assert.deepEqual(
      audit.map(({ entity_type, action }: Record<string, string>) => `${entity_type} ${action}`).sort(),
      ['member create', 'organization create', 'session create'],
    );
  });

  test('201: begins with a default pipeline', async () => {
    const owner = await newOwner(app);
    const { pipelines } = (await owner.get('/crm/pipelines')).body;
    assert.equal(pipelines.length, 1);
    assert.equal(pipelines[0].is_default, true);
  });

  test('201: one organization for one Idempotency-Key, though the session acts in it by then', async () => {
    const person = await newPerson(app);
    const create = () => person.post('/organizations', { name: 'Once' }, { 'Idempotency-Key': 'one' });
    const first = await create();
    const second = await create();
    assert.deepEqual(second.body, first.body);
    assert.equal(second.headers.get('idempotency-replayed'), 'true');
    assert.equal((await person.get('/organizations')).body.total, 1);
  });

  test('201: a slug from the name, or from the ID where the name gives none or a taken or reserved one', async () => {
    const person = await newPerson(app);
    const slugOf = async (name: string) =>
      (await person.post('/organizations', { name })).body.organization.slug;
    assert.match(await slugOf('山田商事'), /^org-[0-9a-z]{8}$/);
    assert.equal(await slugOf('Café  Müller & Söhne!'), 'cafe-muller-sohne');
    assert.match(await slugOf('cafe muller sohne'), /^cafe-muller-sohne-[0-9a-z]{8}$/);
    assert.match(await slugOf('Preview'), /^preview-[0-9a-z]{8}$/);
    assert.match(await slugOf('<b>x</b>'), /^b-x-b$/);
    for (const name of ['First Round', 'Second Round', 'Third Round']) {
      const at_once = await Promise.all(Array.from({ length: 8 }, () => slugOf(name)));
      assert.equal(new Set(at_once).size, 8);
      assert.ok(at_once.every((slug) => /^(first|second|third)-round(-[0-9a-z]{8})?$/.test(slug)));
    }
  });

  test('409: a slug that another organization has', async () => {
    const person = await newPerson(app);
    await person.post('/organizations', { name: 'A', slug: 'taken-slug' });
    const reply = await person.post('/organizations', { name: 'B', slug: 'taken-slug' });
    assert.equal(reply.status, 409, reply.text);
    assert.equal(reply.body.errors[0].path, '/slug');
  });

  test('422: slugs that paths could not hold, names of more than one line', async () => {
    const person = await newPerson(app);
    for (const slug of ['a', '-ab', 'Ab', 'a_b', 'pr', 'preview', 'a'.repeat(64), '山田']) {
      const reply = await person.post('/organizations', { name: 'A', slug });
      assert.equal(reply.status, 422, slug);
    }
    const reply = await person.post('/organizations', { name: 'A\r\nB' });
    assert.deepEqual(faultsIn(reply.body), ['/name invalid_characters']);
  });
});

describe('GET /organizations', () => {
  test('200: those of the acting person alone, in all orders and forms', async () => {
    const owner = await newOwner(app);
    await newOwner(app);
    await owner.post('/organizations', { name: 'Alpha', slug: `alpha-${owner.user_id.slice(-6)}` });
    const byName = await owner.get('/organizations?sort=name:asc');
    assert.deepEqual(
      byName.body.items.map(({ name }: { name: string }) => name),
      ['Alpha', 'Test Trading'],
    );
    const first = byName.body.items[0].id;
    const next = await owner.get(`/organizations?sort=name:asc&starting_after=${first}`);
    assert.deepEqual(
      next.body.data.map(({ id }: { id: string }) => id),
      [owner.organization_id],
    );
  });

  test('400: an organization of others is no cursor, 404 to read or activate', async () => {
    const owner = await newOwner(app);
    const foreign = (await newOwner(app)).organization_id;
    const cursor = await owner.get(`/organizations?sort=name:asc&starting_after=${foreign}`);
    assert.equal(cursor.status, 400, cursor.text);
    assert.equal((await owner.get(`/organizations/${foreign}`)).status, 404);
    assert.equal((await owner.post(`/organizations/${foreign}/activate`)).status, 404);
  });
});

describe('POST /organizations/{id}/activate', () => {
  test('200: the session acts there, other sessions of the person stay where they are', async () => {
    const owner = await newOwner(app);
    const member = await newMember(app, owner, 'member');
    const own = (await member.post('/organizations', { name: 'Own' })).body.organization.id;
    const signedIn = await app.anonymous.post('/auth/sign-in/email', {
      email: member.email,
      password: 'correct horse battery',
    });
    assert.equal(signedIn.status, 200);
    const reply = await member.post(`/organizations/${owner.organization_id}/activate`);
    assert.equal(reply.body.organization.id, owner.organization_id);
    assert.equal((await member.get('/organization')).body.organization.id, owner.organization_id);
    const cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!;
    const elsewhere = await app.anonymous.get('/organization', { Cookie: cookie });
    assert.equal(elsewhere.body.organization.id, own);
  });
});

describe('PATCH /organization', () => {
  test('200: changes what is sent and says so', async () => {
    const owner = await newOwner(app);
    const reply = await owner.patch('/organization', { name: 'Renamed', api_version: '2026-02-22' });
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.body.organization.name, 'Renamed');
    const { items } = (await owner.get('/audit-logs?entity_type=organization&action=update')).body;
    assert.deepEqual(items[0].changes, { name: ['Test Trading', 'Renamed'] });
    await owner.patch('/organization', { name: 'Renamed' });
    assert.equal((await owner.get('/audit-logs?entity_type=organization&action=update')).body.total, 1);
  });

  test('200: the version of the API is changed as it is shown, or by its name alone', async () => {
    const owner = await newOwner(app);
    const id = owner.organization_id;
    for (const body of [
      { metadata: { api_version: '2026-02-22' } },
      { api_version: '2026-02-22' },
      { metadata: { api_version: '2026-02-22' }, api_version: '2026-02-22' },
    ]) {
      await app.database.withConnection('*', ({ query }) =>
        query(`UPDATE organizations SET api_version = '2020-01-01' WHERE id = $1`, [id]),
      );
      const reply = await owner.patch('/organization', body, { 'Service-Version': '2026-02-22' });
      assert.equal(reply.status, 200, reply.text);
      assert.deepEqual(reply.body.organization.metadata, { api_version: '2026-02-22' });
    }
    const kept = await owner.patch('/organization', { metadata: {} });
    assert.deepEqual(kept.body.organization.metadata, { api_version: '2026-02-22' });
  });

  test('422: two versions, one that does not exist, and what metadata does not hold', async () => {
    assert.throws(() => askedVersion({ metadata: { api_version: 'a' }, api_version: 'b' }), {
      code: 'validation_failed',
    });
    const owner = await newOwner(app);
    const unknown = await owner.patch('/organization', { metadata: { api_version: '1999-01-01' } });
    assert.deepEqual(faultsIn(unknown.body), ['/metadata/api_version invalid_value']);
    const other = await owner.patch('/organization', { metadata: { crm: 'x' } });
    assert.deepEqual(faultsIn(other.body), ['/metadata/crm unknown_field']);
  });

  test('412: two with one If-Match never both succeed', async () => {
    const owner = await newOwner(app);
    const etag = (await owner.get('/organization')).headers.get('etag')!;
    const replies = await Promise.all(
      ['One', 'Two'].map((name) => owner.patch('/organization', { name }, { 'If-Match': etag })),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 412]);
  });

  test('403 for managers and members; 422 for a version that does not exist', async () => {
    const owner = await newOwner(app);
    for (const role of ['manager', 'member'] as const) {
      const person = await newMember(app, owner, role);
      const reply = await person.patch('/organization', { name: 'X' });
      assert.equal(reply.status, 403, role);
      assert.equal(reply.body.required_scope, 'settings:write');
    }
    assert.equal((await owner.patch('/organization', { api_version: '1999-01-01' })).status, 422);
  });
});
