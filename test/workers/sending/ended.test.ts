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
const emails = Array.from({ length: 60 }, (_, n) => `p${n}@example.jp`).sort();

const start = () =>
  startWorkers(
    {
      DATABASE_URL: app.database_url,
      SMTP_URL: sink.url,
      MAIL_FROM: 'Service <no-reply@example.com>',
      MAIL_CONNECTIONS: String(CONNECTIONS),
    },
    ['--queues', 'campaign'],
  );

test('workers that are asked to end within a slice finish what is at the server, and give the rest back', async () => {
  sink.slowness = (_, at) => (at === 'text' ? 150 : 0);
  const workers = await start();
  const underway = await startCampaign(app, emails);
  await until('some were taken', () => sink.taken.length >= 5);
  assert.equal(await workers.stop(), 0);
  const at_server = sink.taken.length;
  assert.ok(at_server < emails.length);
  assert.deepEqual(await countsByStatus(app, underway.id), {
    sent: at_server,
    queued: emails.length - at_server,
  });
  const rows = Object.values(await rowsOf(app, underway.id));
  assert.ok(rows.every(({ status, attempts }) => attempts === (status === 'sent' ? 1 : 0)));
  sink.slowness = () => 0;
  const next = await start();
  await untilStatus(underway, 'sent');
  assert.deepEqual(sink.taken.map(({ to }) => to).sort(), emails);
  await next.stop();
});

test('of those that wait for a server that says nothing, only what it has the text of is unknown', async () => {
  sink.taken.length = 0;
  let silent = true;
  sink.verdict = (_, at) => (silent && at === 'text' ? { kind: 'silence' } : { kind: 'take' });
  const before = sink.texts;
  const workers = await start();
  const underway = await startCampaign(app, emails);
  await until('each connection waits', () => sink.texts - before === CONNECTIONS);
  assert.equal(await workers.stop(), 0);
  silent = false;
  const known = { sending: CONNECTIONS, queued: emails.length - CONNECTIONS };
  assert.deepEqual(await countsByStatus(app, underway.id), known, 'the others were given back');
  // Their worker is gone when their leases are over, a minute later.
  await app.database.withConnection('*', ({ query }) =>
    query(
      "UPDATE mail_campaign_recipients SET lease_until = now() WHERE campaign_id = $1 AND status = 'sending'",
      [underway.id],
    ),
  );
  const next = await start();
  await untilStatus(underway, 'sent');
  assert.deepEqual(await countsByStatus(app, underway.id), {
    sent: emails.length - CONNECTIONS,
    unknown: CONNECTIONS,
  });
  const rows = await rowsOf(app, underway.id);
  const sent = Object.values(rows).flatMap(({ status, email }) => (status === 'sent' ? [email] : []));
  assert.deepEqual(sink.taken.map(({ to }) => to).sort(), sent.sort());
  await next.stop();
});
