import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId } from '../../../shared/kernel/id.ts';
import { startApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { asCarried, toldBy } from '../../support/facts.ts';

const app = await startApp();

async function make(client: Client, fields: Record<string, unknown>) {
  const reply = await client.post('/crm/companies', fields);
  assert.equal(reply.status, 201, reply.text);
  return reply.body.company;
}

describe('201', () => {
  test('a company with a name alone has its defaults', async () => {
    const client = await app.actor();
    const company = await make(client, { name: '  株式会社山田商店 ' });
    assert.equal(company.object, 'crm.company');
    assert.equal(company.name, '株式会社山田商店');
    assert.equal(company.honorific, '御中');
    assert.equal(company.owner_id, client.actor.user_id);
    assert.deepEqual([company.open_deals, company.open_amount, company.open_amounts], [0, 0, []]);
    assert.deepEqual([company.tags, company.custom_fields, company.warnings], [[], {}, []]);
    assert.equal(company.created_at, company.updated_at);
  });

  test('a company with everything is read back as it was answered', async () => {
    const client = await app.actor();
    const parent = await make(client, { name: '山田ホールディングス' });
    const company = await make(client, {
      name: '山田商店',
      name_kana: 'ヤマダショウテン',
      corporate_number: '7000012050002',
      invoice_registration_number: 'T7000012050002',
      domain: '山田.jp',
      website: 'https://www.example.co.jp/',
      phone: '03-1234-5678',
      fax: '03-1234-5679',
      email: 'Info@Example.co.jp',
      postal_code: '100-0001',
      prefecture: '東京都',
      city: '千代田区',
      address_line: '千代田1-1',
      building: '山田ビル',
      industry: '卸売業',
      employee_count: 12,
      capital: 10_000_000,
      fiscal_month: 3,
      payment_terms: { pay_day: 'end', closing_day: 20, months_later: 1 },
      honorific: '',
      owner_id: null,
      parent_id: parent.id,
      note: '',
      external_id: 'K-1',
    });
    assert.equal(company.email, 'Info@Example.co.jp');
    const read = await client.get(`/crm/companies/${company.id}`);
    assert.deepEqual(read.body.company, company);
    assert.deepEqual(company.warnings, []);
  });

  test('a registration number that is no corporation’s is accepted with a warning', async () => {
    const client = await app.actor();
    const company = await make(client, { name: '個人商店', invoice_registration_number: 'T1000012050002' });
    assert.equal(company.warnings[0].path, '/invoice_registration_number');
    const changed = await client.patch(`/crm/companies/${company.id}`, {
      invoice_registration_number: 'T7000012050002',
    });
    assert.deepEqual(changed.body.company.warnings, []);
  });

  test('makes the event and the audit entry', async () => {
    const client = await app.actor();
    let company: Record<string, unknown> = {};
    const told = await toldBy(app, client.actor.organization_id, async () => {
      company = await make(client, { name: 'A' });
    });
    assert.deepEqual(
      told.events.map(({ type }) => type),
      ['crm.company.created'],
    );
    assert.deepEqual(told.events[0]!.data, asCarried(company));
    assert.deepEqual(told.audit[0]!.changes['name'], [null, 'A']);
  });
});

describe('200', () => {
  test('PATCH changes only what is sent, clears with null, and says what it changed', async () => {
    const client = await app.actor();
    const { id } = await make(client, { name: 'A', phone: '1', note: 'keep', honorific: '様' });
    const told = await toldBy(app, client.actor.organization_id, async () => {
      const reply = await client.patch(`/crm/companies/${id}`, { phone: null, name: 'B' });
      assert.equal(reply.status, 200, reply.text);
      const { phone, name, note, honorific } = reply.body.company;
      assert.deepEqual(
        { phone, name, note, honorific },
        { phone: null, name: 'B', note: 'keep', honorific: '様' },
      );
    });
    assert.deepEqual(told.events[0]!.previous_attributes, { phone: '1', name: 'A' });
    assert.deepEqual(told.audit[0]!.changes, { phone: ['1', null], name: ['A', 'B'] });
  });

  test('PATCH that changes nothing records nothing', async () => {
    const client = await app.actor();
    const terms = { closing_day: 20, months_later: 1, pay_day: 'end' };
    const company = await make(client, { name: 'A', payment_terms: terms });
    const told = await toldBy(app, client.actor.organization_id, async () => {
      const turned = { pay_day: 'end', months_later: 1, closing_day: 20 };
      for (const body of [{}, { name: ' A ' }, { payment_terms: turned }]) {
        const reply = await client.patch(`/crm/companies/${company.id}`, body);
        assert.deepEqual(reply.body.company, company);
      }
    });
    assert.deepEqual(told, { events: [], audit: [] });
  });

  test('search finds by name, kana, e-mail and phone digits, whatever the case, width and kana', async () => {
    const client = await app.actor();
    const { id } = await make(client, {
      name: '㈱山田商店',
      name_kana: 'ヤマダショウテン',
      email: 'Info@Yamada.example',
      phone: '03-1234-5678',
    });
    await make(client, { name: '林' });
    const typed = ['山田', '(株)', 'やまだ', 'ﾔﾏﾀﾞ', 'INFO@', '1234567', '03-1234-5678', '店', '田商'];
    for (const term of typed) {
      const reply = await client.get(`/crm/companies?search=${encodeURIComponent(term)}`);
      assert.deepEqual(
        reply.body.items.map((one: { id: string }) => one.id),
        [id],
        term,
      );
    }
    for (const term of ['%', '_', '\\', '山%店', '店や']) {
      assert.equal(
        (await client.get(`/crm/companies?search=${encodeURIComponent(term)}`)).body.total,
        0,
        term,
      );
    }
  });

  test('sort=name takes the kana first', async () => {
    const client = await app.actor();
    await make(client, { name: '山田', name_kana: 'ヤマダ' });
    await make(client, { name: '青木', name_kana: 'あおき' });
    await make(client, { name: 'カトウ' });
    await make(client, { name: 'zebra' });
    await make(client, { name: 'Apple' });
    const names = async (query: string) =>
      (await client.get(`/crm/companies?${query}`)).body.items.map((one: { name: string }) => one.name);
    const inOrder = ['Apple', 'zebra', '青木', 'カトウ', '山田'];
    assert.deepEqual(await names('sort=name'), inOrder);
    assert.deepEqual(await names('sort=name:desc'), inOrder.toReversed());
    assert.equal((await client.get('/crm/companies?sort=open_amount:desc,name:asc')).status, 200);
  });

  test('owner_id and tag_id narrow the list', async () => {
    const client = await app.actor();
    const other = await app.actor({ organization_id: client.actor.organization_id });
    const mine = await make(client, { name: 'A' });
    await make(other, { name: 'B' });
    const reply = await client.get(`/crm/companies?owner_id=${client.actor.user_id}`);
    assert.deepEqual(
      reply.body.items.map((one: { id: string }) => one.id),
      [mine.id],
    );
    assert.equal((await client.get(`/crm/companies?tag_id=${newId('tag', new Date())}`)).body.total, 0);
  });

  test('DELETE lets contacts and branches go, which say so', async () => {
    const client = await app.actor();
    const { id } = await make(client, { name: 'A' });
    const branch = await make(client, { name: 'B', parent_id: id });
    const contact = (await client.post('/crm/contacts', { first_name: 'X', last_name: 'Y', company_id: id }))
      .body.contact;
    const told = await toldBy(app, client.actor.organization_id, async () => {
      assert.deepEqual((await client.delete(`/crm/companies/${id}`)).body, { success: true });
    });
    const kept = (await client.get(`/crm/contacts/${contact.id}`)).body.contact;
    assert.equal(kept.company_id, null);
    assert.ok(kept.updated_at > contact.updated_at);
    assert.equal((await client.get(`/crm/companies/${branch.id}`)).body.company.parent_id, null);
    assert.deepEqual(told.events.map(({ type }) => type).sort(), [
      'crm.company.deleted',
      'crm.company.updated',
      'crm.contact.updated',
    ]);
    const ofContact = told.events.find(({ type }) => type === 'crm.contact.updated')!;
    assert.deepEqual(ofContact.data, kept);
    assert.deepEqual(ofContact.previous_attributes, { company_id: id });
  });
});
