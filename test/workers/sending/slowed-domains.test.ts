import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { countsByStatus, rowsOf, startCampaign, untilStatus } from '../../support/sent-campaigns.ts';
import { smtpSink } from '../../support/smtp-sink.ts';
import { until } from '../../support/until.ts';
import { startWorkers } from '../../support/workers.ts';

const CONNECTIONS = 3;

const app = await startApp();
const sink = await smtpSink();
await startWorkers(
  {
    DATABASE_URL: app.database_url,
    SMTP_URL: sink.url,
    MAIL_FROM: 'Service <no-reply@example.com>',
    MAIL_CONNECTIONS: String(CONNECTIONS),
  },
  ['--queues', 'campaign'],
);
const take = { kind: 'take' } as const;

for (const { answer, code, words } of [
  { answer: '450 4.7.1', code: 450, words: '4.7.1 too many, come back later' },
  { answer: '421', code: 421, words: 'closing, too many from you' },
])
  test(`a domain that answers ${answer} is slowed, and the others get theirs at full speed and within the limits`, async () => {
    let tries = 0;
    const asked = { slow: true };
    const limited = `slow${code}.example`;
    sink.taken.length = 0;
    sink.verdict = (to, at) => {
      if (!to.endsWith(limited) || at === 'text') return take;
      tries += 1;
      return asked.slow ? { kind: 'refuse', code, words } : take;
    };
    const slow = Array.from({ length: 40 }, (_, n) => `s${n}@${limited}`);
    const others = Array.from({ length: 60 }, (_, n) => `o${n}@example.jp`);
    // What is put off takes nothing of a quota.
    const underway = await startCampaign(app, [...slow, ...others], { throttle: { per_hour: 90 } });
    await until('the others have got theirs', () => sink.taken.length === others.length);
    const counts = await countsByStatus(app, underway.id);
    assert.equal(
      (counts.queued ?? 0) + (counts.sending ?? 0) + (counts.sent ?? 0),
      100,
      JSON.stringify(counts),
    );
    assert.ok(tries <= 4 * CONNECTIONS + 4, `${tries} mails were tried`);
    const [speed] = await app.database.withConnection('*', ({ query }) =>
      query<{ domain: string; interval_ms: number }>(
        'SELECT domain, interval_ms FROM mail_domain_speeds WHERE domain = $1',
        [limited],
      ),
    );
    assert.ok(speed!.interval_ms >= 1_000, JSON.stringify(speed));
    // Hours later, when the domain has doubled its speed often enough.
    asked.slow = false;
    // Each time a little farther: a span that is made anew within its second never comes where the one before it is.
    let hour = 3_600_000_000;
    await until('all are sent', async () => {
      await app.database.withConnection('*', async ({ query }) => {
        await query(
          "UPDATE mail_domain_speeds SET changed_at = changed_at - interval '3 hours', next_at = now()",
        );
        hour += 1;
        await query("UPDATE mail_send_spans SET until = until - $1::bigint WHERE span = 'hour'", [hour]);
        await query(
          `UPDATE mail_campaign_recipients SET next_attempt_at = now()
            WHERE campaign_id = $1 AND status = 'queued' AND next_attempt_at > now()`,
          [underway.id],
        );
      });
      return (await countsByStatus(app, underway.id)).sent === 100;
    });
    await untilStatus(underway, 'sent');
    assert.deepEqual(sink.taken.map(({ to }) => to).sort(), [...slow, ...others].sort());
    const rows = Object.values(await rowsOf(app, underway.id));
    assert.ok(rows.every(({ bounce_class, attempts }) => bounce_class === null && attempts <= 2));
  });
