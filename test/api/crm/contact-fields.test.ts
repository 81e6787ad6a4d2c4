import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId } from '../../../shared/kernel/id.ts';
import { startApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { faultsIn, toldBy } from '../../support/facts.ts';

const app = await startApp();
const person = { first_name: 'A', last_name: 'B' };

async function make(client: Client, fields: Record<string, unknown> = {}) {
  const reply = await client.post('/crm/contacts', { ...person, ...fields });
  assert.equal(reply.status, 201, reply.text);
  return reply.body.contact;
}

async function lastNames(client: Client, query: string): Promise<string[]> {
  const reply = await client.get(`/crm/contacts?${query}`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.items.map((one: { last_name: string }) => one.last_name);
}

describe('200', () => {
  test('search finds both orders, kana, e-mail and phone digits, and no letter stands for others', async () => {
    const client = await app.actor();
    await make(client, {
      first_name: '太郎',
      last_name: '山田',
      first_name_kana: 'タロウ',
      last_name_kana: 'ヤマダ',
      email: 'Taro@Example.jp',
      phone: '(03) 1234-5678',
    });
    await make(client, { first_name: 'Mary Ann', last_name: 'Lee' });
    for (const term of [
      '山田太郎',
      '太郎 山田',
      'やまだ',
      'ﾀﾛｳ ﾔﾏﾀﾞ',
      'TARO@',
      '312345',
      '０３－１２３４',
      '郎',
    ]) {
      assert.deepEqual(await lastNames(client, `search=${encodeURIComponent(term)}`), ['山田'], term);
    }
    assert.deepEqual(await lastNames(client, 'search=lee%20MARY'), ['Lee']);
    for (const term of ['%', '_', 'a%l', 'M_ry', '\\']) {
      assert.deepEqual(await lastNames(client, `search=${encodeURIComponent(term)}`), [], term);
    }
    assert.equal((await lastNames(client, 'search=%E3%80%80')).length, 2);
  });

  test('a term that repeats one letter finds no shorter repetition', async () => {
    const client = await app.actor();
    await make(client, { last_name: 'Baab' });
    await make(client, { last_name: 'Caaac' });
    assert.deepEqual(await lastNames(client, 'search=aaa'), ['Caaac']);
    assert.deepEqual(await lastNames(client, 'search=aa&sort=last_name'), ['Baab', 'Caaac']);
  });

  test('sorts by kana and name, by first name, by last name and by e-mail without regard to case', async () => {
    const client = await app.actor();
    await make(client, { first_name: 'c', last_name: '山田', last_name_kana: 'ヤマダ', email: 'b@x.jp' });
    await make(client, { first_name: 'a', last_name: '青木', last_name_kana: 'アオキ', email: 'C@x.jp' });
    await make(client, { first_name: 'b', last_name: '林', email: 'A@x.jp' });
    await make(client, { first_name: 'Zed', last_name: 'Adams' });
    const inOrder = async (sort: string) => (await lastNames(client, `sort=${sort}`)).join(' ');
    assert.equal(await inOrder('name'), 'Adams 青木 山田 林');
    assert.equal(await inOrder('name&order=desc'), '林 山田 青木 Adams');
    assert.equal(await inOrder('first_name:asc'), 'Adams 青木 林 山田');
    assert.equal(await inOrder('last_name:desc'), '青木 林 山田 Adams');
    assert.equal(await inOrder('email:asc'), '林 山田 青木 Adams');
    assert.equal(await inOrder('email:desc'), 'Adams 青木 山田 林');
  });

  test('company_id, owner_id and tag_id narrow the list together with search', async () => {
    const client = await app.actor();
    const { company } = (await client.post('/crm/companies', { name: 'X' })).body;
    await make(client, { last_name: '林', company_id: company.id });
    await make(client, { last_name: '林', company_id: company.id, owner_id: null });
    await make(client, { last_name: '森', company_id: company.id });
    await make(client, { last_name: '林' });
    const query = `company_id=${company.id}&owner_id=${client.actor.user_id}`;
    assert.deepEqual(await lastNames(client, query), ['森', '林']);
    assert.deepEqual(await lastNames(client, `${query}&search=林`), ['林']);
    assert.deepEqual(await lastNames(client, `company_id=${newId('comp', new Date())}`), []);
  });

  test('an e-mail is kept as written and may be that of another contact', async () => {
    const client = await app.actor();
    const { email } = await make(client, { email: 'Yamada.Family@Example.JP' });
    assert.equal(email, 'Yamada.Family@Example.JP');
    await make(client, { email });
  });

  test('DELETE lets deals and activities go, which keep their text and say so', async () => {
    const client = await app.actor();
    await client.post('/crm/pipelines', { name: 'P' });
    const { id } = await make(client);
    const { deal } = (await client.post('/crm/deals', { name: 'D', contact_ids: [id] })).body;
    const { activity } = (
      await client.post('/crm/activities', {
        type: 'note',
        content: 'text',
        contact_id: id,
        deal_id: deal.id,
      })
    ).body;
    const told = await toldBy(app, client.actor.organization_id, async () => {
      assert.deepEqual((await client.delete(`/crm/contacts/${id}`)).body, { success: true });
    });
    const left = (await client.get(`/crm/deals/${deal.id}`)).body.deal;
    assert.deepEqual([left.name, left.contact_ids], ['D', []]);
    const note = (await client.get(`/crm/activities/${activity.id}`)).body.activity;
    assert.deepEqual([note.content, note.contact_id, note.deal_id], ['text', null, deal.id]);
    assert.deepEqual(told.events.map(({ type }) => type).sort(), ['crm.contact.deleted', 'crm.deal.updated']);
    assert.deepEqual(told.audit.map(({ entity_type }) => entity_type).sort(), [
      'activity',
      'contact',
      'deal',
    ]);
  });
});

describe('409', () => {
  test('already_exists: an external ID that another contact of the organization has', async () => {
    const client = await app.actor();
    await make(client, { external_id: 'x' });
    const other = await make(client);
    for (const reply of [
      await client.post('/crm/contacts', { ...person, external_id: 'x' }),
      await client.patch(`/crm/contacts/${other.id}`, { external_id: 'x' }),
    ]) {
      assert.equal(reply.status, 409, reply.text);
      assert.deepEqual(faultsIn(reply.body), ['/external_id already_exists']);
    }
    await make(await app.actor(), { external_id: 'x' });
  });
});

describe('422', () => {
  test('validation_failed at the path of each wrong value', async () => {
    const client = await app.actor();
    const wrong: [Record<string, unknown>, string][] = [
      [{ first_name: ' 　 ' }, '/first_name too_short'],
      [{ first_name: 'a\0' }, '/first_name invalid_characters'],
      [{ last_name: '\udc00' }, '/last_name invalid_characters'],
      [{ last_name: 'x'.repeat(101) }, '/last_name too_long'],
      [{ last_name: null }, '/last_name invalid_type'],
      [{ email: 'a@b@c' }, '/email invalid_format'],
      [
        {
          email: `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}`,
        },
        '/email too_long',
      ],
      [{ phone: '' }, '/phone too_short'],
      [{ note: 'x'.repeat(10_001) }, '/note too_long'],
      [{ company_id: 'x' }, '/company_id invalid_id'],
      [{ full_name: 'A B' }, '/full_name unknown_field'],
      [{ tags: [] }, '/tags unknown_field'],
    ];
    const { id } = await make(client);
    for (const [fields, expected] of wrong) {
      for (const reply of [
        await client.post('/crm/contacts', { ...person, ...fields }),
        await client.patch(`/crm/contacts/${id}`, fields),
      ]) {
        assert.equal(reply.status, 422, `${expected}: ${reply.text}`);
        assert.deepEqual(faultsIn(reply.body), [expected]);
      }
    }
  });

  test('unknown_reference for a company or owner that is not there, or of another organization', async () => {
    const client = await app.actor();
    const stranger = await app.actor();
    const foreign = (await stranger.post('/crm/companies', { name: 'X' })).body.company;
    const { id } = await make(client);
    for (const fields of [
      { company_id: foreign.id },
      { company_id: newId('comp', new Date()) },
      { owner_id: stranger.actor.user_id },
      { owner_id: newId('usr', new Date()) },
    ]) {
      for (const reply of [
        await client.post('/crm/contacts', { ...person, ...fields }),
        await client.patch(`/crm/contacts/${id}`, fields),
      ]) {
        assert.deepEqual([reply.status, reply.body.code], [422, 'unknown_reference'], reply.text);
        assert.deepEqual(faultsIn(reply.body), [`/${Object.keys(fields)[0]} unknown_reference`]);
      }
    }
  });
});
