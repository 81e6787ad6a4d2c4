import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';

const app = await startApp();

const idsOf = (reply: { body: { items: { id: string }[] } }) => reply.body.items.map(({ id }) => id);

describe('external_id and metadata', () => {
  const kinds = [
    { path: '/mail/contacts', one: 'contact', fields: { email: 'a@x.jp' }, other: { email: 'b@x.jp' } },
    { path: '/mail/lists', one: 'list', fields: { name: 'A' }, other: { name: 'B' } },
  ];
  for (const { path, one, fields, other } of kinds) {
    test(`${path} takes them, once, merges metadata, and frees the ID of a removed record`, async () => {
      const client = await app.actor();
      const own = { external_id: 'X-1', metadata: { erp: '1', z: '2' } };
      const made = await client.post(path, { ...fields, ...own });
      assert.equal(made.status, 201, made.text);
      const record = made.body[one];
      assert.deepEqual([record.external_id, record.metadata], ['X-1', { z: '2', erp: '1' }]);
      const again = await client.post(path, { ...other, ...own });
      assert.deepEqual([again.status, again.body.existing_id], [409, record.id], again.text);
      assert.equal(again.body.errors[0].path, '/external_id');
      const second = (await client.post(path, other)).body[one];
      const taken = await client.patch(`${path}/${second.id}`, { external_id: 'X-1' });
      assert.deepEqual([taken.status, taken.body.existing_id], [409, record.id], taken.text);
      const patched = await client.patch(`${path}/${record.id}`, {
        external_id: 'X-2',
        metadata: { erp: null, b: '3' },
      });
      assert.deepEqual(
        [patched.body[one].external_id, patched.body[one].metadata],
        ['X-2', { b: '3', z: '2' }],
        patched.text,
      );
      assert.deepEqual((await client.get(`${path}/${record.id}`)).body[one], patched.body[one]);
      assert.equal((await client.delete(`${path}/${record.id}`)).status, 200);
      assert.equal((await client.post(path, { ...fields, external_id: 'X-2' })).status, 201);
    });

    test(`${path} is looked up by them and by the last change`, async () => {
      const client = await app.actor();
      const first = (await client.post(path, { ...fields, external_id: 'K-1' })).body[one];
      const second = (await client.post(path, { ...other, external_id: 'K-2' })).body[one];
      assert.deepEqual(idsOf(await client.get(`${path}?external_id=K-1`)), [first.id]);
      const both = await client.get(`${path}?external_id=K-1,K-2,K-3`);
      assert.deepEqual([idsOf(both), both.body.total], [[second.id, first.id], 2]);
      const changed = (await client.patch(`${path}/${first.id}`, { metadata: { a: 'b' } })).body[one];
      const after = await client.get(`${path}?updated_after=${changed.updated_at}`);
      assert.deepEqual([idsOf(after), after.body.total], [[first.id], 1]);
      const before = await client.get(`${path}?updated_before=${changed.updated_at}`);
      assert.deepEqual([idsOf(before), before.body.total], [[second.id], 1]);
    });

    test(`${path} keeps their values out of the audit log`, async () => {
      const client = await app.actor();
      const own = { external_id: 'secret-4711', metadata: { name: 'secret-yamada' } };
      const { id } = (await client.post(path, { ...fields, ...own })).body[one];
      await client.patch(`${path}/${id}`, { external_id: 'secret-4712', metadata: { name: 'secret-sato' } });
      await client.delete(`${path}/${id}`);
      const log = await client.get('/mail/audit-logs');
      assert.equal(log.status, 200, log.text);
      assert.match(log.text, /external_id/);
      assert.doesNotMatch(log.text, /secret/);
    });
  }
});

