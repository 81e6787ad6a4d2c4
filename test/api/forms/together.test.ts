import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import { startApp } from '../../support/app.ts';
import { gatheringDatabase } from '../../support/gathering.ts';
import { openForm } from '../../support/open-forms.ts';
import { until } from '../../support/until.ts';

/** Submissions that come together are written by one statement, and none of them hears of another one. */
const own = await gatheringDatabase();
const app = await startApp({ database: own, environment: { RATE_LIMIT_PER_MINUTE: '0' } });
const listener = new pg.Client({ connectionString: own.url });
await listener.connect();
after(async () => {
  await listener.end();
  await own.drop();
});
const client = await app.actor();
const fields = [
  { id: 'email', type: 'email', label: 'メール' },
  { id: 'seats', type: 'number', label: '人数' },
];
const MANY = 24;

const form = (settings: Record<string, unknown> = {}) =>
  openForm(own.database, client.actor, fields, { settings });

const answers = (n: number) => ({
  ...(n % 3 > 0 && { email: `guest${n}@example.com` }),
  seats: String(n),
});

async function tokens(path: string, count: number): Promise<string[]> {
  const issued = await Promise.all(
    Array.from({ length: count }, () => app.anonymous.post(`${path}/tokens`, {})),
  );
  return issued.map(({ body }) => body.form_token);
}

/** What of a form is kept, each by itself. */
async function kept(form_id: string) {
  return own.database.withConnection('*', async ({ query }) => {
    const [row] = await query<Record<string, number>>(
      `SELECT (SELECT count(*)::integer FROM forms_responses WHERE form_id = $1) AS responses,
              (SELECT sum(response_count)::integer FROM forms_counts WHERE form_id = $1) AS counted,
              (SELECT sum(spam_count)::integer FROM forms_counts WHERE form_id = $1) AS spam,
              (SELECT count(*)::integer FROM events WHERE data->>'form_id' = $1) AS events,
              (SELECT count(*)::integer FROM audit_logs WHERE entity_id IN
                (SELECT id FROM forms_responses WHERE form_id = $1)) AS audited,
              (SELECT count(*)::integer FROM forms_emails WHERE form_id = $1) AS addresses`,
      [form_id],
    );
    return row!;
  });
}

const statusesOf = (replies: readonly { status: number }[]) =>
  Object.fromEntries(
    [...Map.groupBy(replies, ({ status }) => status)].map(([status, of]) => [status, of.length]),
  );

const writes = () => own.asked().filter((text) => text.includes('forms_admit_response')).length;

/** The replies to submissions that all come while the first one's statement waits: the others are written by the next one. */
const sentTogether = <T>(calls: readonly (() => Promise<T>)[]) =>
  own.whileTheFirstWaits('forms_responses', calls);

