import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { transaction } from '../../../shared/db/transaction.ts';
import { startApp } from '../../support/app.ts';
import { publishedForm, schemaOf } from '../../support/forms-made.ts';
import { until } from '../../support/until.ts';
import { formWith } from '../../support/uploads.ts';

const app = await startApp({ environment: { RATE_LIMIT_PER_MINUTE: '0' } });
const client = await app.actor();
const { organization_id } = client.actor;
const guest = app.anonymous;

const schema_json = schemaOf([
  {
    fields: [
      { id: 'email', type: 'email', label: 'メール' },
      { id: 'mail2', type: 'email', label: '別のメール' },
      { id: 'papers', type: 'file', label: '資料' },
    ],
  },
]);
const ONCE = { one_per: 'email', one_per_field: 'email' };
const UNGUARDED = { spam: { min_seconds: 0, per_address: 0 } };

async function opened(settings: object = {}) {
  const { id, slug } = await publishedForm(client, { schema_json, settings: { ...UNGUARDED, ...settings } });
  const [organization] = await app.database.withConnection(organization_id, ({ query }) =>
    query<{ slug: string }>('SELECT slug FROM organizations WHERE id = $1', [organization_id]),
  );
  const path = `/forms/p/${organization!.slug}/${slug}`;
  const token = async (): Promise<string> => (await guest.post(`${path}/tokens`, {})).body.form_token;
  return {
    path,
    token,
    change: (changes: object) => client.patch(`/forms/${id}/settings`, changes),
    submit: (data: object) => client.post(`/forms/${id}/responses`, { data }),
    bySlug: async (data: object, form_token?: string) =>
      guest.post(`${path}/responses`, { form_token: form_token ?? (await token()), data }),
    response: (response_id: string) => `/forms/${id}/responses/${response_id}`,
  };
}

const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
const STORED = [201, undefined];
const REFUSED = [409, 'already_answered'];

/** Holds a row of one of the tables until `run` has settled. */
function whileRowIsHeld<T>(table: 'forms_files' | 'forms_partials', id: string, run: () => Promise<T>) {
  return app.database.withConnection(organization_id, (connection) =>
    transaction(connection, async () => {
      await connection.query('SET LOCAL idle_in_transaction_session_timeout = 0');
      await connection.query(`SELECT FROM ${table} WHERE id = $1 FOR UPDATE`, [id]);
      return run();
    }),
  );
}

const untilWaiting = (count: number) =>
  until(`${count} wait for others`, () =>
    app.database.withConnection('*', async ({ query }) => {
      const waiting = await query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return waiting.length >= count;
    }),
  );

describe('once per person', () => {
  test('counts what was answered before the settings said so, by the field that they name now', async () => {
    const form = await opened();
    assert.deepEqual(codeOf(await form.submit({ email: 'a@example.com', mail2: 'b@example.com' })), STORED);
    await form.change(ONCE);
    assert.deepEqual(codeOf(await form.submit({ email: 'A@example.com' })), REFUSED);
    assert.deepEqual(codeOf(await form.bySlug({ email: 'a@Example.com' })), REFUSED);
    await form.change({ one_per_field: 'mail2' });
    assert.deepEqual(codeOf(await form.submit({ mail2: 'B@example.com' })), REFUSED);
    assert.deepEqual(codeOf(await form.submit({ mail2: 'a@example.com' })), STORED);
    await form.change({ one_per: 'none' });
    assert.deepEqual(codeOf(await form.submit({ mail2: 'a@example.com' })), STORED);
  });

  test('holds for who edits an address, and leaves alone who keeps theirs', async () => {
    const form = await opened({ allow_edit_hours: 1 });
    const email = 'a@example.com';
    const [first, second] = [await form.bySlug({ email }), await form.bySlug({ email })];
    await form.bySlug({ email: 'b@example.com' });
    await form.change(ONCE);
    const edit = (reply: typeof first, data: object) =>
      guest.put(`/forms/r/${reply.body.receipt_url.split('/').at(-1)}`, { data });
    assert.deepEqual(codeOf(await edit(first, { email: 'B@example.com' })), REFUSED);
    assert.equal((await edit(first, { email: 'A@example.com', mail2: 'c@example.com' })).status, 200);
    assert.equal((await edit(second, { email: 'd@example.com' })).status, 200);
  });

  test('holds for who is taken back from the spam, by the settings of then', async () => {
    const form = await opened();
    const email = 'a@example.com';
    const { id } = (await form.submit({ email })).body.response;
    assert.equal((await client.patch(form.response(id), { is_spam: true })).status, 200);
    await form.change(ONCE);
    assert.deepEqual(codeOf(await form.submit({ email })), STORED, 'spam takes nobody’s place');
    assert.deepEqual(codeOf(await client.patch(form.response(id), { is_spam: false })), REFUSED);
  });
});

describe('responses that are under way while the settings change', () => {
  test('go by the new ones where they have not been admitted', async () => {
    const form = await opened();
    const form_token = await form.token();
    const file = await guest.post(
      `${form.path}/uploads`,
      formWith('a,b', { form_token, field_id: 'papers' }),
    );
    const file_id: string = file.body.file.id;
    const data = { email: 'a@example.com', papers: [file_id] };
    const late = await whileRowIsHeld('forms_files', file_id, async () => {
      const under_way = form.bySlug(data, form_token);
      await untilWaiting(1);
      assert.equal((await form.change(ONCE)).status, 200);
      assert.deepEqual(codeOf(await form.submit({ email: 'A@example.com' })), STORED);
      return { under_way };
    });
    assert.deepEqual(codeOf(await late.under_way), REFUSED);
  });

  test('are waited for where they have, and count', async () => {
    const form = await opened();
    const form_token = await form.token();
    const email = 'a@example.com';
    const saved = await guest.post(`${form.path}/partials`, { form_token, data: { email } });
    const both = await whileRowIsHeld('forms_partials', saved.body.partial.id, async () => {
      const under_way = form.bySlug({ email }, form_token);
      await untilWaiting(1);
      const change = form.change(ONCE);
      await untilWaiting(2);
      return { under_way, change };
    });
    assert.deepEqual(codeOf(await both.under_way), STORED);
    assert.equal((await both.change).status, 200);
    assert.deepEqual(codeOf(await form.submit({ email: 'A@example.com' })), REFUSED);
  });

  test('of many at once no two with one address follow the change', async () => {
    const form = await opened();
    const emails = Array.from({ length: 40 }, (_, n) => `p${n % 4}@example.com`);
    const early = emails.map((email) => form.submit({ email }));
    const change = form.change(ONCE);
    await Promise.all(early);
    assert.equal((await change).status, 200);
    const later = await Promise.all(emails.map((email) => form.submit({ email: email.toUpperCase() })));
    const before = await Promise.all(early);
    const known = new Set(
      before.filter(({ status }) => status === 201).map(({ body }) => body.response.data.email),
    );
    const fresh = later.filter(({ status }) => status === 201);
    assert.equal(known.size + fresh.length, 4, 'each address has been here, or gets one place');
  });
});
