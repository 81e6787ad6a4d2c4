import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newSales } from '../../support/deals.ts';

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

const KINDS = [
  { path: '/crm/companies', one: 'company', fields: { name: 'A' } },
  { path: '/crm/contacts', one: 'contact', fields: { first_name: 'A', last_name: 'B' } },
  { path: '/crm/deals', one: 'deal', fields: { name: 'A' } },
  { path: '/crm/activities', one: 'activity', fields: { type: 'note', content: 'A' } },
  { path: '/crm/tags', one: 'tag', fields: { name: 'A' } },
  { path: '/crm/pipelines', one: 'pipeline', fields: { name: 'A' }, is_list: false },
  {
    path: '/crm/custom-fields',
    one: 'custom_field',
    fields: { kind: 'company', key: 'a', type: 'text' },
    other: { key: 'b' },
  },
];

describe('every kind of record that clients make', () => {
  for (const { path, one, fields, is_list = true, other } of KINDS) {
    test(`${path} takes external_id, once, and metadata`, async () => {
      const client = await newSales(app);
      const own = { external_id: 'X-1', metadata: { erp: '1' } };
      const made = await client.post(path, { ...fields, ...own });
      assert.equal(made.status, 201, made.text);
      const record = made.body[one];
      assert.deepEqual([record.external_id, record.metadata], ['X-1', { erp: '1' }]);
      const again = await client.post(path, {
        ...fields,
        name: 'name' in fields ? 'B' : undefined,
        ...other,
        ...own,
      });
      assert.deepEqual([again.status, again.body.existing_id], [409, record.id], again.text);
      const patched = await client.patch(`${path}/${record.id}`, {
        external_id: 'X-2',
        metadata: { b: '2' },
      });
      assert.equal(patched.status, 200, patched.text);
      assert.deepEqual(patched.body[one].metadata, { b: '2', erp: '1' });
      const read = await client.get(`${path}/${record.id}`);
      assert.deepEqual(read.body[one].external_id, 'X-2');
      if (!is_list) return;
      const { items } = (await client.get(`${path}?external_id=X-2`)).body;
      assert.deepEqual(
        items.map(({ id }: { id: string }) => id),
        [record.id],
      );
      assert.equal((await client.get(`${path}?external_id=X-1`)).body.total, 0);
      assert.equal((await client.get(`${path}?updated_after=${read.body[one].updated_at}`)).status, 200);
    });
  }
});

describe('PUT by-external-id', () => {
  for (const { path, one, fields } of KINDS.slice(0, 3)) {
    test(`makes one in ${path}, then changes it`, async () => {
      const client = await newSales(app);
      const place = `${path}/by-external-id/${encodeURIComponent('取引先/1 %2F.')}`;
      const made = await client.put(place, { ...fields, metadata: { a: '1' } });
      assert.equal(made.status, 201, made.text);
      const { id, external_id } = made.body[one];
      assert.equal(external_id, '取引先/1 %2F.');
      assert.equal(made.headers.get('location'), `/api/v1${path}/${id}`);
      const changed = await client.put(place, { external_id, metadata: { b: '2' } });
      assert.deepEqual([changed.status, changed.body[one].id], [200, id], changed.text);
      assert.deepEqual(changed.body[one].metadata, { a: '1', b: '2' });
      const other = await client.put(place, { external_id: 'another' });
      assert.deepEqual([other.status, other.body.errors[0].path], [422, '/external_id']);
      const missing = await client.put(`${path}/by-external-id/new`, {});
      assert.deepEqual([missing.status, missing.body.errors[0].code], [422, 'required']);
      const comma = await client.put(`${path}/by-external-id/a,b`, fields);
      assert.equal(comma.status, 422);
      const broken = await client.put(`${path}/by-external-id/%E0%A4%A`, fields);
      assert.equal(broken.status, 404, broken.text);
      const none = await client.put(`${path}/by-external-id/new`, fields, { 'If-Match': '"x.y"' });
      assert.equal(none.status, 412);
    });

    test(`twenty at once make one record in ${path}`, async () => {
      const client = await newSales(app);
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          client.put(`${path}/by-external-id/P-1`, { ...fields, metadata: { [`n${n}`]: '1' } }),
        ),
      );
      assert.deepEqual(replies.map(({ status }) => status).sort(), [...Array(19).fill(200), 201]);
      const { items } = (await client.get(`${path}?external_id=P-1`)).body;
      assert.equal(items.length, 1);
      assert.equal(Object.keys(items[0].metadata).length, 20);
    });
  }

  test('twenty at once that share a corporate number too make one company, and none is refused', async () => {
    const client = await app.actor();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        client.put('/crm/companies/by-external-id/N-1', {
          name: '山田商店',
          corporate_number: '7000012050002',
          metadata: { [`of${n}`]: 'x' },
        }),
      ),
    );
    const statuses = replies.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [...Array(19).fill(200), 201]);
    const { items } = (await client.get('/crm/companies')).body;
    assert.equal(items.length, 1);
    assert.equal(Object.keys(items[0].metadata).length, 20);
  });
});

