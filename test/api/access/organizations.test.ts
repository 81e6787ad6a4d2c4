import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
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
      audit
        .map((entry: { entity_type: string; action: string }) => `${entry.entity_type} ${entry.action}`)
        .sort(),
      ['member create', 'organization create', 'session create'],
    );
  });
});

describe('a member', () => {
  test('joins', async () => {
    const owner = await newOwner(app);
    const member = await newMember(app, owner, 'member');
    assert.equal((await member.get('/organization')).body.organization.id, owner.organization_id);
  });
});
