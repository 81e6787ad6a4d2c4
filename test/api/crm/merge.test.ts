import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId } from '../../../shared/kernel/id.ts';
import { startApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { faultsIn, toldBy, toldSoFar } from '../../support/facts.ts';

const app = await startApp();

async function made(client: Client, path: string, body: Record<string, unknown>) {
  const reply = await client.post(path, body);
  assert.equal(reply.status, 201, reply.text);
  return Object.values(reply.body)[0] as Record<string, never> & { id: string };
}

const company = (client: Client, fields: Record<string, unknown>) => made(client, '/crm/companies', fields);
const contact = (client: Client, fields: Record<string, unknown>) =>
  made(client, '/crm/contacts', { first_name: 'A', last_name: 'B', ...fields });

async function twoCompanies(client: Client) {
  await made(client, '/crm/pipelines', { name: 'P' });
  const survivor = await company(client, { name: '山田商店', phone: '03-1' });
  const loser = await company(client, {
    name: '㈱山田商店',
    phone: '03-2',
    note: 'x',
    external_id: 'e',
    corporate_number: '7000012050002',
  });
  const person = await contact(client, { company_id: loser.id });
  const deals = [
    await made(client, '/crm/deals', { name: 'D1', amount: 1000, company_id: loser.id }),
    await made(client, '/crm/deals', { name: 'D2', amount: '10.50', currency: 'USD', company_id: loser.id }),
  ];
  await made(client, '/crm/deals', { name: 'D3', amount: 500, company_id: survivor.id });
  const [shared, own] = [
    await made(client, '/crm/tags', { name: 's' }),
    await made(client, '/crm/tags', { name: 'o' }),
  ];
  for (const [tag_id, resource_id] of [
    [shared.id, survivor.id],
    [shared.id, loser.id],
    [own.id, loser.id],
  ]) {
    await made(client, '/crm/tag-assignments', { tag_id, resource_type: 'company', resource_id });
  }
  const note = await made(client, '/crm/activities', { type: 'note', content: 'n', company_id: loser.id });
  const path = `/crm/companies/${survivor.id}/merge`;
  return { survivor, loser, person, deals, note, path };
}

const moved = { deals: 2, activities: 1, contacts: 1, tags: 1, documents: 0 };

describe('200: a merge of companies', () => {
  test('fills what is empty, moves what refers to the loser, and says so of everything', async () => {
    const client = await app.actor();
    const { survivor, loser, person, deals, note, path } = await twoCompanies(client);
    const told = await toldBy(app, client.actor.organization_id, async () => {
      const reply = await client.post(path, { loser_id: loser.id });
      assert.equal(reply.status, 200, reply.text);
      assert.deepEqual([reply.body.moved, reply.body.dry_run], [moved, false]);
      const read = (await client.get(`/crm/companies/${survivor.id}`)).body.company;
      assert.deepEqual(reply.body.company, read);
      assert.deepEqual(
        [read.id, read.name, read.phone, read.note, read.external_id, read.corporate_number],
        [survivor.id, '山田商店', '03-1', 'x', 'e', '7000012050002'],
      );
      assert.deepEqual([read.open_deals, read.open_amount], [3, 1500]);
      assert.deepEqual(read.open_amounts, [
        { currency: 'JPY', amount: 1500 },
        { currency: 'USD', amount: '10.50' },
      ]);
      assert.deepEqual(
        read.tags.map(({ name }: { name: string }) => name),
        ['o', 's'],
      );
    });
    assert.equal((await client.get(`/crm/contacts/${person.id}`)).body.contact.company_id, survivor.id);
    for (const { id } of deals) {
      assert.equal((await client.get(`/crm/deals/${id}`)).body.deal.company_id, survivor.id);
    }
    assert.equal((await client.get(`/crm/activities/${note.id}`)).body.activity.company_id, survivor.id);
    assert.ok(told.audit.some(({ entity_id }) => entity_id === note.id));
    assert.deepEqual(
      told.events.map(({ type, data }) => `${type} ${data['id']}`).sort(),
      [
        `crm.company.deleted ${loser.id}`,
        `crm.company.updated ${survivor.id}`,
        `crm.contact.updated ${person.id}`,
        ...deals.map(({ id }) => `crm.deal.updated ${id}`),
      ].sort(),
    );
    const updated = told.events.find(({ type }) => type === 'crm.company.updated')!;
    assert.deepEqual(updated.previous_attributes, { note: null, external_id: null, corporate_number: null });
    assert.equal((await client.get('/crm/companies')).body.total, 1);
  });

  test('is told for the survivor even when nothing of it changed', async () => {
    const client = await app.actor();
    const [survivor, loser] = [await company(client, { name: 'A' }), await company(client, { name: 'B' })];
    const told = await toldBy(app, client.actor.organization_id, () =>
      client.post(`/crm/companies/${survivor.id}/merge`, { loser_id: loser.id }),
    );
    assert.deepEqual(told.events.map(({ type }) => type).sort(), [
      'crm.company.deleted',
      'crm.company.updated',
    ]);
    const updated = told.events.find(({ type }) => type === 'crm.company.updated')!;
    assert.deepEqual(updated.previous_attributes, {});
  });

  test('takes chosen fields from the loser', async () => {
    const client = await app.actor();
    const { loser, path } = await twoCompanies(client);
    const fields = { name: loser.id, phone: loser.id };
    const { company: merged } = (await client.post(path, { loser_id: loser.id, fields })).body;
    assert.deepEqual([merged.name, merged.phone], ['㈱山田商店', '03-2']);
    const found = await client.get(`/crm/companies?search=${encodeURIComponent('(株)')}`);
    assert.equal(found.body.total, 1);
  });

  test('with dry_run answers the same and writes nothing', async () => {
    const client = await app.actor();
    const { survivor, loser, path } = await twoCompanies(client);
    const before = await client.get('/crm/companies');
    const told = await toldBy(app, client.actor.organization_id, async () => {
      const dry = await client.post(path, { loser_id: loser.id, dry_run: true });
      assert.deepEqual([dry.status, dry.body.moved, dry.body.dry_run], [200, moved, true]);
      assert.deepEqual([dry.body.company.note, dry.body.company.open_amount], ['x', 1500]);
      assert.equal(dry.body.company.updated_at, survivor['updated_at']);
    });
    assert.deepEqual(told, { events: [], audit: [] });
    assert.deepEqual((await client.get('/crm/companies')).body, before.body);
    assert.equal((await client.get(`/crm/companies/${loser.id}`)).status, 200);
  });

  test('gives the survivor the place of the loser among the companies', async () => {
    const client = await app.actor();
    const top = await company(client, { name: 'top' });
    const loser = await company(client, { name: 'loser', parent_id: top.id });
    const middle = await company(client, { name: 'middle', parent_id: loser.id });
    const survivor = await company(client, { name: 'survivor', parent_id: middle.id });
    const reply = await client.post(`/crm/companies/${survivor.id}/merge`, { loser_id: loser.id });
    assert.equal(reply.body.company.parent_id, top.id, reply.text);
    assert.equal((await client.get(`/crm/companies/${middle.id}`)).body.company.parent_id, survivor.id);
  });

  test('never makes the survivor its own parent', async () => {
    const client = await app.actor();
    const survivor = await company(client, { name: 'survivor' });
    const loser = await company(client, { name: 'loser', parent_id: survivor.id });
    const direct = await client.post(`/crm/companies/${survivor.id}/merge`, { loser_id: loser.id });
    assert.equal(direct.body.company.parent_id, null, direct.text);
    const top = await company(client, { name: 'top' });
    const child = await company(client, { name: 'child', parent_id: top.id });
    const upward = await client.post(`/crm/companies/${child.id}/merge`, { loser_id: top.id });
    assert.equal(upward.body.company.parent_id, null, upward.text);
  });
});

describe('200: a merge of contacts', () => {
  test('fills, moves deals and tags, and leaves a deal that had both with one', async () => {
    const client = await app.actor();
    await made(client, '/crm/pipelines', { name: 'P' });
    const survivor = await contact(client, { first_name: '花子', last_name: '山田', email: 'a@x.jp' });
    const loser = await contact(client, { phone: '03', last_name_kana: 'ヤマダ', email: 'b@x.jp' });
    const both = await made(client, '/crm/deals', { name: 'D1', contact_ids: [loser.id, survivor.id] });
    const one = await made(client, '/crm/deals', { name: 'D2', contact_ids: [loser.id] });
    const tag = await made(client, '/crm/tags', { name: 't' });
    await made(client, '/crm/tag-assignments', {
      tag_id: tag.id,
      resource_type: 'contact',
      resource_id: loser.id,
    });
    const told = await toldBy(app, client.actor.organization_id, async () => {
      const reply = await client.post(`/crm/contacts/${survivor.id}/merge`, { loser_id: loser.id });
      assert.equal(reply.status, 200, reply.text);
      assert.deepEqual(reply.body.moved, { deals: 2, activities: 0, contacts: 0, tags: 1, documents: 0 });
      const read = (await client.get(`/crm/contacts/${survivor.id}`)).body.contact;
      assert.deepEqual(reply.body.contact, read);
      const { full_name, phone, last_name_kana, email, tags } = read;
      assert.deepEqual([full_name, phone, last_name_kana, email], ['山田 花子', '03', 'ヤマダ', 'a@x.jp']);
      assert.equal(tags.length, 1);
    });
    for (const { id } of [both, one]) {
      const { deal } = (await client.get(`/crm/deals/${id}`)).body;
      assert.deepEqual(deal.contact_ids, [survivor.id]);
      const event = told.events.find(({ data }) => data['id'] === id)!;
      assert.deepEqual(event.data, deal);
    }
  });
});

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
