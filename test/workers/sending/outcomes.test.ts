import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
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
    BASE_URL: 'https://service.example',
    MAIL_CONNECTIONS: '3',
  },
  ['--queues', 'campaign'],
);

beforeEach(() => {
  sink.taken.length = 0;
  sink.verdict = () => ({ kind: 'take' });
  sink.slowness = () => 0;
});

describe('a campaign that is sent', () => {
  test('each recipient becomes what the server answers, and the counts are those of the rows', async () => {
    sink.verdict = (to, at) => {
      if (to.startsWith('gone')) return at === 'recipient' ? refuse(550, '5.1.1 nobody here') : take;
      if (to.startsWith('full')) return at === 'text' ? refuse(552, '5.2.2 full') : take;
      if (to.startsWith('later')) return at === 'recipient' ? refuse(451, '4.3.0 later') : take;
      return take;
    };
    const emails = ['taro', 'gone', 'full', 'later', 'jiro'].map((name) => `${name}@example.jp`);
    const underway = await startCampaign(app, emails);
    const rows = await until('all but one have ended, and the last refusal is judged', async () => {
      const { sent, failed } = await countsByStatus(app, underway.id);
      const found = await rowsOf(app, underway.id);
      const isJudged = Object.values(found).every(({ reason }) => reason === null || reason === 'refused');
      return sent === 2 && failed === 2 && isJudged && found;
    });
    assert.deepEqual(await countsByStatus(app, underway.id), { sent: 2, failed: 2, queued: 1 });
    assert.deepEqual(
      Object.values(rows).map(({ status, reason, attempts, bounce_class }) => [
        status,
        reason,
        attempts,
        bounce_class,
      ]),
      [
        ['sent', null, 1, null],
        ['failed', 'refused', 1, 'hard'],
        ['failed', 'refused', 1, 'soft'],
        ['queued', null, 1, null],
        ['sent', null, 1, null],
      ],
    );
    assert.match(rows['later@example.jp']!.smtp_response!, /^451 4\.3\.0 later/);
    assert.ok(rows['later@example.jp']!.next_attempt_at);
    const contacts = await underway.client.get('/mail/contacts?limit=50');
    const standing = Object.fromEntries(
      contacts.body.items.map(({ email, status }: { email: string; status: string }) => [email, status]),
    );
    assert.deepEqual([standing['gone@example.jp'], standing['full@example.jp']], ['bounced', 'active']);
    assert.equal((await underway.client.get(underway.path)).body.campaign.status, 'sending');
    sink.verdict = () => take;
    await app.database.withConnection('*', ({ query }) =>
      query(
        `UPDATE mail_campaign_recipients SET next_attempt_at = now() WHERE campaign_id = $1 AND status = 'queued'`,
        [underway.id],
      ),
    );
    const campaign = await untilStatus(underway, 'sent');
    assert.ok(campaign.finished_at);
    assert.deepEqual(await countsByStatus(app, underway.id), { sent: 3, failed: 2 });
    assert.equal((await rowsOf(app, underway.id))['later@example.jp']!.attempts, 2);
    const job = await underway.client.get(`/jobs/${underway.job_id}`);
    assert.deepEqual(
      [job.body.job.status, job.body.job.progress],
      ['succeeded', { done: 5, total: 5, unit: 'messages' }],
    );
    const events = await underway.client.get('/events?type=mail.campaign.sent');
    assert.equal(events.body.data.length, 1);
    assert.equal(events.body.data[0].data.id, underway.id);
    assert.equal(events.body.data[0].data.stats.sent, 3);
  });

  test('a line that is lost ahead of the text is tried again, after it the outcome is unknown', async () => {
    let cuts = 0;
    sink.verdict = (to, at) => {
      if (to.startsWith('early') && at === 'recipient' && cuts++ === 0) return { kind: 'hang_up' };
      if (to.startsWith('late') && at === 'text') return { kind: 'hang_up' };
      return take;
    };
    const underway = await startCampaign(app, ['early@example.jp', 'late@example.jp', 'taro@example.jp']);
    await untilStatus(underway, 'sent');
    const rows = Object.values(await rowsOf(app, underway.id));
    assert.deepEqual(
      rows.map(({ status, reason, attempts }) => [status, reason, attempts]),
      [
        ['sent', null, 1],
        ['unknown', 'no_answer', 1],
        ['sent', null, 1],
      ],
    );
    assert.deepEqual(
      sink.taken.map(({ to }) => to).sort(),
      ['early@example.jp', 'taro@example.jp'],
      'nobody gets it twice',
    );
  });

  test('who unsubscribes after the start gets nothing, whoever waits for another attempt too', async () => {
    sink.verdict = (_, at) => (at === 'recipient' ? refuse(450, '4.2.0 later') : take);
    const emails = ['taro@example.jp', 'left@example.jp', 'jiro@example.jp'];
    const underway = await startCampaign(app, emails);
    const { client, id } = underway;
    await until('all wait for another attempt', async () => {
      const rows = Object.values(await rowsOf(app, id));
      return rows.length === 3 && rows.every(({ status, attempts }) => status === 'queued' && attempts === 1);
    });
    const { items } = (await client.get('/mail/contacts?search=left')).body;
    await client.patch(`/mail/contacts/${items[0].id}`, { status: 'unsubscribed' });
    sink.verdict = () => take;
    await app.database.withConnection('*', ({ query }) =>
      query('UPDATE mail_campaign_recipients SET next_attempt_at = now() WHERE campaign_id = $1', [id]),
    );
    await untilStatus(underway, 'sent');
    const { 'left@example.jp': left } = await rowsOf(app, id);
    assert.deepEqual([left!.status, left!.reason, left!.attempts], ['skipped', 'unsubscribed', 1]);
    assert.deepEqual(sink.taken.map(({ to }) => to).sort(), ['jiro@example.jp', 'taro@example.jp']);
    assert.deepEqual(await countsByStatus(app, id), { sent: 2, skipped: 1 });
  });
});

