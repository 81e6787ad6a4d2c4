import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { openForm } from '../../support/open-forms.ts';

const HOUR = 3_600_000;
let ahead = 0;
const app = await startApp({
  environment: { RATE_LIMIT_PER_MINUTE: '0' },
  now: () => new Date(Date.now() + ahead),
});
const client = await app.actor();
const { organization_id } = client.actor;
const guest = app.anonymous;

const fields = [
  { id: 'email', type: 'email', label: 'メール', required: true },
  { id: 'seats', type: 'number', label: '人数' },
];
const endings = { endings: [{ id: 'thanks', title: 'ありがとうございました' }] };

const tokenOf = async (path: string, body: object = {}) => {
  const reply = await guest.post(`${path}/tokens`, body);
  assert.equal(reply.status, 201, reply.text);
  return reply.body as { form_token: string; honeypot: string };
};

const rowsOf = <Row extends object>(sql: string, id: string) =>
  app.database.withConnection(organization_id, ({ query }) => query<Row>(sql, [organization_id, id]));

const countOf = async (form_id: string) => {
  const [row] = await rowsOf<{ responses: number; spam: number }>(
    `SELECT sum(response_count)::integer AS responses, sum(spam_count)::integer AS spam FROM forms_counts
      WHERE organization_id = $1 AND form_id = $2`,
    form_id,
  );
  return row!;
};

const submit = async (path: string, data: object, more: object = {}) =>
  guest.post(`${path}/responses`, { form_token: (await tokenOf(path)).form_token, data, ...more });

const statusesOf = (replies: { status: number }[]) =>
  Object.fromEntries(
    [...Map.groupBy(replies, ({ status }) => status)].map(([status, own]) => [status, own.length]),
  );

describe('201: a guest submits', () => {
  test('with event, audit entry without address, count and ending; sent again it is the same response', async () => {
    const { form_id, path } = await openForm(app.database, client.actor, fields, { more: endings });
    const { form_token } = await tokenOf(path);
    const body = { form_token, data: { email: 'Hanako@example.com', seats: '１２' } };
    const first = await guest.post(`${path}/responses`, body);
    assert.equal(first.status, 201, first.text);
    const { response, receipt_url } = first.body;
    assert.deepEqual(response.data, { email: 'Hanako@example.com', seats: '12' });
    assert.deepEqual(first.body.ending, {
      id: 'thanks',
      title: 'ありがとうございました',
      body: null,
      redirect_url: null,
    });
    const again = await guest.post(`${path}/responses`, body);
    assert.deepEqual([again.status, again.body], [201, first.body]);
    const keyed = await guest.post(`${path}/responses`, body, { 'Idempotency-Key': 'k-1' });
    assert.deepEqual([keyed.status, keyed.body], [201, first.body]);
    const other = await guest.post(`${path}/responses`, { ...body, data: { email: 'x@example.com' } });
    assert.deepEqual([other.status, other.body.code], [409, 'already_submitted']);
    assert.deepEqual(await countOf(form_id), { responses: 1, spam: 0 });
    const [entry] = await rowsOf(
      `SELECT actor_type, actor_id, ip_address FROM audit_logs WHERE organization_id = $1 AND entity_id = $2`,
      response.id,
    );
    assert.deepEqual(entry, { actor_type: 'guest', actor_id: response.id, ip_address: null });
    const events = await rowsOf(
      `SELECT type FROM events WHERE organization_id = $1 AND data->>'id' = $2`,
      response.id,
    );
    assert.deepEqual(events, [{ type: 'forms.response.submitted' }]);
    assert.match(receipt_url, /\/f\/r\/[\w-]{43}$/);
  });

  test('what is flagged is answered as any other, and takes neither count nor event', async () => {
    const { form_id, path } = await openForm(app.database, client.actor, fields, {
      settings: { max_responses: 1 },
    });
    const { form_token, honeypot } = await tokenOf(path);
    const data = { email: 'robot@example.com' };
    const reply = await guest.post(`${path}/responses`, {
      form_token,
      data,
      [honeypot]: 'https://spam.example',
    });
    assert.equal(reply.status, 201, reply.text);
    assert.deepEqual(await countOf(form_id), { responses: 0, spam: 1 });
    const [row] = await rowsOf(
      'SELECT is_spam, spam_reasons FROM forms_responses WHERE organization_id = $1 AND id = $2',
      reply.body.response.id,
    );
    assert.deepEqual(row, { is_spam: true, spam_reasons: ['honeypot'] });
    assert.equal((await submit(path, data)).status, 201);
  });

  test('by key, with the whole response', async () => {
    const { form_id } = await openForm(app.database, client.actor, fields);
    const reply = await client.post(`/forms/${form_id}/responses`, { data: { email: 'a@example.com' } });
    assert.equal(reply.status, 201, reply.text);
    assert.equal(reply.body.response.source, 'api');
    const read = await client.get(`/forms/${form_id}/responses/${reply.body.response.id}`);
    assert.deepEqual(read.body.response, reply.body.response);
  });
});

