import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LEASE } from '../../../shared/mail/sending/mark.ts';
import { startApp } from '../../support/app.ts';
import { seedMailContacts } from '../../support/many-mail-contacts.ts';
import { newDraft, newSender } from '../../support/sendable-campaigns.ts';
import { countsByStatus, rowsOf } from '../../support/sent-campaigns.ts';
import { smtpSink } from '../../support/smtp-sink.ts';
import { until } from '../../support/until.ts';
import { startWorkers } from '../../support/workers.ts';

const RECIPIENTS = 400;
const KILLS = 2;
const CONNECTIONS = 3;

const app = await startApp();
const sink = await smtpSink();

test('workers are killed amid a campaign: nobody gets it twice, and at most four mails a connection are unknown', async () => {
  sink.slowness = (_, at) => (at === 'text' ? 2 : 0);
  sink.verdict = (to, at) =>
    to.startsWith('person7') && at === 'recipient'
      ? { kind: 'refuse', code: 550, words: '5.1.1 nobody' }
      : { kind: 'take' };
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
  let workers = await start();
  const { client, list_id } = await newSender(app, []);
  await seedMailContacts(app.database, client.actor.organization_id, RECIPIENTS, { list_id });
  // Of the first 200 more may be refused than it is to pause for.
  const settings = await client.patch('/mail/settings', { auto_pause: { bounce_percent: null } });
  assert.equal(settings.status, 200, settings.text);
  const path = await newDraft(client, { list_ids: [list_id], purpose: 'notice' });
  const sent = await client.post(`${path}/send`, {});
  assert.equal(sent.status, 202, sent.text);
  const { id } = sent.body.campaign;
  let lastKill = new Date();
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const some = Math.ceil(((kill - Math.random()) / (KILLS + 1)) * RECIPIENTS * 0.8);
    await until(`${some} were taken`, () => sink.taken.length >= some);
    await workers.kill();
    lastKill = new Date();
    workers = await start();
  }
  const left = async () => {
    const [row] = await app.database.withConnection('*', ({ query }) =>
      query<{ queued: number; ours: number }>(
        `SELECT count(*) FILTER (WHERE status = 'queued')::integer AS queued FROM mail_campaign_recipients
          WHERE campaign_id = $1`,
        [id],
      ),
    );
    return row!.queued;
  };
  await until('nobody is queued', async () => (await left()) === 0);
  // What the dead have left is known to be lost when its lease is over, a minute later. The leases of the
  // living begin behind the last kill; they hold locks on their rows in an order of their own.
  const leasesOfTheDead = () =>
    app.database.withConnection('*', ({ query }) =>
      query(
        `UPDATE mail_campaign_recipients SET lease_until = now() WHERE id IN (
           SELECT id FROM mail_campaign_recipients WHERE campaign_id = $1 AND status = 'sending'
             AND lease_until > now() AND lease_until < $2 FOR UPDATE SKIP LOCKED)`,
        [id, new Date(lastKill.getTime() + LEASE)],
      ),
    );
  await until('the campaign is sent', async () => {
    await leasesOfTheDead();
    return (await client.get(path)).body.campaign.status === 'sent';
  });
  const rows = Object.values(await rowsOf(app, id));
  const times = Map.groupBy(sink.taken, ({ to }) => to);
  assert.deepEqual(
    [...times].filter(([, each]) => each.length > 1).map(([to]) => to),
    [],
    'a recipient twice',
  );
  for (const { email, status, reason } of rows) {
    if (status === 'sent') assert.ok(times.has(email), `${email} is sent`);
    else if (status !== 'unknown') assert.ok(!times.has(email), `${email} is ${status} ${reason}`);
  }
  const counts = await countsByStatus(app, id);
  assert.ok((counts.unknown ?? 0) <= 4 * CONNECTIONS * KILLS, JSON.stringify(counts));
  assert.equal(counts.queued, undefined);
  const refused = rows.filter(({ email, status }) => email.startsWith('person7') && status === 'failed');
  assert.ok(refused.every(({ bounce_class }) => bounce_class === 'hard'));
  await workers.kill();
});
