import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { openForm } from '../../support/open-forms.ts';
import { everythingKept } from '../../support/stored-responses.ts';
import { formWith } from '../../support/uploads.ts';

const app = await startApp();
const client = await app.actor();
const { organization_id } = client.actor;
const where = { database: app.database, organization_id };
const guest = app.anonymous;

const fields = [
  { id: 'email', type: 'email', label: 'メール', required: true },
  { id: 'who', type: 'name', label: 'お名前' },
  { id: 'seats', type: 'number', label: '人数', decimals: 1 },
  { id: 'papers', type: 'file', label: '資料' },
];

const open = (settings: Record<string, unknown> = {}) =>
  openForm(app.database, client.actor, fields, { settings, more: { hidden: ['campaign'] } });

async function tokenOf(path: string): Promise<string> {
  const reply = await guest.post(`${path}/tokens`, {});
  assert.equal(reply.status, 201, reply.text);
  return reply.body.form_token;
}

async function saved(path: string, data: object, more: object = {}) {
  const form_token = await tokenOf(path);
  const reply = await guest.post(`${path}/partials`, { form_token, data, ...more });
  assert.equal(reply.status, 201, reply.text);
  const { token, ...partial } = reply.body.partial;
  return { form_token, partial, link: `/forms/partials/${token}` };
}

async function uploaded(path: string, form_token: string): Promise<string> {
  const reply = await guest.post(`${path}/uploads`, formWith('a,b', { form_token, field_id: 'papers' }));
  assert.equal(reply.status, 201, reply.text);
  return reply.body.file.id;
}

/** How often a partial tells an address: among its answers, where an erasure finds it, and in the answer to who saved it. */
const TOLD_BY_EACH = 3;

const partialOf = (file_id: string) =>
  app.database.withConnection(organization_id, async ({ query }) => {
    const [file] = await query<{ partial_id: string | null; response_id: string | null }>(
      'SELECT partial_id, response_id FROM forms_files WHERE organization_id = $1 AND id = $2',
      [organization_id, file_id],
    );
    return file!;
  });