describe('side by side', () => {
  test('200 submissions at a quota of 50 are 50 responses', async () => {
    const { form_id, path } = await openForm(app.database, client.actor, fields, {
      settings: { max_responses: 50 },
    });
    const tokens = await Promise.all(Array.from({ length: 200 }, () => tokenOf(path)));
    const replies = await Promise.all(
      tokens.map(({ form_token }, n) =>
        guest.post(`${path}/responses`, { form_token, data: { email: `g${n}@example.com` } }),
      ),
    );
    assert.deepEqual(statusesOf(replies), { 201: 50, 409: 150 });
    assert.deepEqual(await countOf(form_id), { responses: 50, spam: 0 });
  });

  test('40 with one e-mail are one response, 20 of one token the same one', async () => {
    const once = { one_per: 'email', one_per_field: 'email' };
    const { form_id, path } = await openForm(app.database, client.actor, fields, { settings: once });
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        submit(path, { email: n % 2 ? 'a@Example.com' : 'A@example.com' }),
      ),
    );
    assert.deepEqual(statusesOf(replies), { 201: 1, 409: 39 });
    const body = { form_token: (await tokenOf(path)).form_token, data: { email: 'b@example.com' } };
    const same = await Promise.all(Array.from({ length: 20 }, () => guest.post(`${path}/responses`, body)));
    assert.deepEqual(statusesOf(same), { 201: 20 });
    assert.equal(new Set(same.map((reply) => reply.body.response.id)).size, 1);
    assert.deepEqual(await countOf(form_id), { responses: 2, spam: 0 });
  });
});

describe('refused', () => {
  test('422: a token altered, of another form, and 25 hours old; answers with every fault', async () => {
    const { path } = await openForm(app.database, client.actor, fields);
    const other = await openForm(app.database, client.actor, fields);
    const { form_token } = await tokenOf(path);
    const data = { email: 'a@example.com' };
    const codeOf = async (token: string, at = path) =>
      (await guest.post(`${at}/responses`, { form_token: token, data })).body.code;
    assert.equal(
      await codeOf(`${form_token.slice(0, -1)}${form_token.endsWith('A') ? 'E' : 'A'}`),
      'form_token_invalid',
    );
    assert.equal(await codeOf('x'), 'form_token_invalid');
    assert.equal(await codeOf(form_token, other.path), 'form_token_invalid');
    ahead = 25 * HOUR;
    assert.equal(await codeOf(form_token), 'form_token_expired');
    ahead = 0;
    const faulty = await submit(path, { seats: 'many', more: 1 });
    assert.equal(faulty.status, 422, faulty.text);
    assert.deepEqual(
      faulty.body.errors.map((fault: { path: string; code: string }) => [fault.path, fault.code]),
      [
        ['/data/more', 'unknown_field'],
        ['/data/email', 'required'],
        ['/data/seats', 'invalid_format'],
      ],
    );
  });

  test('409 and 404: not open yet, closed, full, archived, unknown', async () => {
    const answers = { data: { email: 'a@example.com' } };
    const codesOf = async (
      settings: Record<string, unknown>,
      before: (form_id: string) => Promise<unknown>,
    ) => {
      const { form_id, path } = await openForm(app.database, client.actor, fields);
      const { form_token } = await tokenOf(path);
      assert.equal((await client.patch(`/forms/${form_id}/settings`, settings)).status, 200);
      await before(form_id);
      const replies = [
        await guest.post(`${path}/responses`, { form_token, ...answers }),
        await client.post(`/forms/${form_id}/responses`, answers),
      ];
      return replies.map(({ status, body }) => [status, body.code]);
    };
    const later = new Date(Date.now() + HOUR).toISOString();
    assert.deepEqual(await codesOf({ opens_at: later }, async () => {}), [
      [409, 'form_not_open'],
      [409, 'form_not_open'],
    ]);
    const full = await codesOf({ max_responses: 1 }, async (form_id) => {
      const first = await client.post(`/forms/${form_id}/responses`, answers);
      assert.equal(first.status, 201, first.text);
    });
    assert.deepEqual(full, [
      [409, 'form_full'],
      [409, 'form_full'],
    ]);
    const archived = await codesOf({}, async (form_id) => {
      const reply = await client.post(`/forms/${form_id}/archive`, {});
      assert.equal(reply.status, 200, reply.text);
    });
    assert.deepEqual(archived, [
      [409, 'form_closed'],
      [409, 'form_closed'],
    ]);
    const closed = await openForm(app.database, client.actor, fields, {
      settings: { closes_at: '2020-01-01T00:00:00.000Z' },
    });
    const reply = await guest.post(`${closed.path}/tokens`, {});
    assert.deepEqual([reply.status, reply.body.code], [409, 'form_closed']);
    const shown = await guest.get(closed.path);
    assert.equal(shown.body.form.schema, null);
    assert.deepEqual(shown.body.form.accepting, { open: false, reason: 'closed' });
    assert.equal((await guest.get(`${closed.path}x`)).status, 404);
  });
});

