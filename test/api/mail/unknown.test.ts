import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { transaction } from '../../../shared/db/transaction.ts';
import { systemActor } from '../../../shared/kernel/reader.ts';
import { campaignForUpdate } from '../../../shared/mail/campaigns/queries.ts';
import { startApp } from '../../support/app.ts';
import { campaignMail, countsOf, runCampaignJobs } from '../../support/campaign-mails.ts';
import { deliveryReport } from '../../support/mail-reports.ts';

const app = await startApp();

type Caller = Awaited<ReturnType<typeof app.actor>>;

/** A campaign with so many recipients that are unknown, and one that was sent, past the operations that send. */
async function campaignWith(client: Caller, { unknown, status }: { unknown: number; status: string }) {
  const mail = await campaignMail(app, client, { email: `${status}@example.jp` });
  const { campaign_id } = mail;
  await app.database.withConnection('*', async ({ query }) => {
    await query(
      `INSERT INTO mail_campaign_recipients (organization_id, campaign_id, number, id, email, email_key, email_hash,
         status, reason, message_id, tracked, created_at, updated_at)
       SELECT organization_id, $1, n, 'mrcp_' || lpad(n::text, 26, '0'), n || '@example.jp', n || '@example.jp',
         n::text::bytea, 'unknown', 'connection_lost', '<' || n || '>', n % 2 = 0, created_at, updated_at
         FROM mail_campaign_recipients, generate_series(2, $2::integer + 1) AS n
        WHERE campaign_id = $1`,
      [campaign_id, unknown],
    );
    await query(
      `INSERT INTO mail_campaign_counts (organization_id, campaign_id, slot, unknown, sent)
       SELECT organization_id, campaign_id, number % 16, count(*) FILTER (WHERE status = 'unknown'),
         count(*) FILTER (WHERE status = 'sent')
         FROM mail_campaign_recipients WHERE campaign_id = $1 GROUP BY 1, 2, 3`,
      [campaign_id],
    );
    await query(
      `UPDATE mail_campaigns SET status = $2, started_at = created_at, sent_event_at = created_at,
         finished_at = CASE WHEN $2 = 'sent' THEN created_at END WHERE id = $1`,
      [campaign_id, status],
    );
  });
  return mail;
}

/** A campaign with one recipient, who is unknown and bounced; nobody has read the report. */
async function bouncedUnread(client: Caller) {
  const mail = await campaignMail(app, client, { status: 'unknown' });
  await app.database.withConnection('*', ({ query }) =>
    query("UPDATE mail_campaigns SET status = 'sent', started_at = created_at WHERE id = $1", [
      mail.campaign_id,
    ]),
  );
  const made = await client.post('/mail/settings/hook-token');
  const hook = new URL(made.body.url).pathname.replace('/api/v1', '');
  const report = deliveryReport({ to: `bounce+${mail.token('bounce')}@example.co.jp`, status: '5.2.2' });
  await client.post(hook, report, { 'Content-Type': 'message/rfc822' });
  return mail;
}

const decide = (client: Caller, campaign_id: string, body: object) =>
  client.post(`/mail/campaigns/${campaign_id}/unknown`, body);

const idOf = (number: number) => `mrcp_${String(number).padStart(26, '0')}`;

async function recipientsOf(campaign_id: string): Promise<string[]> {
  const rows = await app.database.withConnection('*', ({ query }) =>
    query<{ said: string }>(
      `SELECT status || ' ' || COALESCE(reason, '-') || ' ' || count(*) AS said FROM mail_campaign_recipients
        WHERE campaign_id = $1 GROUP BY status, reason ORDER BY 1`,
      [campaign_id],
    ),
  );
  return rows.map(({ said }) => said);
}