describe('answers that are saved to go on later', () => {
  test('are read and changed by their link, as they were sent, and removed by it', async () => {
    const { path } = await open({ resume_days: 2 });
    const before = Date.now();
    const sent = { email: 'not yet', who: { last_name: '山田' } };
    const { partial, link } = await saved(path, sent, { hidden: { campaign: 'spring' }, locale: 'en' });
    assert.deepEqual(
      [partial.data, partial.hidden, partial.locale, partial.version],
      [sent, { campaign: 'spring' }, 'en', 1],
    );
    const days = (Date.parse(partial.expires_at) - before) / (24 * 60 * 60_000);
    assert.ok(days >= 2 && days < 2.1, partial.expires_at);
    assert.deepEqual((await guest.get(link)).body.partial, partial);
    const other = await guest.put(link, { data: { seats: 1.5 } });
    assert.equal(other.status, 200, other.text);
    assert.deepEqual(other.body.partial.data, { seats: '1.5' });
    assert.equal(other.body.partial.locale, 'en', 'the language stays unless said');
    assert.equal(other.body.partial.token, undefined, 'its token is told once');
    assert.deepEqual((await guest.get(link)).body, other.body);
    assert.deepEqual((await guest.delete(link)).body, { success: true });
    const gone = [await guest.get(link), await guest.put(link, { data: {} }), await guest.delete(link)];
    assert.deepEqual(
      gone.map(({ status, body }) => [status, body.code]),
      gone.map(() => [404, 'not_found']),
    );
  });

  test('end as they are submitted, with the answers that were kept for a request that is repeated', async () => {
    const { path } = await open();
    const form_token = await tokenOf(path);
    const file_id = await uploaded(path, form_token);
    const unused = await uploaded(path, form_token);
    const body = { form_token, data: { email: 'saved@example.com', papers: [file_id, unused] } };
    const first = await guest.post(`${path}/partials`, body, { 'Idempotency-Key': 'partial-1' });
    assert.equal(first.status, 201, first.text);
    const again = await guest.post(`${path}/partials`, body, { 'Idempotency-Key': 'partial-1' });
    assert.equal(again.body.partial.token, null, 'the token is kept nowhere');
    assert.equal((await partialOf(file_id)).partial_id, first.body.partial.id);
    const data = { email: 'given@example.com', papers: [file_id] };
    const response = await guest.post(`${path}/responses`, { form_token, data });
    assert.equal(response.status, 201, response.text);
    assert.equal((await guest.get(`/forms/partials/${first.body.partial.token}`)).status, 404);
    assert.deepEqual(await partialOf(file_id), { partial_id: null, response_id: response.body.response.id });
    assert.deepEqual(await partialOf(unused), { partial_id: null, response_id: null });
    assert.ok(!(await everythingKept(where)).includes('saved@'), 'what was only saved stands nowhere');
    const late = await guest.post(`${path}/partials`, body);
    assert.deepEqual([late.status, late.body.code], [409, 'already_submitted']);
  });

  test('leave no answer that was kept for a request that is repeated: removed, with a form that is archived or removed', async () => {
    const told = async () => (await everythingKept(where)).split('leaves@').length - 1;
    const saveThree = async () => {
      const { form_id, path } = await open();
      const body = { form_token: await tokenOf(path), data: { email: 'leaves@example.com' } };
      const save = (key: string) =>
        guest.post(`${path}/partials`, body, { 'Idempotency-Key': `${form_id}-${key}` });
      const replies = [await save('1'), await save('2'), await save('3')];
      assert.deepEqual(
        replies.map(({ status }) => status),
        [201, 201, 201],
      );
      assert.equal(await told(), 3 * TOLD_BY_EACH);
      return { form: `/forms/${form_id}`, link: `/forms/partials/${replies[0]!.body.partial.token}` };
    };
    const removed = await saveThree();
    assert.equal((await guest.delete(removed.link)).status, 200);
    assert.equal(await told(), 2 * TOLD_BY_EACH);
    assert.equal((await client.post(`${removed.form}/unpublish`)).status, 200);
    assert.equal((await client.delete(removed.form)).status, 200);
    assert.equal(await told(), 0);
    const archived = await saveThree();
    assert.equal((await client.post(`${archived.form}/archive`)).status, 200);
    assert.equal(await told(), 0);
  });

  test('go on with another form token, and their files with them', async () => {
    const { path } = await open();
    const before = await saved(path, {});
    const file_id = await uploaded(path, before.form_token);
    const data = { email: 'a@example.com', papers: [file_id] };
    assert.equal((await guest.put(before.link, { data })).status, 200);
    const form_token = await tokenOf(path);
    const moved = await guest.put(before.link, { data, form_token });
    assert.equal(moved.status, 200, moved.text);
    assert.equal((await partialOf(file_id)).partial_id, before.partial.id);
    const response = await guest.post(`${path}/responses`, { form_token, data });
    assert.equal(response.status, 201, response.text);
    assert.equal((await guest.get(before.link)).status, 404);
  });

  test('end with the form that is archived, though it is published again', async () => {
    const { form_id, path } = await open();
    const { form_token, partial, link } = await saved(path, {});
    const file_id = await uploaded(path, form_token);
    const kept = { data: { who: { last_name: 'kept@example.com' }, papers: [file_id] } };
    await guest.put(link, kept);
    assert.ok((await everythingKept(where)).includes('kept@'));
    assert.equal((await partialOf(file_id)).partial_id, partial.id);
    assert.equal((await client.post(`/forms/${form_id}/archive`)).status, 200);
    assert.equal((await guest.get(link)).status, 404);
    assert.equal((await partialOf(file_id)).partial_id, null, 'its file goes with those that nobody claims');
    assert.ok(!(await everythingKept(where)).includes('kept@'));
    assert.equal((await client.post(`/forms/${form_id}/publish`)).status, 200);
    assert.equal((await guest.get(link)).status, 404);
  });
});

describe('what one guest saves', () => {
  test('is bounded: five with a form token, of which the oldest go, and the files of the new one stay', async () => {
    const { form_id, path } = await open();
    const form_token = await tokenOf(path);
    const file_id = await uploaded(path, form_token);
    const save = async (data: object): Promise<string> => {
      const reply = await guest.post(`${path}/partials`, { form_token, data });
      assert.equal(reply.status, 201, reply.text);
      return `/forms/partials/${reply.body.partial.token}`;
    };
    const links = [await save({ papers: [file_id] })];
    for (let n = 0; n < 4; n += 1) links.push(await save({}));
    const sixth = await save({ papers: [file_id] });
    const statuses = await Promise.all([...links, sixth].map(async (link) => (await guest.get(link)).status));
    assert.deepEqual(statuses, [404, 200, 200, 200, 200, 200]);
    assert.notEqual((await partialOf(file_id)).partial_id, null);
    await Promise.all(Array.from({ length: 12 }, () => save({})));
    const [left] = await app.database.withConnection(organization_id, ({ query }) =>
      query<{ count: number }>('SELECT count(*)::integer AS count FROM forms_partials WHERE form_id = $1', [
        form_id,
      ]),
    );
    assert.equal(left!.count, 5);
  });

  test('is counted for the address, as uploads are: 429 beyond four times as many as submissions', async () => {
    const { path } = await open({
      spam: { min_seconds: 0, max_links: 5, blocked_words: [], per_address: 1, challenge: 'off', burst: 30 },
    });
    const tokens = await Promise.all(Array.from({ length: 8 }, () => tokenOf(path)));
    const replies = await Promise.all(
      tokens.map((form_token) => guest.post(`${path}/partials`, { form_token, data: {} })),
    );
    const statuses = replies.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [201, 201, 201, 201, 429, 429, 429, 429]);
  });
});