describe('a campaign that stops', () => {
  test('paused, no mail begins any more, and the marked ones are queued; resumed, the same job goes on', async () => {
    const emails = Array.from({ length: 8 }, (_, n) => `p${n}@example.jp`);
    const underway = await startCampaign(app, emails, { throttle: { per_second: 2 } });
    const { client, path } = underway;
    await until('one was taken', () => sink.taken.length > 0);
    const paused = await client.post(`${path}/pause`, {});
    assert.equal(paused.status, 200, paused.text);
    assert.equal(paused.body.campaign.status, 'paused');
    assert.equal((await client.get(`/jobs/${underway.job_id}`)).body.job.status, 'paused');
    const counts = await until('nothing is under way', async () => {
      const found = await countsByStatus(app, underway.id);
      return found.sending === undefined && found;
    });
    assert.ok(counts.queued! > 0, JSON.stringify(counts));
    assert.equal(counts.sent, sink.taken.length);
    const resumed = await client.post(`${path}/resume`, {});
    assert.equal(resumed.status, 200, resumed.text);
    await untilStatus(underway, 'sent');
    assert.equal((await client.get(`/jobs/${underway.job_id}`)).body.job.status, 'succeeded');
    assert.deepEqual(sink.taken.map(({ to }) => to).sort(), emails);
  });

  test('cancelling its job pauses it; cancelled, what was queued is skipped', async () => {
    const emails = Array.from({ length: 8 }, (_, n) => `c${n}@example.jp`);
    const underway = await startCampaign(app, emails, { throttle: { per_second: 2 } });
    const { client, path, job_id } = underway;
    await until('one was taken', () => sink.taken.length > 0);
    const cancelledJob = await client.post(`/jobs/${job_id}/cancel`, {});
    assert.equal(cancelledJob.status, 200, cancelledJob.text);
    assert.equal(cancelledJob.body.job.status, 'paused');
    assert.equal((await client.get(path)).body.campaign.status, 'paused');
    const cancelled = await client.post(`${path}/cancel`, {});
    assert.equal(cancelled.status, 200, cancelled.text);
    const counts = await until('nothing is left', async () => {
      const found = await countsByStatus(app, underway.id);
      return found.sending === undefined && found.queued === undefined && found;
    });
    assert.deepEqual(counts, { sent: sink.taken.length, skipped: 8 - sink.taken.length });
    const rows = Object.values(await rowsOf(app, underway.id));
    assert.ok(rows.every(({ status, reason }) => status === 'sent' || reason === 'cancelled'));
    assert.equal((await client.get(`/jobs/${job_id}`)).body.job.status, 'cancelled');
  });

  test('twenty equal refusals in a row pause it and bounce nobody; after a resume they count', async () => {
    sink.verdict = (_, at) => (at === 'recipient' ? refuse(550, '5.7.1 you are blocked') : take);
    const emails = Array.from({ length: 24 }, (_, n) => `b${n}@example.jp`);
    const underway = await startCampaign(app, emails);
    const campaign = await untilStatus(underway, 'paused');
    assert.equal(campaign.pause_reason, 'sender_refused');
    await until('all are queued', async () => (await countsByStatus(app, underway.id)).queued === 24);
    const rows = Object.values(await rowsOf(app, underway.id));
    assert.ok(rows.every(({ bounce_class, attempts }) => bounce_class === null && attempts === 0));
    await underway.client.post(`${underway.path}/resume`, {});
    await untilStatus(underway, 'sent');
    assert.deepEqual(await countsByStatus(app, underway.id), { failed: 24 });
    const bounced = Object.values(await rowsOf(app, underway.id));
    assert.ok(bounced.every(({ bounce_class, reason }) => bounce_class === 'soft' && reason === 'refused'));
  });
});

const take = { kind: 'take' } as const;

function refuse(code: number, words: string) {
  return { kind: 'refuse', code, words } as const;
}

test('nobody is named in the log', () => {
  assert.ok(workers.lines.every((line) => !JSON.stringify(line).includes('@example.jp')));
});
