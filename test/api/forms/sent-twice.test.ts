import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Database } from '../../../shared/db/database.ts';
import type { Connection } from '../../../shared/kernel/connection.ts';
import { startApp } from '../../support/app.ts';
import { freshDatabase } from '../../support/database.ts';
import { openForm } from '../../support/open-forms.ts';
import { until } from '../../support/until.ts';
import { formWith } from '../../support/uploads.ts';

/** What is sent twice at once is answered alike, whatever the first one took that the second one asks for as well. */
const own = await freshDatabase();
/** Statements that wait: one with this text, until the promise is settled. */
let gate: { text: string; opened: Promise<void> } | null = null;
let waiting = 0;
const gated: Database = {
  ...own.database,
  withConnection: (organization_id, run, signal) =>
    own.database.withConnection(organization_id, (connection) => run(atGate(connection)), signal),
};
const app = await startApp({
  database: { ...own, database: gated },
  environment: { RATE_LIMIT_PER_MINUTE: '0' },
});
after(() => own.drop());
const client = await app.actor();
const guest = app.anonymous;

function atGate(connection: Connection): Connection {
  const query: Connection['query'] = async (text, ...more) => {
    if (gate && text.includes(gate.text)) {
      waiting += 1;
      await gate.opened;
    }
    return connection.query(text, ...more);
  };
  return new Proxy(connection, {
    get: (target, name) => (name === 'query' ? query : Reflect.get(target, name, target)),
  });
}

const fields = [
  { id: 'text', type: 'short_text', label: '内容' },
  { id: 'papers', type: 'file', label: '資料' },
];
const open = (settings: Record<string, unknown> = {}) =>
  openForm(own.database, client.actor, fields, { settings });

const tokenOf = async (path: string, body: object = {}): Promise<string> =>
  (await guest.post(`${path}/tokens`, body)).body.form_token;

/** Sends it twice: the second one stops where it says that text to the database, until the first one is stored. */
async function twice(path: string, form_token: string, data: object, text: string) {
  const send = () => guest.post(`${path}/responses`, { form_token, data });
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting = 0;
  gate = { text, opened: promise };
  const second = send();
  await until('the second one waits', () => waiting > 0);
  gate = null;
  const first = await send();
  resolve();
  return [first, await second] as const;
}

// The first guest of all makes the keys that others wait for.
const { path: warm } = await open();
await guest.post(`${warm}/responses`, { form_token: await tokenOf(warm), data: {} });

const SPAM = { min_seconds: 0, max_links: 5, blocked_words: [], challenge: 'off', burst: 30 };

describe('a form that is sent twice at once', () => {
  for (const [what, settings, text] of [
    ['the last place', { max_responses: 1 }, 'FROM forms_slugs'],
    ['all that its address has', { spam: { ...SPAM, per_address: 1 } }, 'before_it'],
  ] as const) {
    test(`is answered alike, though the first one took ${what}`, async () => {
      const { path } = await open(settings);
      const [first, second] = await twice(path, await tokenOf(path), { text: 'a' }, text);
      assert.equal(first.status, 201, first.text);
      assert.deepEqual([second.status, second.body], [201, first.body], second.text);
    });
  }

  test('is answered alike, though the first one used up the invitation; with other answers it is refused as that', async () => {
    const { form_id, path } = await open({ access: 'invited' });
    const recipients = [{ email: 'a@example.jp' }, { email: 'b@example.jp' }];
    const { body } = await client.post(`/forms/${form_id}/invitations`, { recipients });
    const [one] = body.invitations as { url: string }[];
    const form_token = await tokenOf(path, { invitation: new URL(one!.url).searchParams.get('i') });
    const [first, second] = await twice(path, form_token, { text: 'a' }, 'FROM forms_invitations');
    assert.equal(first.status, 201, first.text);
    assert.deepEqual([second.status, second.body], [201, first.body], second.text);
    const other = await guest.post(`${path}/responses`, { form_token, data: { text: 'b' } });
    assert.deepEqual([other.status, other.body.code], [409, 'already_submitted']);
  });

  test('is answered alike, though the first one claimed its file', async () => {
    const { path } = await open();
    const form_token = await tokenOf(path);
    const uploaded = await guest.post(`${path}/uploads`, formWith('a,b', { form_token, field_id: 'papers' }));
    const data = { papers: [uploaded.body.file.id] };
    const [first, second] = await twice(path, form_token, data, 'FROM forms_files');
    assert.equal(first.status, 201, first.text);
    assert.deepEqual([second.status, second.body], [201, first.body], second.text);
  });

  test('is refused for its own fault where nothing is stored', async () => {
    const { path } = await open();
    const form_token = await tokenOf(path);
    const refused = await guest.post(`${path}/responses`, { form_token, data: { papers: ['ffile_x'] } });
    assert.deepEqual([refused.status, refused.body.errors[0].code], [422, 'unknown_file']);
  });
});