describe('what is not saved', () => {
  test('409 where the form saves nothing, or takes nothing; 404 for an unknown form', async () => {
    const off = await open({ resume_days: 0 });
    const closed = await open();
    const form_token = await tokenOf(closed.path);
    await client.patch(`/forms/${closed.form_id}/settings`, { closes_at: '2020-01-01T00:00:00.000Z' });
    const replies = [
      await guest.post(`${off.path}/partials`, { form_token: await tokenOf(off.path), data: {} }),
      await guest.post(`${closed.path}/partials`, { form_token, data: {} }),
      await guest.post(`${off.path}x/partials`, { form_token, data: {} }),
    ];
    assert.deepEqual(
      replies.map(({ status, body }) => [status, body.code]),
      [
        [409, 'not_offered'],
        [409, 'form_closed'],
        [404, 'not_found'],
      ],
    );
  });

  test('422 for names that the form does not have, letters that no text may hold, and foreign tokens', async () => {
    const { path } = await open();
    const { form_token, link } = await saved(path, {});
    const body = {
      form_token,
      data: { more: 1, who: { last_name: 'a\u0000' }, email: '\ud800' },
      hidden: { other: 'x' },
    };
    for (const reply of [await guest.post(`${path}/partials`, body), await guest.put(link, body)]) {
      assert.equal(reply.status, 422, reply.text);
      assert.deepEqual(
        reply.body.errors.map((fault: { path: string; code: string }) => [fault.path, fault.code]),
        [
          ['/data/more', 'unknown_field'],
          ['/data/who', 'bad_characters'],
          ['/data/email', 'bad_characters'],
          ['/hidden/other', 'unknown_field'],
        ],
      );
    }
    const foreign = { form_token: await tokenOf((await open()).path), data: {} };
    const refused = [await guest.post(`${path}/partials`, foreign), await guest.put(link, foreign)];
    assert.deepEqual(
      refused.map(({ status, body: { code } }) => [status, code]),
      refused.map(() => [422, 'form_token_invalid']),
    );
  });

  test('413 beyond 100 MiB of files', async () => {
    const { form_id, path } = await open();
    const { form_token, link } = await saved(path, {});
    const ids = [await uploaded(path, form_token), await uploaded(path, form_token)];
    await app.database.withConnection(organization_id, ({ query }) =>
      query('UPDATE forms_files SET size_bytes = $2 WHERE form_id = $1', [form_id, 60 * 1024 * 1024]),
    );
    const data = { papers: ids };
    const refused = [
      await guest.post(`${path}/partials`, { form_token, data }),
      await guest.put(link, { data }),
    ];
    assert.deepEqual(
      refused.map(({ status, body }) => [status, body.code]),
      refused.map(() => [413, 'body_too_large']),
    );
    const upload = () => guest.post(`${path}/uploads`, formWith('abc', { form_token, field_id: 'papers' }));
    const full = await upload();
    assert.deepEqual([full.status, full.body.code], [413, 'body_too_large']);
    await app.database.withConnection(organization_id, ({ query }) =>
      query('UPDATE forms_files SET size_bytes = $2 WHERE form_id = $1', [form_id, 50 * 1024 * 1024 - 2]),
    );
    const together = await Promise.all(Array.from({ length: 6 }, upload));
    assert.deepEqual(together.map(({ status }) => status).toSorted(), [201, 413, 413, 413, 413, 413]);
  });
});

test('an erasure finds an e-mail address anywhere within what was saved', async () => {
  const { path } = await open();
  const { partial } = await saved(path, { who: { last_name: ' Hanako@Example.com ' } });
  const [row] = await app.database.withConnection(organization_id, ({ query }) =>
    query<{ email_keys: string[] }>('SELECT email_keys FROM forms_partials WHERE id = $1', [partial.id]),
  );
  assert.deepEqual(row!.email_keys, ['hanako@example.com']);
});
