import assert from 'node:assert/strict';
import { test } from 'node:test';
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

  test('of 100 mails none is lost and none doubled while workers are killed among them', async (context) => {
    const { database } = engine.test_database;
    const sink = await smtpSink();
    const ids = await askForMails(database, 'crash', 100);
    const arrived = (count: number) => until(`${count} mails`, () => sink.taken.length >= count);
    const first = await startWorkers(mailing(sink.url), EMAIL);
    const second = await startWorkers(mailing(sink.url), EMAIL);
    await arrived(15);
    await first.kill();
    await arrived(35);
    await second.kill();
    const third = await startWorkers(mailing(sink.url), EMAIL);
    await arrived(55);
    const fourth = await startWorkers(mailing(sink.url), EMAIL);
    await third.kill();
    const states = await until(
      'every mail has ended and the outbox is empty',
      async () => (await outboxCount(database)) === 0 && mailStates(database, ids),
      120_000,
    );
    const copies = new Map<string, number>();
    for (const { message_id } of sink.taken) {
      const id = message_id.slice(1, message_id.indexOf('@'));
      copies.set(id, (copies.get(id) ?? 0) + 1);
    }
    for (const { id, status } of states) {
      const count = copies.get(id) ?? 0;
      assert.ok(count <= 1, `${id} arrived ${count} times`);
      if (status === 'sent') assert.equal(count, 1, `${id} is said to be sent and did not arrive`);
      else assert.equal(status, 'unknown', `${id} is ${status}`);
    }
    // A process has ten mails under way, so three kills leave at most thirty of which nobody can know.
    const unknown = states.filter(({ status }) => status === 'unknown');
    assert.ok(unknown.length <= 30, `${unknown.length} mails are unknown`);
    context.diagnostic(
      `${unknown.length} unknown, ${unknown.filter(({ id }) => copies.has(id)).length} of them arrived`,
    );
    assert.equal(await fourth.stop(), 0);
  });

  test('at SIGTERM what runs is finished, and the log says what it was', async () => {
    const { database } = engine.test_database;
    const sink = await smtpSink();
    let under_way = 0;
    sink.verdict = () => {
      under_way += 1;
      return { kind: 'take' };
    };
    const workers = await startWorkers(mailing(sink.url), EMAIL);
    const ids = await askForMails(database, 'drain', 30);
    await until('some are under way', () => under_way > 0);
    assert.equal(await workers.stop(), 0);
    const states = await mailStates(database, ids);
    assert.ok(states.every(({ status }) => status === 'sent' || status === 'queued'));
    const draining = workers.lines.find(({ msg }) => msg === 'The workers are draining');
    assert.ok(Array.isArray(draining?.['running']));
    const next = await startWorkers(mailing(sink.url), EMAIL);
    await until('the others are sent', async () => {
      return (await mailStates(database, ids)).every(({ status }) => status === 'sent');
    });
    assert.equal(sink.taken.length, 30);
    await next.kill();
  });

  test('workers outlive the loss of all their connections to the database', async () => {
    const { database } = engine.test_database;
    const sink = await smtpSink();
    const workers = await startWorkers(mailing(sink.url));
    const before = await askForMails(database, 'before', 1);
    await until('a mail is sent', async () => (await mailStates(database, before))[0]?.status === 'sent');
    await database.withConnection('*', ({ query }) =>
      query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      ),
    );
    const after = await askForMails(database, 'after', 3);
    await until('the others are sent', async () => {
      return (await mailStates(database, after)).every(({ status }) => status === 'sent');
    });
    assert.equal(workers.process.exitCode, null);
    await workers.kill();
  });

  test('workers end by themselves when their parent is gone', async () => {
    const workers = await startWorkers(engine.environment, EMAIL);
    workers.process.disconnect();
    await until('the process has ended', () => workers.process.exitCode === 0);
  });
});
