import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachEngine } from '../support/engines.ts';
import { askForMails, mailStates, outboxCount } from '../support/mail-states.ts';
import { smtpSink, type Verdict } from '../support/smtp-sink.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';

/**
 * npm run soak -- test/soak/mails.ts: many mails to a server that answers at random, two processes of workers, one of
 * which is killed. Every mail must be accounted for. SOAK_MAILS says how many, SOAK_SEED makes the same choices again.
 */
const MAILS = Number(process.env.SOAK_MAILS ?? 10_000);
const SEED = Number(process.env.SOAK_SEED ?? 1);
const HOUR = 3_600_000;

/** Numbers from 0 to 1 that only look random (mulberry32). */
function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function verdictOf(chance: number): Verdict {
  if (chance < 0.05) return { kind: 'refuse', code: 451, words: 'later' };
  if (chance < 0.07) return { kind: 'refuse', code: 550, words: 'no such user' };
  if (chance < 0.075) return { kind: 'hang_up' };
  if (chance < 0.076) return { kind: 'silence' };
  return { kind: 'take' };
}

onEachEngine((engine) => {
  test(`${MAILS} mails to a server that answers at random`, { timeout: HOUR }, async (context) => {
    const { database } = engine.test_database;
    const chance = chances(SEED);
    const sink = await smtpSink();
    sink.verdict = () => verdictOf(chance());
    const environment = {
      ...engine.environment,
      SMTP_URL: sink.url,
      MAIL_FROM: 'Service <no-reply@example.com>',
      BASE_URL: 'https://service.example',
    };
    const ids: string[] = [];
    for (let asked = 0; asked < MAILS; asked += 100)
      ids.push(...(await askForMails(database, `soak-${asked}`, 100)));
    const began = performance.now();
    const first = await startWorkers(environment, ['--queues', 'email']);
    const second = await startWorkers(environment, ['--queues', 'email']);
    await until('a third is taken', () => sink.taken.length >= MAILS / 3, HOUR);
    await first.kill();
    await until('the outbox is empty', async () => (await outboxCount(database)) === 0, HOUR);
    const seconds = Math.round((performance.now() - began) / 1000);

    const copies = Map.groupBy(sink.taken, ({ message_id }) => message_id.slice(1, message_id.indexOf('@')));
    const counts: Record<string, number> = { sent: 0, failed: 0, unknown: 0 };
    let unknown_that_arrived = 0;
    for (const { id, status } of await mailStates(database, ids)) {
      assert.ok(status in counts, `${id} is ${status}`);
      counts[status]! += 1;
      const arrived = copies.get(id)?.length ?? 0;
      assert.ok(arrived <= 1, `${id} arrived ${arrived} times`);
      if (status === 'sent') assert.equal(arrived, 1, `${id} is said to be sent and did not arrive`);
      if (status === 'failed') assert.equal(arrived, 0, `${id} is said to have failed and arrived`);
      if (status === 'unknown') unknown_that_arrived += arrived;
    }
    const { sent, failed, unknown } = counts;
    context.diagnostic(
      `${engine.name}: ${sent} sent, ${failed} failed, ${unknown} unknown (${unknown_that_arrived} of them arrived), ` +
        `none twice, in ${seconds} s`,
    );
    assert.equal(await second.stop(), 0);
  });
});