describe('the keys of a company that was merged', () => {
  async function merged() {
    const client = await app.actor();
    const make = async (fields: object) => (await client.post('/crm/companies', fields)).body.company;
    const survivor = await make({ name: 'S', external_id: 'S-1' });
    const loser = await make({
      name: 'L',
      external_id: 'L-1',
      corporate_number: '7000012050002',
      phone: '03',
    });
    const reply = await client.post(`/crm/companies/${survivor.id}/merge`, {
      loser_id: loser.id,
      fields: { corporate_number: survivor.id },
    });
    assert.equal(reply.status, 200, reply.text);
    return { client, survivor, loser };
  }

  test('lead to the survivor in look-ups and upserts, and are refused to others', async () => {
    const { client, survivor } = await merged();
    for (const query of ['external_id=L-1', 'external_id=S-1,L-1', 'corporate_number=7000012050002']) {
      const { items } = (await client.get(`/crm/companies?${query}`)).body;
      assert.deepEqual(
        items.map(({ id }: { id: string }) => id),
        [survivor.id],
        query,
      );
    }
    const put = await client.put('/crm/companies/by-external-id/L-1', { note: 'n' });
    assert.deepEqual(
      [put.status, put.body.company.id, put.body.company.external_id],
      [200, survivor.id, 'S-1'],
    );
    for (const fields of [{ external_id: 'L-1' }, { corporate_number: '7000012050002' }]) {
      const refused = await client.post('/crm/companies', { name: 'N', ...fields });
      assert.deepEqual([refused.status, refused.body.existing_id], [409, survivor.id], refused.text);
    }
  });

  test("become the survivor's own again, which frees the other, and go with it", async () => {
    const { client, survivor } = await merged();
    const path = `/crm/companies/${survivor.id}`;
    assert.equal((await client.patch(path, { external_id: 'L-1' })).body.company.external_id, 'L-1');
    assert.equal((await client.post('/crm/companies', { name: 'N', external_id: 'S-1' })).status, 201);
    assert.equal((await client.delete(path)).status, 200);
    const free = { name: 'N', external_id: 'L-1', corporate_number: '7000012050002' };
    assert.equal((await client.post('/crm/companies', free)).status, 201);
  });

  test('follow where the survivor is merged itself', async () => {
    const { client, survivor } = await merged();
    const last = (await client.post('/crm/companies', { name: 'Z', external_id: 'Z-1' })).body.company;
    await client.post(`/crm/companies/${last.id}/merge`, { loser_id: survivor.id });
    const { items } = (await client.get('/crm/companies?external_id=L-1')).body;
    assert.deepEqual(
      items.map(({ id }: { id: string }) => id),
      [last.id],
    );
  });

  test("are never both a merged one's and another's own, whatever comes at once", async () => {
    const client = await app.actor();
    for (let round = 0; round < 10; round += 1) {
      const make = async (fields: object) => (await client.post('/crm/companies', fields)).body.company;
      const survivor = await make({ name: 'S', external_id: `S-${round}` });
      const loser = await make({ name: 'L', external_id: `L-${round}` });
      const [reply, ...others] = await Promise.all([
        client.post(`/crm/companies/${survivor.id}/merge`, { loser_id: loser.id }),
        client.post('/crm/companies', { name: 'N', external_id: `L-${round}` }),
        client.put(`/crm/companies/by-external-id/L-${round}`, { name: 'P' }),
      ]);
      assert.equal(reply.status, 200, reply.text);
      assert.deepEqual(
        others.map(({ status }) => status),
        [409, 200],
        others.map(({ text }) => text).join(),
      );
      const { items } = (await client.get(`/crm/companies?external_id=L-${round}`)).body;
      assert.deepEqual(
        items.map(({ id }: { id: string }) => id),
        [survivor.id],
      );
    }
  });
});
