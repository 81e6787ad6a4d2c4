import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryDeliveries } from '../../shared/platform/outbox/dead-letters.ts';
import { onEachEngine } from '../support/engines.ts';
import { askForMails, mailStates, outboxCount } from '../support/mail-states.ts';
import { smtpSink } from '../support/smtp-sink.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';

/** No other queue: each of them has connections of its own, and that of PDF files looks for Chromium. */
const EMAIL = ['--queues', 'email'];

onEachEngine((engine) => {
  const mailing = (url: string) => ({
    ...engine.environment,
    SMTP_URL: url,
    MAIL_FROM: 'Service <no-reply@example.com>',
    BASE_URL: 'https://service.example',
  });

  test('a mail is sent with a link that works, and its job leaves nothing behind but a receipt', async () => {
    const { database } = engine.test_database;
    const sink = await smtpSink();
    const workers = await startWorkers(mailing(sink.url), EMAIL);
    const [id] = await askForMails(database, 'first', 1);
    const [mail] = await until('the mail is sent', async () => {
      const states = await mailStates(database, [id!]);
      return states[0]?.status === 'sent' && (await outboxCount(database)) === 0 && states;
    });
    assert.deepEqual(mail, { id, status: 'sent', attempts: 1, error: null });
    assert.equal(sink.taken.length, 1);
    assert.equal(sink.taken[0]?.message_id, `<${id}@service.example>`);
    assert.match(sink.taken[0]?.text ?? '', /https:\/\/service\.example\/reset-password\/[0-9a-f]{64}\n/);
    assert.equal(await workers.stop(), 0);
  });

  test('a mail refused for good is failed with the words of the server, one refused for now is tried again', async () => {
    const { database } = engine.test_database;
    const sink = await smtpSink();
    let refusals = 0;
    sink.verdict = (to, at) => {
      if (to.startsWith('bad')) return { kind: 'refuse', code: 550, words: 'no such user' };
      if (to.startsWith('slow') && at === 'text' && refusals++ === 0)
        return { kind: 'refuse', code: 451, words: 'later' };
      return { kind: 'take' };
    };
    const workers = await startWorkers(mailing(sink.url), EMAIL);
    const ids = [...(await askForMails(database, 'bad', 1)), ...(await askForMails(database, 'slow', 1))];
    const states = await until('both have ended', async () => {
      const found = await mailStates(database, ids);
      return found.every(({ status }) => status === 'failed' || status === 'sent') && found;
    });
    assert.deepEqual(
      states.map(({ status, attempts }) => ({ status, attempts })),
      [
        { status: 'failed', attempts: 1 },
        { status: 'sent', attempts: 2 },
      ],
    );
    assert.match(states[0]?.error ?? '', /550 no such user/);
    assert.ok(
      workers.lines.every((line) => !JSON.stringify(line).includes('@example.com')),
      'a log with an address',
    );
    await workers.kill();
  });

  test('a mail whose worker was killed before the server had its end is sent again; after that it is unknown', async () => {
    const { database } = engine.test_database;
    const sink = await smtpSink();
    const arrived = new Set<string>();
    let is_deaf = true;
    sink.verdict = (to, at) => {
      arrived.add(to);
      // Never answering the recipient keeps the mail before its text; never answering the text, after it.
      return is_deaf && at === (to.startsWith('early') ? 'recipient' : 'text')
        ? { kind: 'silence' }
        : { kind: 'take' };
    };
    const first = await startWorkers(mailing(sink.url), EMAIL);
    const ids = [...(await askForMails(database, 'early', 1)), ...(await askForMails(database, 'late', 1))];
    await until('both mails are under way', async () => {
      const [early, late] = await mailStates(database, ids);
      return arrived.size === 2 && early?.attempts === 1 && late?.status === 'sending' && sink.texts === 1;
    });
    await first.kill();
    is_deaf = false;
    const second = await startWorkers(mailing(sink.url), EMAIL);
    const [early, late] = await until('both mails have ended', async () => {
      const found = await mailStates(database, ids);
      return found.every(({ status }) => status !== 'queued' && status !== 'sending') && found;
    });
    assert.deepEqual([early?.status, early?.attempts], ['sent', 2]);
    assert.equal(late?.status, 'unknown');
    assert.deepEqual(
      sink.taken.map(({ to }) => to.split('-')[0]),
      ['early'],
    );
    await second.kill();
  });

  test('a mail whose job is given up has failed, and an operator may have it sent after all', async () => {
    const { database } = engine.test_database;
    const sink = await smtpSink();
    const [id] = await askForMails(database, 'given-up', 1);
    const [delivery] = await database.withConnection('*', ({ query }) =>
      query<{ id: string }>(
        "UPDATE outbox SET starts = 25 WHERE name = 'mailer.send_mail' AND payload ->> 'mail_id' = $1 RETURNING id",
        [id],
      ),
    );
    const workers = await startWorkers(mailing(sink.url), EMAIL);
    const state = async () => (await mailStates(database, [id!]))[0]!;
    await until('the mail has failed', async () => (await state()).status === 'failed');
    assert.match((await state()).error ?? '', /ended its process 25 times/);
    await database.withConnection('*', (connection) =>
      retryDeliveries(connection, [delivery!.id], new Date()),
    );
    await until('the mail is sent', async () => (await state()).status === 'sent');
    assert.deepEqual([sink.taken.length, (await state()).error], [1, null]);
    assert.equal(await workers.stop(), 0);
  });

  test('a mail that a server may have is unknown when its job is given up, and no operator has it sent twice', async () => {
    const { database } = engine.test_database;
    const sink = await smtpSink();
    const [id] = await askForMails(database, 'given-up-sending', 1);
    const [delivery] = await database.withConnection('*', async ({ query }) => {
      await query("UPDATE mails SET status = 'sending', attempts = 1 WHERE id = $1", [id]);
      return query<{ id: string }>(
        "UPDATE outbox SET starts = 25 WHERE name = 'mailer.send_mail' AND payload ->> 'mail_id' = $1 RETURNING id",
        [id],
      );
    });
    const workers = await startWorkers(mailing(sink.url), EMAIL);
    const state = async () => (await mailStates(database, [id!]))[0]!;
    await until('the mail has ended', async () => (await state()).status !== 'sending');
    assert.equal((await state()).status, 'unknown');
    await database.withConnection('*', (connection) =>
      retryDeliveries(connection, [delivery!.id], new Date()),
    );
    const [next] = await askForMails(database, 'given-up-next', 1);
    await until(
      'a later mail is sent',
      async () => (await mailStates(database, [next!]))[0]!.status === 'sent',
    );
    assert.deepEqual([sink.taken.length, (await state()).status], [1, 'unknown']);
    assert.equal(await workers.stop(), 0);
  });
});