describe('by the link of the receipt', () => {
  test('answers are changed while the form says so, without an event', async () => {
    const { path } = await openForm(app.database, client.actor, fields, {
      settings: { allow_edit_hours: 1 },
      more: endings,
    });
    const { body } = await submit(path, { email: 'a@example.com' });
    const link = `/forms/r/${body.receipt_url.split('/').at(-1)}`;
    const edited = await guest.put(link, { data: { email: 'b@example.com', seats: 3 } });
    assert.equal(edited.status, 200, edited.text);
    assert.deepEqual(edited.body.response.data, { email: 'b@example.com', seats: '3' });
    assert.deepEqual((await guest.get(link)).body, edited.body);
    const events = await rowsOf(
      `SELECT type FROM events WHERE organization_id = $1 AND data->>'id' = $2`,
      body.response.id,
    );
    assert.equal(events.length, 1);
  });

  test('not without that setting', async () => {
    const { path } = await openForm(app.database, client.actor, fields);
    const { body } = await submit(path, { email: 'a@example.com' });
    const link = `/forms/r/${body.receipt_url.split('/').at(-1)}`;
    assert.deepEqual((await guest.get(link)).body, { ending: null, response: null });
    assert.equal((await guest.put(link, { data: { email: 'b@example.com' } })).status, 404);
  });
});

describe('scripts of other sites', () => {
  test('are let in from the origins of the settings alone', async () => {
    const origin = 'https://www.example.co.jp';
    const { path } = await openForm(app.database, client.actor, fields, {
      settings: { embed_origins: [origin] },
    });
    const asked = (from: string, method: string) =>
      guest.send(method, `${path}/tokens`, method === 'POST' ? {} : undefined, { Origin: from });
    for (const method of ['OPTIONS', 'POST']) {
      const reply = await asked(origin, method);
      assert.equal(reply.headers.get('access-control-allow-origin'), origin, method);
      const foreign = await asked('https://evil.example', method);
      assert.equal(foreign.headers.get('access-control-allow-origin'), null, method);
    }
  });
});

test('429: after 600 questions of browsers in a minute from one address, while its calls go on', async () => {
  const now = new Date();
  const strict = await startApp({ environment: { RATE_LIMIT_PER_MINUTE: '20' }, now: () => now });
  const { path } = await openForm(strict.database, (await strict.actor()).actor, fields);
  const ask = () => strict.anonymous.send('OPTIONS', `${path}/tokens`);
  for (let asked = 0; asked < 600; asked++) assert.equal((await ask()).status, 204);
  const beyond = await ask();
  assert.equal(beyond.status, 429, beyond.text);
  assert.match(beyond.headers.get('ratelimit') ?? '', /"preflight";r=0/);
  assert.equal((await strict.anonymous.post(`${path}/tokens`, {})).status, 201);
});

describe('422: what looks like the ID of a file and is none', () => {
  test('a text that the database cannot hold is wrong where it stands, in any field', async () => {
    const { path } = await openForm(app.database, client.actor, fields);
    const reply = await submit(path, { email: 'a@example.com', seats: ['ffile_\u0000'] });
    assert.deepEqual([reply.status, reply.body.errors?.[0].path], [422, '/data/seats']);
  });
});