describe('submissions that come together', () => {
  test('of keys and of guests are stored whole, all that come while a statement is under way by the next one', async () => {
    const { form_id, path } = await form();
    const issued = await tokens(path, MANY + 1);
    // The first guest of all makes the keys of their links, which others wait for.
    await app.anonymous.post(`${path}/responses`, { form_token: issued.pop(), data: answers(0) });
    const replies = await sentTogether(
      issued.flatMap((form_token, n) => [
        () => app.anonymous.post(`${path}/responses`, { form_token, data: answers(n) }),
        () => client.post(`/forms/${form_id}/responses`, { data: answers(MANY + n) }),
      ]),
    );
    assert.deepEqual(statusesOf(replies), { 201: 2 * MANY });
    assert.equal(writes(), 2);
    const all = 2 * MANY + 1;
    const addresses = (2 * (MANY * 2)) / 3;
    assert.deepEqual(await kept(form_id), {
      responses: all,
      counted: all,
      spam: 0,
      events: all,
      audited: all,
      addresses,
    });
    for (const [place, { body }] of replies.entries()) {
      const n = place % 2 === 0 ? place / 2 : MANY + (place - 1) / 2;
      assert.deepEqual(body.response.data, answers(n));
      const read = await client.get(`/forms/${form_id}/responses/${body.response.id}`);
      assert.deepEqual(read.body.response.data, answers(n));
      assert.equal(read.body.response.source, place % 2 === 0 ? 'public' : 'api');
    }
    const { receipt_url } = replies[0]!.body;
    const token = receipt_url.split('/').at(-1);
    assert.equal((await app.anonymous.get(`/forms/r/${token}`)).status, 200);
  });

  test('whose form tells somebody ask for a mail each, with the jobs that send them', async () => {
    const { form_id, path } = await form({
      notify: { emails: ['desk@example.com', 'office@example.com'], include_answers: true },
    });
    const issued = await tokens(path, MANY);
    let told = 0;
    listener.on('notification', () => {
      told += 1;
    });
    await listener.query('LISTEN outbox');
    const replies = await sentTogether(
      issued.map(
        (form_token, n) => () => app.anonymous.post(`${path}/responses`, { form_token, data: answers(n) }),
      ),
    );
    assert.deepEqual(statusesOf(replies), { 201: MANY });
    assert.equal(writes(), 2);
    const rows = await own.database.withConnection('*', ({ query }) =>
      query<{ email: string; count: number; jobs: number }>(
        `SELECT mail.email, count(*)::integer, count(outbox.id)::integer AS jobs
           FROM forms_mails AS mail
           JOIN forms_responses AS response ON response.id = mail.response_id
           JOIN mails ON mails.id = mail.mail_id AND mails.about->>'response_id' = response.id
           LEFT JOIN outbox ON outbox.payload->>'mail_id' = mails.id
          WHERE response.form_id = $1 GROUP BY mail.email ORDER BY mail.email`,
        [form_id],
      ),
    );
    assert.deepEqual(rows, [
      { email: 'desk@example.com', count: MANY, jobs: MANY },
      { email: 'office@example.com', count: MANY, jobs: MANY },
    ]);
    await until('those who dispatch are told', () => told > 0);
  });

  test('among which one is sent twice are stored once each, with the first result for both', async () => {
    const { form_id, path } = await form();
    const issued = await tokens(path, MANY);
    const replies = await sentTogether(
      [...issued, issued[0]!, issued[5]!].map(
        (form_token) => () => app.anonymous.post(`${path}/responses`, { form_token, data: answers(1) }),
      ),
    );
    assert.deepEqual(statusesOf(replies), { 201: MANY + 2 });
    // The first, then the others together: refused, and each by itself.
    assert.ok(writes() > 2, `${writes()} statements`);
    const ids = replies.map(({ body }) => body.response.id);
    assert.equal(ids.at(-2), ids[0]);
    assert.equal(ids.at(-1), ids[5]);
    const { responses, counted, events } = await kept(form_id);
    assert.deepEqual({ responses, counted, events }, { responses: MANY, counted: MANY, events: MANY });
  });

  test('among which some are spam are counted apart', async () => {
    const { form_id, path } = await form();
    const issued = await Promise.all(
      Array.from({ length: MANY }, async () => (await app.anonymous.post(`${path}/tokens`, {})).body),
    );
    const replies = await sentTogether(
      issued.map(
        ({ form_token, honeypot }, n) =>
          () =>
            app.anonymous.post(`${path}/responses`, {
              form_token,
              data: answers(n),
              ...(n % 4 === 0 && { [honeypot]: 'x' }),
            }),
      ),
    );
    assert.deepEqual(statusesOf(replies), { 201: MANY });
    // Spam asks for nobody and no place, so it is admitted apart: two for each of both.
    assert.ok(writes() <= 4, `${writes()} statements`);
    const { counted, spam, events } = await kept(form_id);
    const flagged = MANY / 4;
    assert.deepEqual(
      { counted, spam, events },
      { counted: MANY - flagged, spam: flagged, events: MANY - flagged },
    );
  });

  test('where fewer are left than come are taken to the last one', async () => {
    const { form_id } = await form({ max_responses: 10 });
    const replies = await sentTogether(
      Array.from(
        { length: MANY },
        (_, n) => () => client.post(`/forms/${form_id}/responses`, { data: answers(n) }),
      ),
    );
    assert.deepEqual(statusesOf(replies), { 201: 10, 409: MANY - 10 });
    const { responses, counted, events } = await kept(form_id);
    assert.deepEqual({ responses, counted, events }, { responses: 10, counted: 10, events: 10 });
  });

  test('are one transaction each with an Idempotency-Key, and are answered once', async () => {
    const { form_id } = await form();
    const send = (n: number) =>
      client.post(
        `/forms/${form_id}/responses`,
        { data: answers(n) },
        { 'Idempotency-Key': `key ${n}`.replace(' ', '-') },
      );
    await Promise.all(Array.from({ length: MANY }, (_, n) => send(n)));
    const again = await Promise.all(Array.from({ length: MANY }, (_, n) => send(n)));
    assert.deepEqual(statusesOf(again), { 201: MANY });
    assert.equal((await kept(form_id)).responses, MANY);
  });

  test('whose statement is ended by the server are told so, and none of them is stored', async () => {
    const { form_id } = await form({ max_responses: 1_000 });
    await client.post(`/forms/${form_id}/responses`, { data: answers(0) });
    const { replies } = await own.database.withConnection('*', async (holder) => {
      holder.begin();
      await holder.query('SELECT FROM forms_forms WHERE id = $1 FOR UPDATE', [form_id]);
      const sent = [...Array(MANY).keys()].map((n) =>
        client.post(`/forms/${form_id}/responses`, { data: answers(n) }),
      );
      let waiting: { pid: number }[] = [];
      for (let look = 0; waiting.length === 0; look += 1) {
        assert.ok(look < 1_000, 'nothing waits');
        waiting = await own.database.withConnection('*', ({ query }) =>
          query<{ pid: number }>(
            `SELECT pid FROM pg_stat_activity
              WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'WITH part0%'`,
          ),
        );
      }
      await holder.query('SELECT pg_terminate_backend($1)', [waiting[0]!.pid]);
      await holder.commit();
      return { replies: await Promise.all(sent) };
    });
    const statuses = statusesOf(replies);
    assert.ok((statuses[503] ?? 0) >= 1, JSON.stringify(statuses));
    assert.equal((statuses[503] ?? 0) + (statuses[201] ?? 0), MANY);
    const { responses, counted, events } = await kept(form_id);
    const stored = (statuses[201] ?? 0) + 1;
    assert.deepEqual({ responses, counted, events }, { responses: stored, counted: stored, events: stored });
  });
});