describe('POST /mail/campaigns/{id}/unknown', () => {
  test('200: resend queues them, and a campaign that has ended sends again without a second end', async () => {
    const client = await app.actor();
    const { campaign_id } = await campaignWith(client, { unknown: 3, status: 'sent' });
    const offered = async () =>
      (await client.get(`/mail/campaigns/${campaign_id}`)).body.campaign.available_actions;
    assert.deepEqual(await offered(), ['update', 'resend_unknown', 'accept_unknown', 'duplicate']);
    const reply = await decide(client, campaign_id, { action: 'resend' });
    assert.equal(reply.status, 200, reply.text);
    assert.deepEqual([reply.body.campaign.status, reply.body.campaign.finished_at], ['sending', null]);
    assert.deepEqual(await recipientsOf(campaign_id), ['queued - 3', 'sent - 1']);
    assert.deepEqual(
      await offered(),
      ['update', 'pause', 'cancel', 'duplicate'],
      'nobody is unknown any more',
    );
    const [row] = await app.database.withConnection('*', ({ query }) =>
      query<{ has_ended: boolean }>(
        'SELECT sent_event_at IS NOT NULL AS has_ended FROM mail_campaigns WHERE id = $1',
        [campaign_id],
      ),
    );
    assert.equal(row!.has_ended, true);
    const again = await decide(client, campaign_id, { action: 'resend' });
    assert.deepEqual([again.status, again.body.code], [409, 'invalid_transition']);
  });

  test('200: resend leaves a paused campaign paused', async () => {
    const client = await app.actor();
    const { campaign_id } = await campaignWith(client, { unknown: 2, status: 'paused' });
    const reply = await decide(client, campaign_id, { action: 'resend', recipient_ids: [idOf(3)] });
    assert.equal(reply.body.campaign.status, 'paused', reply.text);
    assert.deepEqual(await recipientsOf(campaign_id), [
      'queued - 1',
      'sent - 1',
      'unknown connection_lost 1',
    ]);
  });

  test('200: accept makes them sent, in every state after the beginning, and the audit log says so', async () => {
    const client = await app.actor();
    for (const status of ['sending', 'paused', 'sent', 'cancelled']) {
      const { campaign_id } = await campaignWith(client, { unknown: 4, status });
      const reply = await decide(client, campaign_id, { action: 'accept' });
      assert.equal(reply.body.campaign.status, status, reply.text);
      assert.deepEqual(await recipientsOf(campaign_id), ['sent - 1', 'sent accepted_by_hand 4']);
      assert.deepEqual(await countsOf(app, campaign_id), { sent: 5 });
      const logged = await client.get(`/mail/audit-logs?entity_id=${campaign_id}&action=update`);
      assert.equal(logged.body.items.length, 1);
      await app.database.withConnection('*', ({ query }) =>
        query('DELETE FROM mail_campaign_recipients WHERE campaign_id = $1', [campaign_id]),
      );
    }
  });

  test('200: with none that is unknown nothing changes', async () => {
    const client = await app.actor();
    const { campaign_id, recipient_id } = await campaignWith(client, { unknown: 0, status: 'sent' });
    for (const body of [{ action: 'resend' }, { action: 'resend', recipient_ids: [recipient_id] }]) {
      const reply = await decide(client, campaign_id, body);
      assert.deepEqual([reply.status, reply.body.campaign.status], [200, 'sent'], reply.text);
    }
    assert.deepEqual(await recipientsOf(campaign_id), ['sent - 1']);
  });

  test('200: a worker goes on beyond the first thousand, but not with those that became unknown later', async () => {
    const client = await app.actor();
    const { campaign_id } = await campaignWith(client, { unknown: 2_500, status: 'sent' });
    const reply = await decide(client, campaign_id, { action: 'resend' });
    assert.equal(reply.status, 200, reply.text);
    assert.deepEqual(await countsOf(app, campaign_id), { sent: 1, unknown: 1_500 });
    await app.database.withConnection('*', async ({ query }) => {
      await query(
        `UPDATE mail_campaign_recipients SET status = 'unknown', updated_at = updated_at + interval '1 hour'
          WHERE campaign_id = $1 AND number = ANY ($2)`,
        [campaign_id, [5, 2_400]],
      );
      // The first thousand have left meanwhile, and the campaign has ended again.
      await query("UPDATE mail_campaigns SET status = 'sent' WHERE id = $1", [campaign_id]);
    });
    await runCampaignJobs(app);
    assert.deepEqual(await recipientsOf(campaign_id), [
      'queued - 2498',
      'sent - 1',
      'unknown - 1',
      'unknown connection_lost 1',
    ]);
    assert.equal((await client.get(`/mail/campaigns/${campaign_id}`)).body.campaign.status, 'sending');
  });

  test('200: a recipient that bounces while somebody decides is settled once', async () => {
    const client = await app.actor();
    const mail = await bouncedUnread(client);
    const [decided] = await Promise.all([
      decide(client, mail.campaign_id, { action: 'accept' }),
      runCampaignJobs(app),
    ]);
    assert.equal(decided.status, 200, decided.text);
    const { contact } = (await client.get(`/mail/contacts/${mail.contact_id}`)).body;
    assert.notEqual(contact.last_sent_at, null);
    assert.deepEqual(await countsOf(app, mail.campaign_id), { sent: 1, unknown: -1, soft_bounces: 1 });
  });

  test('a bounce is counted while somebody has its campaign: neither waits for what the other holds', async () => {
    const client = await app.actor();
    const { campaign_id } = await bouncedUnread(client);
    const { organization_id } = client.actor;
    await app.database.withConnection(organization_id, (connection) =>
      transaction(connection, async () => {
        const reader = { connection, organization_id, actor: systemActor, now: new Date() };
        await campaignForUpdate({ ...reader, request_id: null, ip_address: null }, campaign_id);
        await runCampaignJobs(app);
      }),
    );
    assert.deepEqual(await countsOf(app, campaign_id), { sent: 1, unknown: -1, soft_bounces: 1 });
  });

  test('409, 422, 404: states without unknown recipients, recipients of others, no such campaign', async () => {
    const [client, stranger] = [await app.actor(), await app.actor()];
    const { campaign_id, recipient_id } = await campaignWith(client, { unknown: 1, status: 'cancelled' });
    const cancelled = await decide(client, campaign_id, { action: 'resend' });
    assert.deepEqual([cancelled.status, cancelled.body.code], [409, 'invalid_transition']);
    const draft = (await client.post('/mail/campaigns', { name: '春のお知らせ' })).body.campaign.id;
    assert.equal((await decide(client, draft, { action: 'accept' })).status, 409);
    const other = await campaignMail(app, client);
    const wrong = await decide(client, campaign_id, {
      action: 'accept',
      recipient_ids: [recipient_id, other.recipient_id],
    });
    assert.deepEqual([wrong.status, wrong.body.errors[0].path], [422, '/recipient_ids/1'], wrong.text);
    for (const body of [{}, { action: 'retry' }, { action: 'accept', recipient_ids: [] }]) {
      assert.equal((await decide(client, campaign_id, body)).status, 422);
    }
    assert.equal((await decide(stranger, campaign_id, { action: 'accept' })).status, 404);
    assert.deepEqual(await recipientsOf(campaign_id), ['sent - 1', 'unknown connection_lost 1']);
  });
});
