import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { countsByStatus, rowsOf, startCampaign, untilStatus } from '../../support/sent-campaigns.ts';
import { smtpSink } from '../../support/smtp-sink.ts';
import { until } from '../../support/until.ts';
import { startWorkers } from '../../support/workers.ts';

const app = await startApp();
const sink = await smtpSink();
const workers = await startWorkers(
  {
    DATABASE_URL: app.database_url,
    SMTP_URL: sink.url,
    MAIL_FROM: 'Service <no-reply@example.com>',
    MAIL_CONNECTIONS: '5',
  },
  ['--queues', 'campaign'],
);
const silence = { kind: 'silence' } as const;
const take = { kind: 'take' } as const;

test('a server that says nothing more is given up after a minute, and other mails leave meanwhile', async () => {
  let hung_at = 0;
  let hung = 0;
  sink.sender = (from) => (from.startsWith('hung') && hung++ === 0 ? silence : take);
  sink.verdict = (to, at) => {
    if (!to.startsWith('deaf') || at === 'recipient') return take;
    hung_at = performance.now();
    return silence;
  };
  // One that was opened before is not one that hangs.
  const early = await startCampaign(app, ['taro@example.jp', 'jiro@example.jp'], {
    from_email: 'hung@example.co.jp',
  });
  const late = await startCampaign(app, ['deaf@example.jp', 'hanako@example.jp', 'saburo@example.jp']);
  await until('both hang', () => hung > 0 && hung_at > 0);
  const others = await startCampaign(
    app,
    Array.from({ length: 30 }, (_, n) => `other${n}@example.jp`),
  );
  await untilStatus(others, 'sent');
  assert.deepEqual(await countsByStatus(app, others.id), { sent: 30 });
  assert.deepEqual(
    [await countsByStatus(app, early.id), await countsByStatus(app, late.id)],
    [
      { sending: 1, sent: 1 },
      { sending: 1, sent: 2 },
    ],
    'both still hang',
  );
  await untilStatus(late, 'sent');
  const waited = performance.now() - hung_at;
  assert.ok(waited > 59_000 && waited < 150_000, `given up after ${waited} ms`);
  await untilStatus(early, 'sent');
  const rows = { ...(await rowsOf(app, early.id)), ...(await rowsOf(app, late.id)) };
  assert.deepEqual(
    Object.values(rows).map(({ email, status, reason, attempts }) => [email, status, reason, attempts]),
    [
      ['taro@example.jp', 'sent', null, 1],
      ['jiro@example.jp', 'sent', null, 1],
      ['deaf@example.jp', 'unknown', 'no_answer', 1],
      ['hanako@example.jp', 'sent', null, 1],
      ['saburo@example.jp', 'sent', null, 1],
    ],
  );
  assert.equal(sink.taken.length, 34, 'nobody gets it twice');
  assert.deepEqual(workers.errors, []);
});
