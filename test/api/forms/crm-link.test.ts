import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId } from '../../../shared/kernel/id.ts';
import type { Scope } from '../../../shared/kernel/scope.ts';
import { startApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { publishedForm } from '../../support/forms-made.ts';
import { storedResponse } from '../../support/stored-responses.ts';

const app = await startApp();

const WHO = { last_name: '山田', first_name: '花子' };
const CRM = { enabled: true, map: { email: 'email', full_name: 'who' } };

async function submitted(data: object, settings: Record<string, unknown> = {}) {
  const client = await app.actor();
  const { id: form_id } = await publishedForm(client, { settings });
  const made = await client.post(`/forms/${form_id}/responses`, { data: { text: '資料請求', ...data } });
  assert.equal(made.status, 201, made.text);
  const path = `/forms/${form_id}/responses/${made.body.response.id}`;
  const link = (body?: object) => client.post(`${path}/crm-link`, body);
  return { client, form_id, response: made.body.response, path, link };
}

async function contact(client: Client, fields: object = {}): Promise<string> {
  const made = await client.post('/crm/contacts', { ...WHO, ...fields });
  assert.equal(made.status, 201, made.text);
  return made.body.contact.id;
}

const notesOf = async (client: Client, contact_id: string): Promise<string[]> =>
  (await client.get(`/crm/activities?contact_id=${contact_id}`)).body.items.map(
    ({ content }: { content: string }) => content,
  );

describe('200: a response is linked', () => {
  test('with the contact that is named and its company, noted once, whatever the settings; another takes its place', async () => {
    const { client, response, path, link } = await submitted({ email: 'hanako@example.co.jp' });
    const company_id = (await client.post('/crm/companies', { name: '山田商店' })).body.company.id;
    const contact_id = await contact(client, { company_id });
    const linked = await link({ contact_id });
    assert.equal(linked.status, 200, linked.text);
    const crm = { status: 'linked', contact_id, company_id, error: null };
    assert.deepEqual(linked.body.response.crm, crm);
    assert.deepEqual((await client.get(path)).body.response, linked.body.response);
    for (const body of [{ contact_id }, {}, undefined]) {
      assert.deepEqual((await link(body)).body, linked.body, 'it is linked already');
    }
    assert.deepEqual(await notesOf(client, contact_id), [
      `フォーム「お問い合わせ」に回答がありました（${response.id}）`,
    ]);
    const other = await contact(client, { last_name: '佐藤' });
    const moved = (await link({ contact_id: other })).body.response.crm;
    assert.deepEqual(moved, { status: 'linked', contact_id: other, company_id: null, error: null });
    const { items } = (await client.get(`/forms/audit-logs?entity_id=${response.id}`)).body;
    const updates = items.filter(({ action }: { action: string }) => action === 'update');
    assert.deepEqual(
      updates.map(({ changes }: { changes: { crm: object } }) => changes.crm),
      [
        [crm, moved],
        [response.crm, crm],
      ],
    );
  });

  test('by the settings of now, as its submission would have been', async () => {
    const { client, form_id, response, link } = await submitted({ email: 'hanako@example.co.jp', who: WHO });
    assert.equal(response.crm.status, 'none');
    await client.patch(`/forms/${form_id}/settings`, { crm: CRM });
    const { crm } = (await link()).body.response;
    assert.equal(crm.status, 'created');
    const { email, last_name } = (await client.get(`/crm/contacts/${crm.contact_id}`)).body.contact;
    assert.deepEqual([email, last_name], ['hanako@example.co.jp', '山田']);
  });

  test('again after its contact was removed', async () => {
    const { client, response, link } = await submitted(
      { email: 'hanako@example.co.jp', who: WHO },
      { crm: CRM },
    );
    await client.delete(`/crm/contacts/${response.crm.contact_id}`);
    const { crm } = (await link()).body.response;
    assert.equal(crm.status, 'created');
    assert.notEqual(crm.contact_id, response.crm.contact_id);
  });

  test('or says why not: the CRM refuses again, nobody can be found by it', async () => {
    const map = { ...CRM.map, company_name: 'text' };
    const crm = { ...CRM, map, create_company: true };
    const refused = await submitted(
      { email: 'hanako@example.co.jp', who: WHO, text: '字'.repeat(300) },
      { crm },
    );
    const failed = { status: 'failed', contact_id: null, company_id: null, error: 'validation_failed' };
    assert.deepEqual(refused.response.crm, failed);
    assert.deepEqual((await refused.link()).body.response, refused.response);
    const { response, link } = await submitted({ who: WHO }, { crm: CRM });
    assert.deepEqual((await link({})).body.response, response);
    assert.equal(response.crm.status, 'none');
  });

  test('a response without the name that a new contact needs stands, and links a contact that is there', async () => {
    const failed = { status: 'failed', contact_id: null, company_id: null, error: 'validation_failed' };
    const halves = { email: 'email', last_name: 'text', first_name: 'who.first_name' };
    for (const map of [CRM.map, halves]) {
      const data = { email: 'hanako@example.co.jp' };
      const { client, response, link } = await submitted(data, { crm: { ...CRM, map } });
      assert.deepEqual(response.crm, failed);
      assert.deepEqual((await client.get('/crm/contacts')).body.items, []);
      const contact_id = await contact(client, data);
      const { crm } = (await link()).body.response;
      assert.deepEqual(crm, { status: 'linked', contact_id, company_id: null, error: null });
    }
  });
});

describe('refused', () => {
  test('422: a contact of another organization, one that is unknown', async () => {
    const { link, path, client } = await submitted({});
    const elsewhere = await contact(await app.actor());
    for (const contact_id of [elsewhere, newId('cont', new Date())]) {
      const reply = await link({ contact_id });
      assert.deepEqual([reply.status, reply.body.code], [422, 'unknown_reference']);
      assert.equal(reply.body.errors[0].path, '/contact_id');
    }
    assert.equal((await client.get(path)).body.response.crm.status, 'none');
  });

  test('409: spam, also with a contact; nothing to try by while the link is off', async () => {
    const { client, form_id, link } = await submitted({});
    const off = await link();
    assert.deepEqual([off.status, off.body.code], [409, 'crm_link_off']);
    const where = { database: app.database, organization_id: client.actor.organization_id };
    const spam = await storedResponse(where, { form_id, is_spam: true });
    const contact_id = await contact(client);
    for (const body of [{ contact_id }, undefined]) {
      const reply = await client.post(`/forms/${form_id}/responses/${spam}/crm-link`, body);
      assert.deepEqual([reply.status, reply.body.code], [409, 'response_is_spam']);
    }
    assert.deepEqual(await notesOf(client, contact_id), []);
  });

  test('403 without the scope of either domain; 404 for a response of another form; 412 when it changed', async () => {
    const { client, path, form_id, response } = await submitted({});
    const { organization_id } = client.actor;
    for (const scope of ['forms:write', 'crm:write'] satisfies Scope[]) {
      const other = await app.actor({ organization_id, scopes: [scope] });
      const reply = await other.post(`${path}/crm-link`);
      assert.deepEqual([reply.status, reply.body.code], [403, 'insufficient_scope']);
    }
    const { id: other_form } = await publishedForm(client);
    const elsewhere = await client.post(`/forms/${other_form}/responses/${response.id}/crm-link`);
    assert.equal(elsewhere.status, 404);
    const etag = (await client.get(path)).headers.get('etag')!;
    await client.patch(`/forms/${form_id}/responses/${response.id}`, { note: '折り返し済み' });
    const contact_id = await contact(client);
    const late = await client.post(`${path}/crm-link`, { contact_id }, { 'If-Match': etag });
    assert.equal(late.status, 412, late.text);
  });
});

describe('side by side', () => {
  test('twenty calls for one response are one link and one note; other links and merges of its contact go on', async () => {
    const { client, form_id, path, link } = await submitted({ email: 'hanako@example.co.jp', who: WHO }, {});
    await client.patch(`/forms/${form_id}/settings`, { crm: CRM });
    const replies = await Promise.all(Array.from({ length: 20 }, () => link()));
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200]);
    const { contact_id } = (await client.get(path)).body.response.crm;
    assert.equal((await notesOf(client, contact_id)).length, 1);
    assert.equal((await client.get('/crm/contacts')).body.items.length, 1);
    const kept = await contact(client);
    const [merged, linked] = await Promise.all([
      client.post(`/crm/contacts/${kept}/merge`, { loser_id: contact_id }),
      link({ contact_id: kept }),
    ]);
    assert.deepEqual([merged.status, linked.status], [200, 200], merged.text + linked.text);
    assert.equal((await client.get(path)).body.response.crm.contact_id, kept);
  });
});
