import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { freePort } from '../../support/free-port.ts';
import {
  countsByStatus,
  rowsOf,
  startCampaign,
  type Underway,
  untilStatus,
} from '../../support/sent-campaigns.ts';
import { smtpSink } from '../../support/smtp-sink.ts';
import { until } from '../../support/until.ts';
import { startWorkers, type TestWorkers } from '../../support/workers.ts';

const app = await startApp();
const emails = Array.from({ length: 12 }, (_, n) => `p${String(n).padStart(2, '0')}@example.jp`);
const take = { kind: 'take' } as const;

function start(SMTP_URL: string) {
  return startWorkers(
    {
      DATABASE_URL: app.database_url,
      SMTP_URL,
      MAIL_FROM: 'Service <no-reply@example.com>',
      MAIL_CONNECTIONS: '3',
    },
    ['--queues', 'campaign'],
  );
}

/** Has a campaign that cannot reach its server have tried for ten minutes. */
async function triedForLong({ id }: Underway): Promise<void> {
  await until('it is noted that the server is away', async () => {
    const rows = await app.database.withConnection('*', ({ query }) =>
      query(
        `UPDATE mail_campaigns SET unreachable_since = unreachable_since - interval '10 minutes'
          WHERE id = $1 AND unreachable_since IS NOT NULL RETURNING 1`,
        [id],
      ),
    );
    return rows.length > 0;
  });
}

/** What operators and the change history are told of a campaign that paused by itself: once, with what the server did. */
async function assertTold({ client, id }: Underway, { lines }: TestWorkers, reason: string, why: RegExp) {
  const told = lines.filter(
    ({ msg, campaign_id }) => campaign_id === id && msg === 'A campaign has paused by itself',
  );
  assert.deepEqual(
    told.map(({ level, pause_reason }) => [level, pause_reason]),
    [[40, reason]],
  );
  assert.match(String(told[0]!.reason), why);
  const { items } = (await client.get(`/mail/audit-logs?entity_type=campaign&entity_id=${id}&limit=1`)).body;
  assert.equal(items[0].actor.type, 'system');
  assert.deepEqual(items[0].changes.status, ['sending', 'paused']);
  assert.deepEqual(items[0].changes.pause_reason, [null, reason]);
}

/** A campaign that paused by itself before any of its mails left: nobody is blamed. */
async function assertPaused(underway: Underway, reason: string): Promise<void> {
  const campaign = await untilStatus(underway, 'paused');
  assert.equal(campaign.pause_reason, reason);
  const counts = await until('nothing is under way', async () => {
    const found = await countsByStatus(app, underway.id);
    return found.sending === undefined && found;
  });
  assert.deepEqual(counts, { queued: emails.length });
  const rows = Object.values(await rowsOf(app, underway.id));
  assert.ok(rows.every(({ attempts, bounce_class }) => attempts === 0 && bounce_class === null));
  const contacts = (await underway.client.get('/mail/contacts?limit=50')).body.items;
  assert.ok(contacts.every(({ status }: { status: string }) => status === 'active'));
  const { job } = (await underway.client.get(`/jobs/${underway.job_id}`)).body;
  assert.equal(job.status, 'paused');
}

/** Resumed by a call it sends to everybody once. */
async function assertResumed({ client, path, id }: Underway, taken: readonly { to: string }[]) {
  const resumed = await client.post(`${path}/resume`, {});
  assert.equal(resumed.status, 200, resumed.text);
  assert.equal(resumed.body.campaign.pause_reason, null);
  await untilStatus({ client, path, id, job_id: '' }, 'sent');
  assert.deepEqual(taken.map(({ to }) => to).sort(), emails);
  assert.deepEqual(await countsByStatus(app, id), { sent: emails.length });
}

describe('a campaign whose server is away', () => {
  test('pauses after ten minutes, and goes on when somebody resumes it', async () => {
    const port = await freePort();
    const workers = await start(`smtp://127.0.0.1:${port}`);
    const underway = await startCampaign(app, emails);
    await triedForLong(underway);
    await assertPaused(underway, 'smtp_unavailable');
    await assertTold(underway, workers, 'smtp_unavailable', /cannot be reached \(ECONNREFUSED\)/);
    const waits = workers.lines.filter(({ msg }) => msg === 'A campaign waits for its mail server');
    assert.deepEqual(
      waits.map(({ campaign_id, level }) => [campaign_id, level]),
      [[underway.id, 40]],
    );
    assert.match(String(waits[0]!.reason), /ECONNREFUSED/);
    const sink = await smtpSink({ port });
    await assertResumed(underway, sink.taken);
    await workers.stop();
  });

  test('that takes connections and greets nobody, or answers no mail, is away too', async () => {
    const sink = await smtpSink();
    sink.greeting = () => ({ kind: 'silence' });
    const workers = await start(sink.url);
    const underway = await startCampaign(app, emails);
    await triedForLong(underway);
    await assertPaused(underway, 'smtp_unavailable');
    // It greets and then closes the line at each mail.
    sink.greeting = () => take;
    sink.sender = () => ({ kind: 'hang_up' });
    await underway.client.post(`${underway.path}/resume`, {});
    await triedForLong(underway);
    await assertPaused(underway, 'smtp_unavailable');
    sink.sender = () => take;
    await assertResumed(underway, sink.taken);
    await workers.stop();
  });

  test('goes on by itself when the server is back within ten minutes', async () => {
    const port = await freePort();
    const workers = await start(`smtp://127.0.0.1:${port}`);
    const underway = await startCampaign(app, emails);
    const since = () =>
      app.database.withConnection('*', async ({ query }) => {
        const [row] = await query<{ unreachable_since: string | null }>(
          'SELECT unreachable_since FROM mail_campaigns WHERE id = $1',
          [underway.id],
        );
        return row!.unreachable_since;
      });
    await until('it is noted', async () => (await since()) !== null);
    const sink = await smtpSink({ port });
    await untilStatus(underway, 'sent');
    assert.deepEqual(sink.taken.map(({ to }) => to).sort(), emails);
    assert.equal(await since(), null);
    await workers.stop();
  });
});

describe('a server that refuses whom the mails come from', () => {
  test('by the sign-in pauses the campaign at once', async () => {
    let password = 'another one';
    const sink = await smtpSink({ password: () => password });
    const url = new URL(sink.url);
    [url.username, url.password] = ['office', 'our-password'];
    const workers = await start(url.href);
    const underway = await startCampaign(app, emails);
    await assertPaused(underway, 'smtp_unavailable');
    await assertTold(underway, workers, 'smtp_unavailable', /answered 535 to AUTH/);
    password = 'our-password';
    await assertResumed(underway, sink.taken);
    assert.ok(
      [...workers.lines, ...workers.errors].every((line) => !JSON.stringify(line).includes('our-password')),
    );
    await workers.stop();
  });

  test('by MAIL FROM pauses the campaign at once, each time that it is resumed', async () => {
    const sink = await smtpSink();
    sink.sender = () => ({ kind: 'refuse', code: 550, words: '5.7.1 this sender is not allowed' });
    const workers = await start(sink.url);
    const underway = await startCampaign(app, emails);
    await assertPaused(underway, 'sender_refused');
    await assertTold(underway, workers, 'sender_refused', /MAIL FROM/);
    await underway.client.post(`${underway.path}/resume`, {});
    await assertPaused(underway, 'sender_refused');
    sink.sender = () => take;
    await assertResumed(underway, sink.taken);
    await workers.stop();
  });
});
