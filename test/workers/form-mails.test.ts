import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { publishedForm } from '../support/forms-made.ts';
import { smtpSink } from '../support/smtp-sink.ts';
import { storedResponse } from '../support/stored-responses.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';

const app = await startApp();

const STAFF = ['sales@example.jp', 'boss@example.jp'];

test('notices and receipts leave once each: not for spam, once for what is taken back twice, though a worker is killed', async () => {
  const sink = await smtpSink();
  const startMailing = () =>
    startWorkers(
      {
        DATABASE_URL: app.database_url,
        DATA_DIR: app.context.settings.dataDir,
        SMTP_URL: sink.url,
        MAIL_FROM: 'Service <no-reply@example.com>',
        BASE_URL: 'https://service.example',
      },
      ['--queues', 'email'],
    );
  const client = await app.actor();
  const where = { database: app.database, organization_id: client.actor.organization_id };
  const { id: form_id } = await publishedForm(client, {
    settings: {
      notify: { emails: STAFF },
      receipt_mail: { enabled: true, field_id: 'email' },
    },
  });
  const at = (id: string) => `/forms/${form_id}/responses/${id}`;
  const submit = async (email: string): Promise<string> => {
    const reply = await client.post(`/forms/${form_id}/responses`, { data: { email, text: '資料請求' } });
    assert.equal(reply.status, 201, reply.text);
    return reply.body.response.id;
  };
  const flag = async (email: string): Promise<string> => {
    const id = await storedResponse(where, { form_id, email, is_spam: true });
    await app.database.withConnection(where.organization_id, ({ query }) =>
      query(`UPDATE forms_responses SET spam_reasons = '["honeypot"]' WHERE id = $1`, [id]),
    );
    return id;
  };
  await flag('robot@example.jp');
  const good = await submit('hanako@example.jp');
  const taken_back = await flag('taro@example.jp');
  for (const is_spam of [false, true, false, true, false]) {
    const reply = await client.patch(at(taken_back), { is_spam });
    assert.equal(reply.status, 200, reply.text);
  }
  // It was none when it was submitted: there is nothing to make up for.
  for (const is_spam of [true, false]) await client.patch(at(good), { is_spam });
  for (let n = 0; n < 4; n += 1) await submit('jiro@example.jp');

  let asked = 0;
  sink.verdict = (_, place) => {
    if (place === 'recipient') asked += 1;
    return { kind: 'silence' };
  };
  const first = await startMailing();
  await until('the server was asked', async () => asked > 0);
  await first.kill();
  assert.equal(sink.taken.length, 0);
  sink.verdict = () => ({ kind: 'take' });
  const second = await startMailing();
  await until('all mails have ended', async () => {
    const open = await app.database.withConnection(where.organization_id, ({ query }) =>
      query(
        `SELECT FROM mails WHERE organization_id = $1 AND status NOT IN ('sent', 'failed', 'unknown') LIMIT 1`,
        [where.organization_id],
      ),
    );
    return open.length === 0;
  });
  await second.stop();

  const heard = Object.groupBy(sink.taken, ({ to }) => to);
  const counted = Object.fromEntries(Object.entries(heard).map(([to, mails]) => [to, mails!.length]));
  assert.deepEqual(counted, {
    // Of six responses; the one that stays spam has none.
    [STAFF[0]!]: 6,
    [STAFF[1]!]: 6,
    'hanako@example.jp': 1,
    'taro@example.jp': 1,
    // Three receipts a day.
    'jiro@example.jp': 3,
  });
  const noticesOf = (id: string) => heard[STAFF[0]!]!.filter(({ text }) => text.includes(id)).length;
  assert.deepEqual([noticesOf(good), noticesOf(taken_back)], [1, 1]);
});
