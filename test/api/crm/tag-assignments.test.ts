import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId } from '../../../shared/kernel/id.ts';
import { startApp } from '../../support/app.ts';
import { faultsIn, toldBy } from '../../support/facts.ts';

const app = await startApp();

async function tagAndContact() {
  const client = await app.actor();
  const { tag } = (await client.post('/crm/tags', { name: '重要', color: '#FF0000' })).body;
  const { contact } = (await client.post('/crm/contacts', { first_name: 'A', last_name: 'B' })).body;
  const body = { tag_id: tag.id, resource_type: 'contact', resource_id: contact.id };
  const path = `/crm/tag-assignments/${tag.id}?resource_type=contact&resource_id=${contact.id}`;
  return { client, tag, contact, body, path };
}

describe('201', () => {
  test('a tag on a contact shows on it, which is a change of it', async () => {
    const { client, tag, contact, body } = await tagAndContact();
    const told = await toldBy(app, client.actor.organization_id, async () => {
      const reply = await client.post('/crm/tag-assignments', body);
      assert.equal(reply.status, 201, reply.text);
      const { assignment } = reply.body;
      assert.deepEqual(assignment, {
        id: assignment.id,
        object: 'crm.tag_assignment',
        ...body,
        tag_name: '重要',
        tag_color: '#FF0000',
        created_at: assignment.created_at,
        updated_at: assignment.created_at,
      });
    });
    const read = (await client.get(`/crm/contacts/${contact.id}`)).body.contact;
    assert.deepEqual(told.events, [
      { type: 'crm.contact.updated', data: read, previous_attributes: { tags: [] } },
    ]);
    assert.deepEqual(
      told.audit.map(({ entity_type, action }) => [entity_type, action]),
      [
        ['tag_assignment', 'create'],
        ['contact', 'update'],
      ],
    );
    const tags = [{ id: tag.id, name: '重要', color: '#FF0000' }];
    assert.ok(read.updated_at > contact.updated_at);
    assert.deepEqual(read, { ...contact, tags, updated_at: read.updated_at });
    const list = await client.get(`/crm/contacts?tag_id=${tag.id}`);
    assert.deepEqual(list.body.items, [read]);
  });
});

describe('200', () => {
  test('assigning twice answers the existing assignment and records nothing', async () => {
    const { client, body } = await tagAndContact();
    const first = await client.post('/crm/tag-assignments', body);
    const told = await toldBy(app, client.actor.organization_id, async () => {
      const second = await client.post('/crm/tag-assignments', body);
      assert.equal(second.status, 200);
      assert.deepEqual(second.body, first.body);
      assert.equal(second.headers.get('location'), null);
    });
    assert.deepEqual(told, { events: [], audit: [] });
  });

  test('of 10 at once one makes it, and all answer it', async () => {
    const { client, body } = await tagAndContact();
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => client.post('/crm/tag-assignments', body)),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [...Array(9).fill(200), 201]);
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
  });

  test('DELETE takes it away once', async () => {
    const { client, contact, body, path } = await tagAndContact();
    await client.post('/crm/tag-assignments', body);
    assert.deepEqual((await client.delete(path)).body, { success: true });
    assert.deepEqual((await client.get(`/crm/contacts/${contact.id}`)).body.contact.tags, []);
    assert.equal((await client.delete(path)).status, 404);
  });

  test('assignments go with the record', async () => {
    const { client, tag, contact, body } = await tagAndContact();
    await client.post('/crm/tag-assignments', body);
    await client.delete(`/crm/contacts/${contact.id}`);
    assert.equal((await client.get(`/crm/tags/${tag.id}`)).body.tag.usage_count, 0);
  });
});

describe('404', () => {
  test('DELETE of what is not there, of another kind, of another organization', async () => {
    const { client, tag, contact, body, path } = await tagAndContact();
    await client.post('/crm/tag-assignments', body);
    const stranger = await app.actor();
    assert.equal((await stranger.delete(path)).status, 404);
    const wrongKind = `/crm/tag-assignments/${tag.id}?resource_type=company&resource_id=${contact.id}`;
    assert.equal((await client.delete(wrongKind)).status, 404);
    assert.equal((await client.delete(path)).status, 200);
  });
});

describe('422', () => {
  test('unknown_reference for a tag or record that is not there, or of another organization, or kind', async () => {
    const { client, body } = await tagAndContact();
    const foreign = await tagAndContact();
    const wrong: [Record<string, string>, string][] = [
      [{ tag_id: foreign.tag.id }, '/tag_id'],
      [{ tag_id: newId('tag', new Date()) }, '/tag_id'],
      [{ resource_id: foreign.contact.id }, '/resource_id'],
      [{ resource_id: 'nobody' }, '/resource_id'],
      [{ resource_type: 'company' }, '/resource_id'],
      [{ resource_type: 'deal' }, '/resource_id'],
    ];
    for (const [fields, path] of wrong) {
      const reply = await client.post('/crm/tag-assignments', { ...body, ...fields });
      assert.equal(reply.status, 422, reply.text);
      assert.equal(reply.body.code, 'unknown_reference');
      assert.deepEqual(faultsIn(reply.body), [`${path} unknown_reference`]);
    }
  });

  test('validation_failed for what is missing or unknown, in body and query', async () => {
    const { client, tag, body, path } = await tagAndContact();
    assert.deepEqual(faultsIn((await client.post('/crm/tag-assignments', {})).body), [
      '/resource_id required',
      '/resource_type required',
      '/tag_id required',
    ]);
    const odd = await client.post('/crm/tag-assignments', { ...body, resource_type: 'activity' });
    assert.deepEqual(faultsIn(odd.body), ['/resource_type invalid_value']);
    const nul = await client.post('/crm/tag-assignments', { ...body, resource_id: 'a\0' });
    assert.deepEqual(faultsIn(nul.body), ['/resource_id invalid_characters']);
    const bare = await client.delete(`/crm/tag-assignments/${tag.id}`);
    assert.equal(bare.status, 422);
    assert.deepEqual(faultsIn(bare.body), ['resource_id required', 'resource_type required']);
    const more = await client.delete(`${path}&force=1`);
    assert.deepEqual(faultsIn(more.body), ['force unknown_parameter']);
  });
});
