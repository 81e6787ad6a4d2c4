import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Version } from '../../api/http/versions.ts';
import { versions } from '../../api/versions.ts';
import { startApp } from '../support/app.ts';

type Body = Record<string, unknown>;

/** An invented version before the first one, in which a contact's `position` was called `job_title`. */
const older: Version = { version: '2025-06-01', date: '2025-06-01', description: 'Invented.', changes: [] };
const retired: Version = { ...older, version: '2024-06-01', date: '2024-06-01', retired: true };

function rename(value: Body, from: string, to: string): Body {
  const { [from]: moved, ...rest } = value;
  return from in value ? { ...rest, [to]: moved } : value;
}

const renaming: Version = {
  ...versions[0]!,
  request: (endpoint, { body }) => ({
    body: endpoint.id.startsWith('crm.contacts.') ? rename(body as Body, 'job_title', 'position') : body,
  }),
  response: (endpoint, body) => {
    if (!endpoint.id.startsWith('crm.contacts.')) return body;
    const { contact, items } = body as { contact?: Body; items?: Body[] };
    if (contact) return { ...(body as Body), contact: rename(contact, 'position', 'job_title') };
    return items
      ? { ...(body as Body), items: items.map((item) => rename(item, 'position', 'job_title')) }
      : body;
  },
  event: (event) =>
    event.type.startsWith('crm.contact.')
      ? {
          ...event,
          data: rename(event.data as Body, 'position', 'job_title'),
          previous_attributes:
            event.previous_attributes && rename(event.previous_attributes as Body, 'position', 'job_title'),
        }
      : event,
};

const app = await startApp({ versions: [renaming, older, retired] });
const old = { 'Service-Version': '2025-06-01' };

describe('a request that names an older version', () => {
  test('speaks and is answered in its form; what is stored is in the latest', async () => {
    const client = await app.actor();
    const made = await client.post(
      '/crm/contacts',
      { first_name: 'A', last_name: 'B', job_title: '課長' },
      old,
    );
    assert.equal(made.status, 201, made.text);
    assert.equal(made.headers.get('service-version'), '2025-06-01');
    assert.equal(made.body.contact.job_title, '課長');
    assert.equal('position' in made.body.contact, false);
    const latest = await client.get(`/crm/contacts/${made.body.contact.id}`);
    assert.equal(latest.headers.get('service-version'), '2026-02-22');
    assert.equal(latest.body.contact.position, '課長');
    const list = await client.get('/crm/contacts', old);
    assert.equal(list.body.items[0].job_title, '課長');
  });

  test('does not know the fields of later ones', async () => {
    const client = await app.actor();
    const reply = await client.post('/crm/contacts', { first_name: 'A', last_name: 'B', job_title: 'x' });
    assert.equal(reply.body.errors[0].code, 'unknown_field');
  });

  test('reads events in its form, written by whomever', async () => {
    const client = await app.actor();
    const made = await client.post('/crm/contacts', { first_name: 'A', last_name: 'B', position: '係長' });
    await client.patch(`/crm/contacts/${made.body.contact.id}`, { position: '課長' });
    const events = await client.get('/events', old);
    assert.equal(events.body.data[0].data.job_title, '課長');
    assert.deepEqual(events.body.data[0].previous_attributes, { job_title: '係長' });
    const one = await client.get(`/events/${events.body.data[1].id}`, old);
    assert.equal(one.body.event.data.job_title, '係長');
    assert.equal((await client.get('/events')).body.data[0].data.position, '課長');
  });

  test('repeats itself in the form of its version', async () => {
    const client = await app.actor();
    const send = () =>
      client.post(
        '/crm/contacts',
        { first_name: 'A', last_name: 'B', job_title: 'x' },
        { ...old, 'Idempotency-Key': 'v' },
      );
    assert.deepEqual((await send()).body, (await send()).body);
  });
});

describe('the version of a request', () => {
  test("is the header's, else the organization's, else the latest", async () => {
    const client = await app.actor();
    await app.database.withConnection(client.actor.organization_id, ({ query }) =>
      query("UPDATE organizations SET api_version = '2025-06-01' WHERE id = $1", [
        client.actor.organization_id,
      ]),
    );
    assert.equal((await client.get('/crm/contacts')).headers.get('service-version'), '2025-06-01');
    const named = await client.get('/crm/contacts', { 'Service-Version': '2026-02-22' });
    assert.equal(named.headers.get('service-version'), '2026-02-22');
    assert.equal((await app.anonymous.get('/changelog')).headers.get('service-version'), '2026-02-22');
  });

  test('400 when there is none of that name, with those that there are; 410 when it has ended', async () => {
    const client = await app.actor();
    for (const wrong of ['2026-02-30', 'latest', '2026-2-22', '2099-01-01']) {
      const reply = await client.get('/crm/contacts', { 'Service-Version': wrong });
      assert.equal(reply.status, 400);
      assert.equal(reply.body.code, 'invalid_version');
      assert.deepEqual(reply.body.versions, ['2026-02-22', '2025-06-01', '2024-06-01']);
    }
    const ended = await client.get('/crm/contacts', { 'Service-Version': '2024-06-01' });
    assert.equal(ended.status, 410);
    assert.equal(ended.body.code, 'version_retired');
  });
});

describe('GET /changelog', () => {
  test('needs no credentials and tells the version it answers in', async () => {
    const { body } = await app.anonymous.get('/changelog', old);
    assert.equal(body.object, 'list');
    assert.equal(body.latest_version, '2026-02-22');
    assert.equal(body.current_version, '2025-06-01');
    assert.deepEqual(body.all_versions, ['2026-02-22']);
    assert.equal(body.data[0].version, '2026-02-22');
  });
});