describe('mail contacts', () => {
  test('are looked up by e-mail in any letters, and by several statuses', async () => {
    const client = await app.actor();
    const make = async (email: string) => (await client.post('/mail/contacts', { email })).body.contact.id;
    const [active, left, bounced] = [await make('a@x.jp'), await make('b@x.jp'), await make('c@x.jp')];
    await client.patch(`/mail/contacts/${left}`, { status: 'unsubscribed' });
    await client.patch(`/mail/contacts/${bounced}`, { status: 'bounced' });
    assert.deepEqual(idsOf(await client.get('/mail/contacts?email=A@X.jp')), [active]);
    assert.deepEqual(idsOf(await client.get('/mail/contacts?status=bounced')), [bounced]);
    const several = await client.get('/mail/contacts?status=unsubscribed,bounced');
    assert.deepEqual([idsOf(several), several.body.total], [[bounced, left], 2]);
    assert.equal((await client.get('/mail/contacts?status=active,gone')).status, 422);
  });

  test('of a list are counted with the look-up, not as the list counts itself', async () => {
    const client = await app.actor();
    const { list } = (await client.post('/mail/lists', { name: 'A' })).body;
    for (const name of ['a', 'b']) {
      await client.post('/mail/contacts', { email: `${name}@x.jp`, external_id: name, list_id: list.id });
    }
    const found = await client.get(`/mail/contacts?list_id=${list.id}&external_id=a`);
    assert.deepEqual([found.body.items.length, found.body.total], [1, 1]);
  });

  test('an e-mail in use names whose it is, in both words', async () => {
    const client = await app.actor();
    const { contact } = (await client.post('/mail/contacts', { email: 'a@x.jp' })).body;
    const { body } = await client.post('/mail/contacts', { email: 'A@x.jp' });
    assert.deepEqual([body.existing_id, body.contact_id], [contact.id, contact.id]);
  });
});

describe('a mail contact by your own ID', () => {
  const path = (key: string) => `/mail/contacts/by-external-id/${encodeURIComponent(key)}`;

  test('is made, then changed', async () => {
    const client = await app.actor();
    for (const key of ['K-1', 'a/b c', '山田', '%2F', '...']) {
      const email = `${Buffer.from(key).toString('hex')}@x.jp`;
      const made = await client.put(path(key), { email, metadata: { a: '1' } });
      assert.equal(made.status, 201, made.text);
      const { contact } = made.body;
      assert.deepEqual([contact.external_id, contact.status], [key, 'active']);
      assert.equal(made.headers.get('Location'), `/api/v1/mail/contacts/${contact.id}`);
      const changed = await client.put(path(key), { last_name: '山田', metadata: { b: '2' } });
      assert.equal(changed.status, 200, changed.text);
      assert.deepEqual(
        [changed.body.contact.id, changed.body.contact.last_name, changed.body.contact.metadata],
        [contact.id, '山田', { a: '1', b: '2' }],
      );
    }
  });

  test('is checked as a new one where there is none', async () => {
    const client = await app.actor();
    const missing = await client.put(path('K-1'), { last_name: '山田' });
    assert.deepEqual(
      [missing.status, missing.body.errors[0].path, missing.body.errors[0].code],
      [422, '/email', 'required'],
    );
    const status = await client.put(path('K-1'), { email: 'a@x.jp', status: 'bounced' });
    assert.deepEqual([status.status, status.body.errors[0].path], [422, '/status'], status.text);
    const other = await client.put(path('K-1'), { email: 'a@x.jp', external_id: 'K-2' });
    assert.deepEqual([other.status, other.body.errors[0].path], [422, '/external_id']);
    assert.equal((await client.get('/mail/contacts')).body.total, 0);
  });

  test('whose e-mail another one has is refused with the ID of that one', async () => {
    const client = await app.actor();
    const { contact } = (await client.post('/mail/contacts', { email: 'a@x.jp' })).body;
    const refused = await client.put(path('K-1'), { email: 'a@x.jp' });
    assert.deepEqual([refused.status, refused.body.existing_id], [409, contact.id], refused.text);
  });

  test('is made once by fifty requests at the same time', async () => {
    const client = await app.actor();
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        client.put(path('K-1'), { email: 'a@x.jp', metadata: { [`k${n}`]: 'x' } }),
      ),
    );
    const statuses = replies.map(({ status }) => status).sort();
    assert.deepEqual([...new Set(statuses)], [200, 201]);
    assert.equal(statuses.filter((status) => status === 201).length, 1);
    const { items, total } = (await client.get('/mail/contacts')).body;
    assert.deepEqual([total, Object.keys(items[0].metadata).length], [1, 50]);
  });

  test('that is removed while it is changed is made anew, or gone: nothing else is answered', async () => {
    const client = await app.actor();
    for (let round = 0; round < 10; round += 1) {
      const { contact } = (await client.put(path('K-1'), { email: 'a@x.jp' })).body;
      const [removed, ...puts] = await Promise.all([
        client.delete(`/mail/contacts/${contact.id}`),
        ...Array.from({ length: 4 }, () =>
          client.put(path('K-1'), { email: 'a@x.jp', last_name: `${round}` }),
        ),
      ]);
      assert.equal(removed.status, 200, removed.text);
      for (const { status, text } of puts) assert.ok(status === 200 || status === 201, text);
      assert.ok((await client.get('/mail/contacts')).body.total <= 1);
    }
  });
});
