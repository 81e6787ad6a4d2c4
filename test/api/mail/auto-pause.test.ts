import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inWork } from '../../../shared/db/in-work.ts';
import { systemActor } from '../../../shared/kernel/reader.ts';
import { ignoreLimit, pauseAtLimit } from '../../../shared/mail/campaigns/auto-pause.ts';
import { startApp } from '../../support/app.ts';
import { type CampaignMail, campaignMail, runCampaignJobs } from '../../support/campaign-mails.ts';
import type { Client } from '../../support/client.ts';
import { deliveryReport, feedbackReport } from '../../support/mail-reports.ts';

const app = await startApp();

const MAIL = { 'Content-Type': 'message/rfc822' };

/** A campaign under way of which one mail is known, and so many others are counted. */
async function underWay(
  client: Awaited<ReturnType<typeof app.actor>>,
  counts: { sent: number; hard_bounces?: number; complaints?: number },
): Promise<CampaignMail> {
  const mail = await campaignMail(app, client);
  await app.database.withConnection('*', async ({ query }) => {
    await query("UPDATE mail_campaigns SET status = 'sending', started_at = created_at WHERE id = $1", [
      mail.campaign_id,
    ]);
    await query(
      `INSERT INTO mail_campaign_counts (organization_id, campaign_id, slot, sent, hard_bounces, complaints)
       VALUES ($1, $2, 15, $3, $4, $5)`,
      [
        client.actor.organization_id,
        mail.campaign_id,
        counts.sent,
        counts.hard_bounces ?? 0,
        counts.complaints ?? 0,
      ],
    );
  });
  return mail;
}

async function hookOf(client: Client): Promise<string> {
  const made = await client.post('/mail/settings/hook-token');
  return new URL(made.body.url).pathname.replace('/api/v1', '');
}

async function standingOf(client: Client, { campaign_id }: CampaignMail) {
  const { campaign } = (await client.get(`/mail/campaigns/${campaign_id}`)).body;
  return [campaign.status, campaign.pause_reason];
}

const changesOf = async (client: Client, { campaign_id }: CampaignMail) =>
  (await client.get(`/mail/audit-logs?entity_type=campaign&entity_id=${campaign_id}&action=update`)).body
    .items;

const pause = (client: Awaited<ReturnType<typeof app.actor>>, { campaign_id }: CampaignMail) =>
  pauseAtLimit(app.database, {
    organization_id: client.actor.organization_id,
    campaign_id,
    now: app.context.now(),
  });

describe('a campaign of which too much comes back', () => {
  test('pauses with the bounce that reaches the limit, by the system', async () => {
    const client = await app.actor();
    const hook = await hookOf(client);
    const mail = await underWay(client, { sent: 220, hard_bounces: 10 });
    assert.equal(await pause(client, mail), null);
    const report = deliveryReport({ to: `bounce+${mail.token('bounce')}@example.co.jp` });
    assert.equal((await client.post(hook, report, MAIL)).status, 202);
    await runCampaignJobs(app);
    assert.deepEqual(await standingOf(client, mail), ['paused', 'bounce_rate']);
    const [change] = await changesOf(client, mail);
    assert.equal(change.actor.type, 'system');
    assert.deepEqual(change.changes.status, ['sending', 'paused']);
  });

  test('pauses with the complaint that reaches the limit', async () => {
    const client = await app.actor();
    const hook = await hookOf(client);
    const mail = await underWay(client, { sent: 1_000, complaints: 2 });
    const { message_id } = mail;
    await client.post(hook, feedbackReport({ type: 'abuse', message_id }), MAIL);
    await runCampaignJobs(app);
    assert.deepEqual(await standingOf(client, mail), ['paused', 'complaint_rate']);
  });

  test('pauses once, however many look at the same time', async () => {
    const client = await app.actor();
    const mail = await underWay(client, { sent: 200, hard_bounces: 10 });
    const paused = await Promise.all(Array.from({ length: 10 }, () => pause(client, mail)));
    assert.equal(paused.filter(Boolean).length, 1);
    assert.equal((await changesOf(client, mail)).length, 1);
  });

  test('goes by the settings, and one that is not under way stays as it is', async () => {
    const client = await app.actor();
    const mail = await underWay(client, { sent: 1_000, hard_bounces: 500, complaints: 500 });
    await client.patch('/mail/settings', { auto_pause: { bounce_percent: null, complaint_percent: null } });
    assert.equal(await pause(client, mail), null);
    await client.patch('/mail/settings', { auto_pause: { complaint_percent: '50.01' } });
    assert.equal(await pause(client, mail), null);
    await client.patch('/mail/settings', { auto_pause: { complaint_percent: '50' } });
    assert.equal(await pause(client, mail), 'complaint_rate');
    assert.equal(await pause(client, mail), null);
    assert.deepEqual(await standingOf(client, mail), ['paused', 'complaint_rate']);
  });

  test('does not pause for the limit that somebody resumed it in spite of', async () => {
    const client = await app.actor();
    const mail = await underWay(client, { sent: 1_000, hard_bounces: 500, complaints: 500 });
    assert.equal(await pause(client, mail), 'bounce_rate');
    assert.deepEqual(await standingOf(client, mail), ['paused', 'bounce_rate']);
    for (let times = 0; times < 2; times += 1) await resume(client, mail, 'bounce_rate');
    assert.equal(await pause(client, mail), 'complaint_rate');
    assert.deepEqual(await standingOf(client, mail), ['paused', 'complaint_rate']);
    await resume(client, mail, 'complaint_rate');
    assert.equal(await pause(client, mail), null);
  });
});

/** What of a resume is about limits. */
async function resume(
  client: Awaited<ReturnType<typeof app.actor>>,
  { campaign_id }: CampaignMail,
  pause_reason: 'bounce_rate' | 'complaint_rate',
): Promise<void> {
  const { organization_id } = client.actor;
  const who = { actor: systemActor, organization_id, request_id: null, ip_address: null };
  await app.database.withConnection(organization_id, async (connection) => {
    await inWork(
      { ...who, connection, now: app.context.now() },
      async (work) => ignoreLimit(work, { id: campaign_id, pause_reason }),
      { may_change_nothing: true },
    );
    await connection.query("UPDATE mail_campaigns SET status = 'sending' WHERE id = $1", [campaign_id]);
  });
}
