import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { company, contact, made, twoCompanies } from '../../support/crm-pairs.ts';
import { asCarried, toldBy } from '../../support/facts.ts';
import { seedDocuments } from '../../support/many-documents.ts';

const app = await startApp();

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
    const { tags, ...others } = updated.previous_attributes!;
    assert.deepEqual(others, { note: null, external_id: null, corporate_number: null });
    assert.deepEqual(
      (tags as { name: string }[]).map(({ name }) => name),
      ['s'],
    );
    assert.equal((await client.get('/crm/companies')).body.total, 1);
  });

  test('moves more documents than it tells of at once, each of them once', async () => {
    const client = await app.actor();
    const { survivor, loser, path } = await twoCompanies(client);
    const owner = client.actor;
    const { ids } = await seedDocuments(app.database, owner, 'invoice', {
      companies: [loser.id],
      count: 401,
    });
    const { events, audit } = await toldBy(app, owner.organization_id, async () => {
      const reply = await client.post(path, { loser_id: loser.id });
      assert.deepEqual([reply.status, reply.body.moved.documents], [200, 401], reply.text);
    });
    const updated = events.filter(({ type }) => type === 'invoice.updated');
    assert.deepEqual(updated.map(({ data }) => data['id']).sort(), [...ids].sort());
    assert.ok(updated.every(({ data }) => data['company_id'] === survivor.id));
    assert.ok(updated.every((told) => told.previous_attributes?.['company_id'] === loser.id));
    assert.equal(audit.filter(({ entity_type }) => entity_type === 'invoice').length, 401);
    const listed = (await client.get(`/invoices?company_id=${survivor.id}&limit=1`)).body;
    assert.equal(listed.total, 401);
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
    const { loser, path } = await twoCompanies(client);
    const before = await client.get('/crm/companies');
    const told = await toldBy(app, client.actor.organization_id, async () => {
      const dry = await client.post(path, { loser_id: loser.id, dry_run: true });
      assert.deepEqual([dry.status, dry.body.moved, dry.body.dry_run], [200, moved, true]);
      assert.deepEqual([dry.body.company.note, dry.body.company.open_amount], ['x', 1500]);
      assert.equal(
        dry.body.company.updated_at,
        before.body.items.find(({ id }: { id: string }) => id === dry.body.company.id).updated_at,
      );
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
      assert.deepEqual(event.data, asCarried(deal));
    }
  });
});
