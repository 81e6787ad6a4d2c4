import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId } from '../../../shared/kernel/id.ts';
import { startApp } from '../../support/app.ts';
import { company, contact, twoCompanies } from '../../support/crm-pairs.ts';
import { faultsIn, toldSoFar } from '../../support/facts.ts';

const app = await startApp();

describe('301', () => {
  test('GET and HEAD of a merged ID lead to the survivor, also after it was merged in turn', async () => {
    const client = await app.actor();
    const first = await contact(client, {});
    const second = await contact(client, {});
    const last = await contact(client, {});
    await client.post(`/crm/contacts/${second.id}/merge`, { loser_id: first.id });
    await client.post(`/crm/contacts/${last.id}/merge`, { loser_id: second.id });
    for (const { id } of [first, second]) {
      for (const method of ['GET', 'HEAD']) {
        const reply = await client.send(method, `/crm/contacts/${id}`);
        assert.equal(reply.status, 301);
        assert.equal(reply.headers.get('location'), `/api/v1/crm/contacts/${last.id}`);
      }
    }
    const stranger = await app.actor();
    assert.equal((await stranger.get(`/crm/contacts/${first.id}`)).status, 404);
  });

  test('a filter by a merged company means its survivor', async () => {
    const client = await app.actor();
    const { survivor, loser, person, path } = await twoCompanies(client);
    await client.post(path, { loser_id: loser.id });
    const list = await client.get(`/crm/contacts?company_id=${loser.id}`);
    assert.deepEqual(
      list.body.items.map(({ id }: { id: string }) => id),
      [person.id],
    );
    const direct = await client.get(`/crm/contacts?company_id=${survivor.id}`);
    assert.deepEqual(direct.body, list.body);
  });
});

describe('404', () => {
  test('a write to a merged ID names the survivor', async () => {
    const client = await app.actor();
    const { survivor, loser, path } = await twoCompanies(client);
    await client.post(path, { loser_id: loser.id });
    const third = await company(client, { name: 'C' });
    for (const reply of [
      await client.patch(`/crm/companies/${loser.id}`, { name: 'X' }),
      await client.delete(`/crm/companies/${loser.id}`),
      await client.post(`/crm/companies/${loser.id}/merge`, { loser_id: third.id }),
    ]) {
      assert.equal(reply.status, 404, reply.text);
      assert.equal(reply.body.code, 'not_found');
      assert.equal(reply.body.survivor_id, survivor.id);
      assert.match(reply.body.detail, new RegExp(survivor.id));
    }
  });

  test('a merge into what is not there', async () => {
    const client = await app.actor();
    const { id } = await company(client, { name: 'A' });
    const none = newId('comp', new Date());
    assert.equal((await client.post(`/crm/companies/${none}/merge`, { loser_id: id })).status, 404);
  });
});

describe('409', () => {
  test('cycle: a parent chosen that belongs to the survivor', async () => {
    const client = await app.actor();
    const survivor = await company(client, { name: 'A' });
    const loser = await company(client, { name: 'B', parent_id: survivor.id });
    const fields = { parent_id: loser.id };
    const reply = await client.post(`/crm/companies/${survivor.id}/merge`, { loser_id: loser.id, fields });
    assert.deepEqual([reply.status, reply.body.code], [409, 'cycle']);
  });
});

describe('422', () => {
  test('a merged ID in a body is unknown_reference', async () => {
    const client = await app.actor();
    const { survivor, loser, path } = await twoCompanies(client);
    await client.post(path, { loser_id: loser.id });
    for (const reply of [
      await client.post(path, { loser_id: loser.id }),
      await client.post('/crm/contacts', { first_name: 'A', last_name: 'B', company_id: loser.id }),
      await client.patch(`/crm/companies/${survivor.id}`, { parent_id: loser.id }),
    ]) {
      assert.deepEqual([reply.status, reply.body.code], [422, 'unknown_reference'], reply.text);
    }
  });

  test('the loser is itself, of another organization, missing; a choice is no field or a third record', async () => {
    const client = await app.actor();
    const stranger = await app.actor();
    const survivor = await company(client, { name: 'A' });
    const loser = await company(client, { name: 'B' });
    const foreign = await company(stranger, { name: 'C' });
    const wrong: [Record<string, unknown>, string][] = [
      [{}, '/loser_id required'],
      [{ loser_id: survivor.id }, '/loser_id same_record'],
      [{ loser_id: foreign.id }, '/loser_id unknown_reference'],
      [{ loser_id: newId('comp', new Date()) }, '/loser_id unknown_reference'],
      [{ loser_id: newId('cont', new Date()) }, '/loser_id invalid_id'],
      [{ loser_id: loser.id, fields: { open_amount: loser.id } }, '/fields/open_amount unknown_field'],
      [{ loser_id: loser.id, fields: { name: foreign.id } }, '/fields/name invalid_value'],
      [{ loser_id: loser.id, fields: { name: 'loser' } }, '/fields/name invalid_id'],
      [{ loser_id: loser.id, force: true }, '/force unknown_field'],
    ];
    for (const [body, expected] of wrong) {
      const reply = await client.post(`/crm/companies/${survivor.id}/merge`, body);
      assert.equal(reply.status, 422, reply.text);
      assert.deepEqual(faultsIn(reply.body), [expected]);
    }
  });
});

describe('at the same time', () => {
  test('of two opposite merges one is done and the other refused', async () => {
    const client = await app.actor();
    for (let round = 0; round < 5; round += 1) {
      const [left, right] = [await company(client, { name: 'l' }), await company(client, { name: 'r' })];
      const replies = await Promise.all([
        client.post(`/crm/companies/${left.id}/merge`, { loser_id: right.id }),
        client.post(`/crm/companies/${right.id}/merge`, { loser_id: left.id }),
      ]);
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 404]);
    }
  });

  test('deals that arrive during a merge are in the totals of the survivor, or refused', async () => {
    const client = await app.actor();
    const { survivor, loser, path } = await twoCompanies(client);
    const [, ...deals] = await Promise.all([
      client.post(path, { loser_id: loser.id }),
      ...Array.from({ length: 8 }, () =>
        client.post('/crm/deals', { name: 'N', amount: 1, company_id: loser.id }),
      ),
    ]);
    const added = deals.filter(({ status }) => status === 201).length;
    assert.ok(deals.every(({ status }) => status === 201 || status === 422));
    const read = (await client.get(`/crm/companies/${survivor.id}`)).body.company;
    assert.deepEqual([read.open_deals, read.open_amount], [3 + added, 1500 + added]);
    const listed = await client.get(`/crm/deals?company_id=${survivor.id}`);
    assert.equal(listed.body.total, 3 + added);
    const told = await toldSoFar(app, client.actor.organization_id);
    const relinked = told.audit.filter(
      ({ entity_type, changes }) => entity_type === 'deal' && changes['company_id']?.[0],
    );
    assert.equal(relinked.length, 2 + added);
  });
});
