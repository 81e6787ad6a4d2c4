import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { newSender } from '../../support/signing.ts';

const app = await startApp();

const PATH = '/sign/documents';

test('who does not see a document is told that there is none', async () => {
  const owner = await newSender(app);
  const [member, viewer, admin] = [
    await owner.colleague(),
    await owner.colleague(),
    await owner.colleague('admin'),
  ];
  const draft = await member.draft({ viewers: [viewer.actor.user_id], external_id: 'K-1' });
  const other = await owner.colleague();
  for (const sees of [owner, member, viewer, admin]) {
    assert.equal((await sees.get(`${PATH}/${draft.id}`)).status, 200);
    assert.equal((await sees.get(PATH)).body.total, 1);
  }
  assert.equal((await other.get(`${PATH}/${draft.id}`)).status, 404);
  assert.equal((await other.patch(`${PATH}/${draft.id}`, { title: 'x' })).status, 404);
  assert.equal((await other.delete(`${PATH}/${draft.id}`)).status, 404);
  assert.equal((await other.get(PATH)).body.total, 0);
  const taken = await other.upload({ title: 'x', external_id: 'K-1' });
  assert.deepEqual([taken.status, taken.body.existing_id], [409, null]);
  await member.patch(`${PATH}/${draft.id}`, { visibility: 'organization' });
  assert.equal((await other.get(`${PATH}/${draft.id}`)).status, 200);
});

test('the list is narrowed by all that can be asked for, and shows no fields', async () => {
  const sender = await newSender(app);
  const company = (await sender.post('/crm/companies', { name: '株式会社みなと' })).body.company;
  const first = await sender.draft({
    title: '業務委託契約書',
    transaction_date: '2026-12-01',
    amount: 100,
    company_id: company.id,
  });
  const second = await sender.draft({
    title: '秘密保持契約書',
    counterparty_name: '青葉商事',
    transaction_date: '2027-01-10',
    amount: 5000,
    signers: [{ name: '田中 一郎', email: 'Ichiro@Example.jp' }],
  });
  const idsBy = async (query: string) =>
    (await sender.get(`${PATH}?${query}`)).body.items.map(({ id }: { id: string }) => id);
  assert.deepEqual(await idsBy(''), [second.id, first.id]);
  assert.deepEqual(await idsBy('search=みなと'), []);
  assert.deepEqual(await idsBy('search=青葉'), [second.id]);
  assert.deepEqual(await idsBy('search=ｲﾁﾛｳ'), []);
  assert.deepEqual(await idsBy('search=田中'), [second.id]);
  assert.deepEqual(await idsBy('search=ichiro@'), [second.id]);
  assert.deepEqual(await idsBy('signer_email=ICHIRO@example.jp'), [second.id]);
  assert.deepEqual(await idsBy(`company_id=${company.id}`), [first.id]);
  assert.deepEqual(await idsBy('transaction_date_from=2026-12-31'), [second.id]);
  assert.deepEqual(await idsBy('transaction_date_to=2026-12-31&amount_max=100'), [first.id]);
  assert.deepEqual(await idsBy('amount_min=101'), [second.id]);
  assert.deepEqual(await idsBy('needs_attention=true'), []);
  assert.deepEqual(await idsBy('status=sent,signed'), []);
  for (const sort of ['transaction_date', 'amount', 'title', 'sent_at', 'expires_at']) {
    assert.equal((await idsBy(`sort=${sort}:asc`)).length, 2);
  }
  assert.deepEqual(await idsBy('sort=amount:desc'), [second.id, first.id]);
  const { items } = (await sender.get(PATH)).body;
  assert.equal('fields' in items[0], false);
  assert.equal(items[0].signers.length, 1);
});
