import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachEngine } from '../support/engines.ts';
import { askForMails, mailStates, outboxCount } from '../support/mail-states.ts';
import { smtpSink } from '../support/smtp-sink.ts';
import { until } from '../support/until.ts';
import { startWorkers, type TestWorkers } from '../support/workers.ts';

const MAILS = 100;

onEachEngine((engine) => {
  test('while releases replace each other every mail is sent once, or known to be unknown', async (context) => {
    const { database } = engine.test_database;
    const sink = await smtpSink();
    const seen = new Set<string>();
    // Greylisting: every third address is refused for now when it comes first.
    sink.verdict = (to, at) => {
      const is_new = at === 'recipient' && Number(/\d+/.exec(to)?.[0]) % 3 === 0 && !seen.has(to);
      if (at === 'recipient') seen.add(to);
      return is_new ? { kind: 'refuse', code: 451, words: 'Greylisted' } : { kind: 'take' };
    };
    // One mail is under way for longer than a dead process is waited for.
    sink.slowness = (to, at) => {
      if (at === 'recipient' && to.startsWith('deploy-1@')) return 9_000;
      return at === 'recipient' ? 300 : 100;
    };
    const environment = {
      ...engine.environment,
      SMTP_URL: sink.url,
      MAIL_FROM: 'Service <no-reply@example.com>',
      BASE_URL: 'https://service.example',
    };
    const start = () => startWorkers(environment, ['--queues', 'email']);
    const arrived = (count: number) => until(`${count} mails`, () => sink.taken.length >= count);
    const all: TestWorkers[] = [];
    const stopping: Promise<number | null>[] = [];

    const ids = await askForMails(database, 'deploy', MAILS);
    let old = await start();
    all.push(old);
    // One release after the other: the old one is asked to end, or killed, when the new one has begun.
    for (const [count, how] of [
      [5, 'SIGTERM'],
      [20, 'SIGKILL'],
      [40, 'SIGTERM'],
      [55, 'SIGKILL'],
    ] as const) {
      await arrived(count);
      const next = await start();
      all.push(next);
      if (how === 'SIGTERM') stopping.push(old.stop());
      else await old.kill();
      old = next;
    }
    const states = await until(
      'every mail has ended and the outbox is empty',
      async () => (await outboxCount(database)) === 0 && mailStates(database, ids),
      240_000,
    );
    for (const code of await Promise.all(stopping)) assert.equal(code, 0);

    const copies = Map.groupBy(sink.taken, ({ message_id }) => message_id.slice(1, message_id.indexOf('@')));
    for (const { id, status } of states) {
      const count = copies.get(id)?.length ?? 0;
      assert.ok(count <= 1, `${id} arrived ${count} times`);
      if (status === 'sent') assert.equal(count, 1, `${id} is said to be sent and did not arrive`);
      else assert.equal(status, 'unknown', `${id} is ${status}`);
    }
    // A process has ten mails under way, so two kills leave at most twenty of which nobody can know.
    const unknown = states.filter(({ status }) => status === 'unknown').length;
    assert.ok(unknown <= 20, `${unknown} mails are unknown`);
    const released = all.flatMap(({ lines }) =>
      lines.filter(({ msg }) => msg === 'Released the jobs of a dead worker process'),
    );
    context.diagnostic(`${unknown} unknown, jobs of dead processes were released ${released.length} times`);
    assert.equal(await old.stop(), 0);
  });
});
