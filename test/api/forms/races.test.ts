import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { transaction } from '../../../shared/db/transaction.ts';
import { startApp } from '../../support/app.ts';
import type { Client, Reply } from '../../support/client.ts';
import { publishedForm } from '../../support/forms-made.ts';
import { somebodyWaits } from '../../support/held.ts';
import { countsOf } from '../../support/stored-responses.ts';

const app = await startApp();

const OPEN = { spam: { min_seconds: 0, per_address: 0 } };
const CRM = { enabled: true, map: { email: 'email', full_name: 'who' } };
const WHO = { last_name: '山田', first_name: '花子' };

async function opened(settings: Record<string, unknown> = {}) {
  const client = await app.actor();
  const { organization_id } = client.actor;
  const where = { database: app.database, organization_id };
  const { id: form_id, slug } = await publishedForm(client, { settings: { ...OPEN, ...settings } });
  const [{ slug: of_organization }] = (await app.database.withConnection(organization_id, ({ query }) =>
    query('SELECT slug FROM organizations WHERE id = $1', [organization_id]),
  )) as [{ slug: string }];
  const path = `/forms/p/${of_organization}/${slug}`;
  const issued = async () =>
    (await app.anonymous.post(`${path}/tokens`, {})).body as { form_token: string; honeypot: string };
  const submit = async (email: string, token = issued(), more: object = {}) => {
    const data = { email, who: WHO, text: '資料請求' };
    return app.anonymous.post(`${path}/responses`, { form_token: (await token).form_token, data, ...more });
  };
  /** A response that is flagged, by the honeypot. */
  const flagged = async (email: string): Promise<string> => {
    const token = await issued();
    const reply = await submit(email, Promise.resolve(token), { [token.honeypot]: 'x' });
    assert.equal(reply.status, 201, reply.text);
    return reply.body.response.id;
  };
  return { client, where, form_id, submit, flagged, issued };
}

const codesOf = (replies: readonly Reply[]) =>
  [...new Set(replies.map(({ status, body }) => `${status} ${body?.code ?? ''}`.trim()))].toSorted();

const storedIn = (client: Client & { actor: { organization_id: string } }, form_id: string) =>
  app.database.withConnection(client.actor.organization_id, async ({ query }) => {
    const [row] = await query<{ responses: number; spam: number }>(
      `SELECT count(*) FILTER (WHERE NOT is_spam)::integer AS responses, count(*) FILTER (WHERE is_spam)::integer AS spam
         FROM forms_responses WHERE organization_id = $1 AND form_id = $2`,
      [client.actor.organization_id, form_id],
    );
    return row!;
  });

/** Answers that may come to a submission whose form ends beside it. */
const ENDED = ['201', '404 not_found', '409 form_closed'];

describe('submissions beside the end of their form', () => {
  test('are stored before an archive or refused, while it is published and archived again and again', async () => {
    const { client, where, form_id, submit, issued } = await opened({ max_responses: 1_000 });
    const tokens = await Promise.all(Array.from({ length: 60 }, issued));
    const ending = (async () => {
      const replies: Reply[] = [];
      for (let round = 0; round < 5; round += 1) {
        for (const action of ['archive', 'publish', 'unpublish'] as const) {
          replies.push(await client.post(`/forms/${form_id}/${action}`));
        }
      }
      return replies;
    })();
    const sent = await Promise.all(
      tokens.map((token, n) => submit(`g${n}@example.co.jp`, Promise.resolve(token))),
    );
    const ended = await ending;
    assert.deepEqual(
      codesOf(sent).filter((code) => !ENDED.includes(code)),
      [],
    );
    assert.ok(
      ended.every(({ status }) => status < 500),
      codesOf(ended).join(),
    );
    const stored = sent.filter(({ status }) => status === 201).length;
    assert.deepEqual(await countsOf(where, form_id), { responses: stored, spam: 0 });
    assert.deepEqual(await storedIn(client, form_id), { responses: stored, spam: 0 });
  });

  test('go with the form that is archived and removed with its responses, or are refused', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { client, form_id, submit, flagged, issued } = await opened({
        one_per: 'email',
        one_per_field: 'email',
      });
      const spam = await flagged(`spam${round}@example.co.jp`);
      const tokens = await Promise.all(Array.from({ length: 20 }, issued));
      const ending = (async () => {
        const archived = await client.post(`/forms/${form_id}/archive`);
        return [archived, await client.delete(`/forms/${form_id}?with_responses=true`)];
      })();
      const unflagged = client.patch(`/forms/${form_id}/responses/${spam}`, { is_spam: false });
      const sent = await Promise.all(
        tokens.map((token, n) => submit(`g${n}@example.co.jp`, Promise.resolve(token))),
      );
      assert.deepEqual(codesOf(await ending), ['200']);
      assert.ok([200, 404].includes((await unflagged).status));
      assert.deepEqual(
        codesOf(sent).filter((code) => !ENDED.includes(code)),
        [],
      );
      assert.deepEqual(await storedIn(client, form_id), { responses: 0, spam: 0 });
    }
  });

  test('are not found where the form is a draft by the time that they are counted', async () => {
    const { client, where, form_id, submit, issued } = await opened({ max_responses: 1_000 });
    const token = await issued();
    const sent = await where.database.withConnection(where.organization_id, (connection) =>
      transaction(connection, async (commit) => {
        await connection.query(
          `UPDATE forms_forms SET status = 'draft' WHERE organization_id = $1 AND id = $2`,
          [where.organization_id, form_id],
        );
        const sending = submit('g@example.co.jp', Promise.resolve(token));
        await somebodyWaits(where.database);
        await commit(Promise.resolve());
        return [sending];
      }),
    );
    assert.deepEqual(codesOf(await Promise.all(sent)), ['404 not_found']);
    assert.deepEqual(await storedIn(client, form_id), { responses: 0, spam: 0 });
  });

  test('are not found where the form is gone by the time that they are counted', async () => {
    const { client, where, form_id, submit, issued } = await opened({
      one_per: 'email',
      one_per_field: 'email',
    });
    const token = await issued();
    const sent = await where.database.withConnection(where.organization_id, (connection) =>
      transaction(connection, async (commit) => {
        await connection.query('DELETE FROM forms_forms WHERE organization_id = $1 AND id = $2', [
          where.organization_id,
          form_id,
        ]);
        const sending = [
          submit('g@example.co.jp', Promise.resolve(token)),
          client.post(`/forms/${form_id}/responses`, {
            data: { email: 'h@example.co.jp', who: WHO, text: '資料' },
          }),
        ];
        await somebodyWaits(where.database);
        await commit(Promise.resolve());
        return sending;
      }),
    );
    assert.deepEqual(codesOf(await Promise.all(sent)), ['404 not_found']);
    assert.deepEqual(await storedIn(client, form_id), { responses: 0, spam: 0 });
  });
});

