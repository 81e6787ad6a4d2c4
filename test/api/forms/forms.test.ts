import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TestActor } from '../../support/actors.ts';
import { startApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { toldSoFar } from '../../support/facts.ts';
import { ENQUIRY, publishedForm, schemaOf } from '../../support/forms-made.ts';
import { storedForm, storedResponse } from '../../support/stored-responses.ts';

const app = await startApp({ environment: { BASE_URL: 'https://service.example.co.jp' } });

describe('a form', () => {
  test('is a draft with one empty page, a random slug and what can be done to it', async () => {
    const staff = await app.actor();
    const reply = await staff.post('/forms', { title: 'お問い合わせ' });
    assert.equal(reply.status, 201, reply.text);
    const { id, slug, created_at, updated_at, public_url, organization_id, created_by, ...form } =
      reply.body.form;
    assert.equal(reply.headers.get('location'), `/api/v1/forms/${id}`);
    assert.match(slug, /^[a-z0-9]{10}$/);
    assert.ok(public_url.startsWith('https://service.example.co.jp/f/') && public_url.endsWith(`/${slug}`));
    assert.equal(created_at, updated_at);
    assert.equal(organization_id, staff.actor.organization_id);
    assert.equal(created_by, staff.actor.user_id);
    assert.deepEqual(form, {
      object: 'forms.form',
      title: 'お問い合わせ',
      status: 'draft',
      schema_json: '{"version":1,"locale":"ja","pages":[{"id":"page_1","fields":[]}]}',
      published_version: null,
      published_at: null,
      archived_at: null,
      has_unpublished_changes: true,
      accepting: { open: false, reason: 'draft' },
      response_count: 0,
      spam_count: 0,
      last_response_at: null,
      available_actions: ['update', 'publish', 'archive', 'duplicate', 'delete'],
      external_id: null,
      metadata: {},
    });
    assert.deepEqual((await staff.get(`/forms/${id}`)).body, reply.body);
    assert.deepEqual((await staff.delete(`/forms/${id}`)).body, { success: true });
    assert.equal((await staff.get(`/forms/${id}`)).status, 404);
  });

  test('keeps its schema byte for byte, and a change of nothing is none', async () => {
    const staff = await app.actor();
    const schema_json = ` ${ENQUIRY}\n`;
    const { form } = (await staff.post('/forms', { title: 'A', schema_json })).body;
    assert.equal(form.schema_json, schema_json);
    const same = await staff.patch(`/forms/${form.id}`, { title: 'A', schema_json, slug: form.slug });
    assert.equal(same.body.form.updated_at, form.updated_at);
    assert.deepEqual(await told(staff), ['create form']);
  });

  test('is refused with a schema that is not JSON, a slug of another form, and a key of another form', async () => {
    const staff = await app.actor();
    const { form } = (await staff.post('/forms', { title: 'A', slug: 'contact', external_id: 'a-1' })).body;
    const broken = await staff.post('/forms', { title: 'B', schema_json: '{' });
    assert.equal(broken.status, 422);
    assert.equal(broken.body.errors[0].path.split('#')[0], '/schema_json');
    for (const taken of [{ slug: 'contact' }, { external_id: 'a-1' }]) {
      const refused = await staff.post('/forms', { title: 'B', ...taken });
      assert.equal(refused.status, 409, refused.text);
      assert.equal(refused.body.existing_id, form.id);
    }
  });

  test('is listed by status, title and slug', async () => {
    const staff = await app.actor();
    const published = await publishedForm(staff, { title: '資料請求', slug: 'catalog' });
    await staff.post('/forms', { title: '採用応募' });
    const ids = async (query: string) =>
      (await staff.get(`/forms?${query}`)).body.items.map((form: { id: string }) => form.id);
    assert.deepEqual(await ids('status=published'), [published.id]);
    assert.deepEqual(await ids(`search=${encodeURIComponent('資料')}`), [published.id]);
    assert.deepEqual(await ids('slug=catalog'), [published.id]);
    assert.equal((await ids('status=draft,published')).length, 2);
  });
});

describe('publishing', () => {
  test('makes a version for a change alone, and the working copy differs until then', async () => {
    const staff = await app.actor();
    const { id } = await publishedForm(staff);
    const first = (await staff.get(`/forms/${id}`)).body.form;
    assert.deepEqual(
      [first.status, first.published_version, first.has_unpublished_changes, first.accepting],
      ['published', 1, false, { open: true, reason: null }],
    );
    const again = (await staff.post(`/forms/${id}/publish`)).body.form;
    assert.equal(again.updated_at, first.updated_at);
    const changed = (await staff.patch(`/forms/${id}`, { title: '新しい題名' })).body.form;
    assert.equal(changed.has_unpublished_changes, true);
    const back = (await staff.patch(`/forms/${id}`, { title: first.title })).body.form;
    assert.equal(back.has_unpublished_changes, false);
    await staff.patch(`/forms/${id}`, { schema_json: schemaOf([{ fields: [text('other')] }]) });
    const second = (await staff.post(`/forms/${id}/publish`)).body.form;
    assert.deepEqual([second.published_version, second.has_unpublished_changes], [2, false]);

    const { items } = (await staff.get(`/forms/${id}/versions`)).body;
    assert.deepEqual(
      items.map(({ number, title, schema_json }: Record<string, unknown>) => [number, title, schema_json]),
      [
        [2, 'お問い合わせ', undefined],
        [1, 'お問い合わせ', undefined],
      ],
    );
    const { version } = (await staff.get(`/forms/${id}/versions/1`)).body;
    assert.equal(version.schema_json, ENQUIRY);
    assert.equal((await staff.get(`/forms/${id}/versions/3`)).status, 404);
  });

  test('is refused where the schema asks nothing, or a field changes its type, and then changes nothing', async () => {
    const staff = await app.actor();
    const { form } = (await staff.post('/forms', { title: 'A' })).body;
    const empty = await staff.post(`/forms/${form.id}/publish`);
    assert.deepEqual([empty.status, empty.body.code], [422, 'invalid_schema']);
    assert.equal(empty.body.errors[0].path, '/schema_json#/pages');

    const { id } = await publishedForm(staff, { schema_json: schemaOf([{ fields: [text('a')] }]) });
    const email = { id: 'a', type: 'email', label: 'a' };
    await staff.patch(`/forms/${id}`, { schema_json: schemaOf([{ fields: [text('b'), email] }]) });
    const retyped = await staff.post(`/forms/${id}/publish`);
    assert.equal(retyped.body.code, 'invalid_schema', retyped.text);
    assert.ok(retyped.body.errors[0].path.startsWith('/schema_json#/pages/0/fields/1'));
    const kept = (await staff.get(`/forms/${id}`)).body.form;
    assert.deepEqual([kept.status, kept.published_version], ['published', 1]);
  });

  test('shows the JSON Schema of a version', async () => {
    const staff = await app.actor();
    const { id } = await publishedForm(staff);
    const { body } = await staff.get(`/forms/${id}/versions/1/json-schema`);
    assert.equal(body.$schema, 'https://json-schema.org/draft/2020-12/schema');
    assert.deepEqual(body.required, ['text']);
  });

  test('twenty times at once makes one version, and all are answered', async () => {
    const staff = await app.actor();
    const { id } = await publishedForm(staff);
    await staff.patch(`/forms/${id}`, { title: '変更後' });
    const replies = await Promise.all(Array.from({ length: 20 }, () => staff.post(`/forms/${id}/publish`)));
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
    const { items } = (await staff.get(`/forms/${id}/versions`)).body;
    assert.equal(items.length, 2);
    const changes = await told(staff);
    assert.equal(changes.filter((one) => one === 'update form').length, 3);
    assert.equal(changes.filter((one) => one === 'create version').length, 2);
  });

  test('meets an archive: one comes after the other, and the form is as the last one left it', async () => {
    const staff = await app.actor();
    const { id } = await publishedForm(staff);
    await staff.patch(`/forms/${id}`, { title: '変更後' });
    const [published, archived] = await Promise.all([
      staff.post(`/forms/${id}/publish`),
      staff.post(`/forms/${id}/archive`),
    ]);
    assert.deepEqual([published!.status, archived!.status], [200, 200]);
    const { form } = (await staff.get(`/forms/${id}`)).body;
    assert.equal(form.status === 'archived', form.archived_at !== null);
    assert.equal(form.published_version, 2);
  });
});

describe('archiving', () => {
  test('closes the form and freezes all but the own keys; publishing opens it as it was', async () => {
    const staff = await app.actor();
    const { id } = await publishedForm(staff);
    const archived = (await staff.post(`/forms/${id}/archive`)).body.form;
    assert.deepEqual(archived.accepting, { open: false, reason: 'closed' });
    assert.notEqual(archived.archived_at, null);
    assert.deepEqual(archived.available_actions, ['update', 'publish', 'unpublish', 'duplicate', 'delete']);
    assert.equal((await staff.post(`/forms/${id}/archive`)).body.code, 'invalid_transition');
    assert.equal((await staff.patch(`/forms/${id}`, { title: 'B' })).body.code, 'frozen');
    assert.equal((await staff.patch(`/forms/${id}`, { external_id: 'a-1' })).status, 200);
    const opened = (await staff.post(`/forms/${id}/publish`)).body.form;
    assert.deepEqual([opened.published_version, opened.archived_at], [1, null]);
  });

  test('is needed before a published form is removed', async () => {
    const staff = await app.actor();
    const { id } = await publishedForm(staff);
    assert.equal((await staff.delete(`/forms/${id}`)).body.code, 'invalid_transition');
    await staff.post(`/forms/${id}/archive`);
    assert.equal((await staff.delete(`/forms/${id}`)).status, 200);
  });
});

describe('removing a form', () => {
  test('takes its responses along where the call says so, and who calls may', async () => {
    const staff = await app.actor();
    const { organization_id } = staff.actor;
    const where = { database: app.database, organization_id };
    const id = await storedForm(where);
    for (let count = 0; count < 3; count++) await storedResponse(where, { form_id: id });
    await staff.post(`/forms/${id}/archive`);
    const { form } = (await staff.get(`/forms/${id}`)).body;
    assert.equal(form.response_count, 3);
    assert.ok(!form.available_actions.includes('unpublish'));
    assert.equal((await staff.post(`/forms/${id}/unpublish`)).body.code, 'has_responses');
    assert.equal((await staff.delete(`/forms/${id}`)).body.code, 'has_responses');
    const formsAlone = await app.actor({ organization_id, scopes: ['forms:read', 'forms:write'] });
    const refused = await formsAlone.delete(`/forms/${id}?with_responses=true`);
    assert.equal(refused.body.required_scope, 'settings:write');
    assert.equal((await staff.delete(`/forms/${id}?with_responses=true`)).status, 200);
    const [left] = await app.database.withConnection(organization_id, ({ query }) =>
      query('SELECT FROM forms_responses WHERE organization_id = $1 AND form_id = $2', [organization_id, id]),
    );
    assert.equal(left, undefined);
  });
});

describe('a duplicate', () => {
  test('is a draft with the working copy and the settings, and with nothing else', async () => {
    const staff = await app.actor();
    const { id, slug } = await publishedForm(staff, { settings: { max_responses: 50, spam: { burst: 7 } } });
    const reply = await staff.post(`/forms/${id}/duplicate`, { title: '写し' });
    assert.equal(reply.status, 201);
    const { form } = reply.body;
    assert.deepEqual(
      [form.title, form.status, form.published_version, form.schema_json],
      ['写し', 'draft', null, ENQUIRY],
    );
    assert.notEqual(form.slug, slug);
    const { settings } = (await staff.get(`/forms/${form.id}/settings`)).body;
    assert.deepEqual([settings.max_responses, settings.spam.burst], [50, 7]);
  });
});

describe('a preview link', () => {
  test('lasts a day, and is no change of the form', async () => {
    const staff = await app.actor();
    const { form } = (await staff.post('/forms', { title: 'A' })).body;
    const { url, expires_at } = (await staff.post(`/forms/${form.id}/preview-link`)).body;
    assert.match(url, /^https:\/\/service\.example\.co\.jp\/f\/preview\/[\w-]{40,}$/);
    const hours = (Date.parse(expires_at) - Date.now()) / 3_600_000;
    assert.ok(hours > 23.9 && hours <= 24);
    assert.deepEqual(await told(staff), ['create form']);
  });
});

function text(id: string): object {
  return { id, type: 'short_text', label: id };
}

/** What the change history of an organization says so far, oldest first. */
async function told({ actor }: Client & { actor: TestActor }): Promise<string[]> {
  const { audit } = await toldSoFar(app, actor.organization_id);
  return audit.map(({ action, entity_type }) => `${action} ${entity_type}`);
}
