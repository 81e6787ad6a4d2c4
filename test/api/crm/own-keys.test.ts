import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';

const app = await startApp();

describe('external_id and metadata of a company', () => {
  test('are kept, merged by a change, and removed by null', async () => {
    const client = await app.actor();
    const made = await client.post('/crm/companies', {
      name: '山田商店',
      external_id: 'K-1',
      metadata: { erp: '4711', 'sync.at': '' },
    });
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(made.body.company.metadata, { erp: '4711', 'sync.at': '' });
    const path = `/crm/companies/${made.body.company.id}`;
    const changed = await client.patch(path, { metadata: { erp: null, b: '2' } });
    assert.deepEqual(changed.body.company.metadata, { b: '2', 'sync.at': '' });
    assert.deepEqual((await client.get(path)).body.company, changed.body.company);
  });

  test('more than 50 entries, long ones and other keys are refused', async () => {
    const client = await app.actor();
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, 'x']));
    const refused = [many, { 'a b': 'x' }, { a: 'x'.repeat(501) }, { a: 1 }];
    for (const metadata of refused) {
      const reply = await client.post('/crm/companies', { name: '山田商店', metadata });
      assert.equal(reply.status, 422, JSON.stringify(metadata));
    }
  });

  test('a key in use is refused with the ID of the record that has it', async () => {
    const client = await app.actor();
    const comma = await client.post('/crm/companies', { name: '山田商店', external_id: 'a,b' });
    assert.equal(comma.body.errors[0].code, 'invalid_characters');
    const first = await client.post('/crm/companies', { name: '山田商店', external_id: 'T-1' });
    const again = await client.post('/crm/companies', { name: '別の会社', external_id: 'T-1' });
    assert.deepEqual([again.status, again.body.existing_id], [409, first.body.company.id]);
    const other = await client.post('/crm/companies', { name: '別の会社' });
    const patched = await client.patch(`/crm/companies/${other.body.company.id}`, { external_id: 'T-1' });
    assert.deepEqual([patched.status, patched.body.existing_id], [409, first.body.company.id]);
  });
});

describe('a list', () => {
  test('finds records by external_id, several of them, and by other keys', async () => {
    const client = await app.actor();
    const made = ['A-1', 'A-2', 'A-3'].map((external_id) => ({
      name: external_id,
      external_id,
      email: `${external_id}@x.jp`,
    }));
    for (const company of made) await client.post('/crm/companies', company);
    const found = await client.get('/crm/companies?external_id=A-1,A-3,A-9');
    assert.deepEqual(
      found.body.items.map((one: { name: string }) => one.name),
      ['A-3', 'A-1'],
    );
    assert.equal(found.body.total, 2);
    const by_email = await client.get('/crm/companies?email=a-2@X.jp');
    assert.deepEqual(
      by_email.body.items.map((one: { name: string }) => one.name),
      ['A-2'],
    );
    const since = found.body.items[0].updated_at;
    const changed = await client.get(
      `/crm/companies?updated_after=${since}&updated_before=9999-01-01T00:00:00Z`,
    );
    assert.deepEqual(
      changed.body.items.map((one: { name: string }) => one.name),
      ['A-3'],
    );
  });
});