describe('one new address', () => {
  test('of submissions and of responses that are taken back from spam at once makes one contact', async () => {
    const { client, where, form_id, submit, flagged } = await opened({ crm: CRM, max_responses: 100 });
    const spam = await Promise.all(Array.from({ length: 10 }, () => flagged('new@example.co.jp')));
    assert.equal((await client.get('/crm/contacts')).body.items.length, 0, 'spam makes none');
    const replies = await Promise.all([
      ...Array.from({ length: 20 }, (_, n) => submit(n % 2 ? 'new@example.co.jp' : 'New@Example.co.jp')),
      ...spam.map((id) => client.patch(`/forms/${form_id}/responses/${id}`, { is_spam: false })),
    ]);
    assert.deepEqual(codesOf(replies), ['200', '201']);
    assert.deepEqual(await countsOf(where, form_id), { responses: 30, spam: 0 });
    const { items } = (await client.get('/crm/contacts')).body;
    assert.equal(items.length, 1);
    const linked = (await client.get(`/forms/${form_id}/responses?limit=100`)).body.items;
    const outcomes = linked.map(({ crm }: { crm: { status: string } }) => crm.status);
    assert.equal(outcomes.filter((status: string) => status === 'created').length, 1);
    assert.equal(outcomes.filter((status: string) => status === 'linked').length, 29);
    assert.deepEqual(
      [...new Set(linked.map((one: { crm: { contact_id: string } }) => one.crm.contact_id))],
      [items[0].id],
    );
    const notes = await client.get(`/crm/activities?contact_id=${items[0].id}&limit=100`);
    assert.equal(notes.body.items.length, 30, 'noted once each');
  });
});

describe('quota and person', () => {
  test('hold beside flags that are set and taken back, and beside responses that are deleted', async () => {
    const settings = { max_responses: 8, one_per: 'email', one_per_field: 'email' };
    const { client, where, form_id, submit, flagged } = await opened(settings);
    const spam = await Promise.all(Array.from({ length: 8 }, (_, n) => flagged(`p${n % 4}@example.co.jp`)));
    const first = await Promise.all(Array.from({ length: 6 }, (_, n) => submit(`p${n}@example.co.jp`)));
    const ids = first.map(({ body }) => body.response.id as string);
    const at = (id: string) => `/forms/${form_id}/responses/${id}`;
    const replies = await Promise.all([
      ...spam.map((id) => client.patch(at(id), { is_spam: false })),
      ...ids.slice(0, 3).map((id) => client.patch(at(id), { is_spam: true })),
      ...ids.slice(3).map((id) => client.delete(at(id))),
      ...Array.from({ length: 20 }, (_, n) => submit(`p${n % 10}@example.co.jp`)),
    ]);
    assert.deepEqual(
      codesOf(replies).filter(
        (code) => !['200', '201', '409 already_answered', '409 form_full'].includes(code),
      ),
      [],
    );
    const stored = await storedIn(client, form_id);
    assert.deepEqual(await countsOf(where, form_id), stored);
    assert.ok(stored.responses <= 8, `${stored.responses} at a quota of 8`);
    const { items } = (await client.get(`/forms/${form_id}/responses?limit=100`)).body;
    const people = items.map(({ data }: { data: { email: string } }) => data.email);
    assert.equal(new Set(people).size, people.length, 'one response of each person');
  });
});
