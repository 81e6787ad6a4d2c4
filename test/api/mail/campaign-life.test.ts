import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { dueCampaigns } from '../../../shared/mail/campaigns/due.ts';
import { startApp } from '../../support/app.ts';
import { runCampaignJobs } from '../../support/campaign-mails.ts';
import { addContact, newDraft, newSender } from '../../support/sendable-campaigns.ts';

const NOW = '2026-11-21T00:00:00.000Z';
let now = new Date(NOW);
beforeEach(() => {
  now = new Date(NOW);
});
const app = await startApp({ now: () => now });

const after = (milliseconds: number) => new Date(Date.parse(NOW) + milliseconds).toISOString();
const HOUR = 3_600_000;

const due = () => dueCampaigns.run(app.database, now, new AbortController().signal);

describe('POST /mail/campaigns/{id}/schedule and /unschedule', () => {
  test('200: schedules, moves and takes back; its list and segment stay meanwhile', async () => {
    const { client, list_id } = await newSender(app);
    const path = await newDraft(client, { list_ids: [list_id] });
    const scheduled = await client.post(`${path}/schedule`, { scheduled_at: after(HOUR) });
    assert.equal(scheduled.status, 200, scheduled.text);
    const { campaign } = scheduled.body;
    assert.deepEqual([campaign.status, campaign.scheduled_at], ['scheduled', after(HOUR)]);
    assert.deepEqual(campaign.available_actions, [
      'update',
      'schedule',
      'unschedule',
      'send',
      'cancel',
      'duplicate',
    ]);
    assert.equal((await client.delete(`/mail/lists/${list_id}`)).body.code, 'in_use');
    assert.equal((await client.delete(path)).body.code, 'invalid_transition');
    const moved = await client.post(`${path}/schedule`, { scheduled_at: after(2 * HOUR) });
    assert.equal(moved.body.campaign.scheduled_at, after(2 * HOUR));
    const back = await client.post(`${path}/unschedule`);
    assert.deepEqual(
      [back.body.campaign.status, back.body.campaign.scheduled_at],
      ['draft', null],
      back.text,
    );
    assert.equal((await client.post(`${path}/unschedule`)).status, 409);
    assert.equal((await client.delete(`/mail/lists/${list_id}`)).status, 200);
  });

  test('422: a time that is past, too soon or too far; checks that fail, one entry each', async () => {
    const { client, list_id } = await newSender(app);
    const path = await newDraft(client, { list_ids: [list_id] });
    for (const scheduled_at of [after(-1), after(59_999), after(367 * 24 * HOUR)]) {
      const reply = await client.post(`${path}/schedule`, { scheduled_at });
      assert.deepEqual([reply.status, reply.body.errors[0].path], [422, '/scheduled_at'], reply.text);
    }
    await client.patch('/mail/settings', { sender_name: null, sender_contact: null });
    const failed = await client.post(`${path}/schedule`, { scheduled_at: after(60_000) });
    assert.deepEqual([failed.status, failed.body.code], [422, 'checks_failed'], failed.text);
    assert.deepEqual(
      failed.body.errors.map(({ path: at }: { path: string }) => at),
      ['/sender_name', '/sender_contact'],
    );
    assert.equal((await client.get(path)).body.campaign.status, 'draft');
  });

  test('422, 200: a change of a scheduled one must pass the checks', async () => {
    const { client, list_id } = await newSender(app);
    const path = await newDraft(client, { list_ids: [list_id] });
    await client.post(`${path}/schedule`, { scheduled_at: after(HOUR) });
    const refused = await client.patch(path, { subject: null });
    assert.deepEqual([refused.status, refused.body.errors[0].code], [422, 'empty_subject'], refused.text);
    assert.equal((await client.patch(path, { subject: '夏' })).body.campaign.status, 'scheduled');
  });
});

describe('POST /mail/campaigns/{id}/resume', () => {
  test('200: settles the recipients where nothing does that any more', async () => {
    const { client, list_id } = await newSender(app);
    const path = await newDraft(client, { list_ids: [list_id] });
    const { body } = await client.post(`${path}/send`);
    const { organization_id } = client.actor;
    await app.database.withConnection('*', ({ query }) =>
      query("DELETE FROM outbox WHERE organization_id = $1 AND payload ->> 'campaign_id' = $2", [
        organization_id,
        body.campaign.id,
      ]),
    );
    assert.equal((await client.post(`${path}/pause`)).status, 200);
    const resumed = await client.post(`${path}/resume`);
    assert.deepEqual([resumed.status, resumed.body.campaign?.status], [200, 'sending'], resumed.text);
    await runCampaignJobs(app);
    assert.deepEqual(await statusesOf(path), { queued: 1, slots: 16 });
  });
});

describe('a scheduled campaign whose time has come', () => {
  test('begins, once; before its time nothing happens', async () => {
    const { client, list_id } = await newSender(app, ['a@example.jp', 'b@example.jp']);
    const path = await newDraft(client, { list_ids: [list_id] });
    await client.post(`${path}/schedule`, { scheduled_at: after(HOUR) });
    await due();
    await runCampaignJobs(app);
    assert.equal((await client.get(path)).body.campaign.status, 'scheduled');
    now = new Date(after(HOUR));
    assert.ok((await due()) > 0);
    assert.equal(await due(), 0);
    await runCampaignJobs(app);
    const { campaign } = (await client.get(path)).body;
    assert.deepEqual(
      [campaign.status, campaign.started_at, campaign.scheduled_at],
      ['sending', after(HOUR), after(HOUR)],
    );
    assert.deepEqual(await statusesOf(path), { queued: 2, slots: 16 });
  });

  test('is a draft again where the checks fail by then, and says so until it begins', async () => {
    const { client, list_id } = await newSender(app);
    const path = await newDraft(client, { list_ids: [list_id] });
    await client.post(`${path}/schedule`, { scheduled_at: after(HOUR) });
    await client.patch('/mail/settings', { sender_address: null });
    now = new Date(after(HOUR));
    await due();
    await runCampaignJobs(app);
    const { campaign } = (await client.get(path)).body;
    assert.deepEqual(
      [campaign.status, campaign.pause_reason, campaign.scheduled_at, campaign.started_at],
      ['draft', 'checks_failed', null, null],
    );
    await client.patch('/mail/settings', { sender_address: '東京都' });
    const sent = await client.post(`${path}/send`);
    assert.deepEqual([sent.status, sent.body.campaign.pause_reason], [202, null], sent.text);
  });

  test('stays where somebody takes it back between the look and its start', async () => {
    const { client, list_id } = await newSender(app);
    const path = await newDraft(client, { list_ids: [list_id] });
    await client.post(`${path}/schedule`, { scheduled_at: after(HOUR) });
    now = new Date(after(HOUR));
    await due();
    await client.post(`${path}/unschedule`);
    await runCampaignJobs(app);
    assert.equal((await client.get(path)).body.campaign.status, 'draft');
  });
});

describe('POST /mail/campaigns/{id}/send', () => {
  test('202: settles sender and recipients, with the reason of who gets nothing', async () => {
    const { client, list_id } = await newSender(app, ['a@example.jp']);
    const tracked = { basis: 'consent', source: '窓口', at: '2026-01-01T00:00:00Z', tracking: true };
    await addContact(client, { email: 'b@example.jp', list_id, consent: tracked });
    await addContact(client, { email: 'c@example.jp', list_id, consent: null });
    const body_html =
      '<p><a href="https://example.co.jp/a">あ</a><a href="https://example.co.jp/b?x=1&amp;y=2">い</a></p>';
    const path = await newDraft(client, { list_ids: [list_id], body_html });
    const sent = await client.post(`${path}/send`);
    assert.equal(sent.status, 202, sent.text);
    const { campaign, job } = sent.body;
    assert.deepEqual(
      [campaign.status, campaign.started_at, campaign.from_name, campaign.from_email, campaign.mail_order],
      ['sending', NOW, '山田商店', 'news@example.co.jp', false],
    );
    assert.deepEqual([job.kind, job.progress.unit], ['mail.campaigns.send', 'messages']);
    now = new Date(after(1));
    await addContact(client, { email: 'late@example.jp', list_id });
    await client.patch('/mail/settings', { sender_name: '別の名前' });
    await runCampaignJobs(app);
    await runCampaignJobs(app);
    const rows = await recipientsOf(path);
    assert.deepEqual(
      rows.map(({ number, email, status, reason, tracked: isTracked }) => [
        number,
        email,
        status,
        reason,
        isTracked,
      ]),
      [
        [1, 'a@example.jp', 'queued', null, false],
        [2, 'b@example.jp', 'queued', null, true],
        [3, 'c@example.jp', 'skipped', 'no_consent', false],
      ],
    );
    assert.deepEqual(await statusesOf(path), { queued: 2, skipped: 1, tracked: 1, slots: 16 });
    const [kept] = await query<{ sender: { sender_name: string }; is_frozen: boolean; links: string[] }>(
      `SELECT sender, frozen_at IS NOT NULL AS is_frozen,
              ARRAY(SELECT url FROM mail_campaign_links AS link WHERE link.campaign_id = campaign.id ORDER BY index) AS links
         FROM mail_campaigns AS campaign WHERE id = $1`,
      path,
    );
    assert.deepEqual(
      [kept!.sender.sender_name, kept!.is_frozen, kept!.links],
      ['株式会社山田商店', true, ['https://example.co.jp/a', 'https://example.co.jp/b?x=1&y=2']],
    );
    const running = (await client.get(`/jobs/${job.id}`)).body.job;
    assert.deepEqual(
      [running.status, running.progress],
      ['running', { done: 0, total: 2, unit: 'messages' }],
    );
    assert.equal((await client.delete(`/mail/lists/${list_id}`)).status, 200);
  });

  test('202, 409: of 50 at the same moment one sends', async () => {
    const { client, list_id } = await newSender(app);
    const path = await newDraft(client, { list_ids: [list_id] });
    const replies = await Promise.all(Array.from({ length: 50 }, () => client.post(`${path}/send`)));
    const statuses = replies.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 202).length, 1);
    assert.equal(statuses.filter((status) => status === 409).length, 49);
    await runCampaignJobs(app);
    assert.deepEqual(await statusesOf(path), { queued: 1, slots: 16 });
  });

  test('409: more than 1,000 recipients without a mail server, 422: checks that fail', async () => {
    const { client, list_id } = await newSender(app, []);
    const path = await newDraft(client, { list_ids: [list_id] });
    const failed = await client.post(`${path}/send`);
    assert.deepEqual([failed.status, failed.body.errors[0].code], [422, 'no_recipients'], failed.text);
    await query(
      `WITH made AS (
         INSERT INTO mail_contacts (organization_id, id, email, email_key, status, attributes, consent, search_text,
           created_at, updated_at)
         SELECT list.organization_id, 'mcont_' || lpad(n::text, 26, '0'), n || '@example.jp', n || '@example.jp', 'active',
                '{}', '{"basis": "consent"}', '', '2026-01-01', '2026-01-01'
           FROM mail_campaigns AS campaign JOIN mail_lists AS list ON list.id = ANY (campaign.list_ids),
                generate_series(1, 1001) AS n WHERE campaign.id = $1
         RETURNING organization_id, id)
       INSERT INTO mail_list_members (organization_id, list_id, contact_id, added_at)
       SELECT made.organization_id, campaign.list_ids[1], made.id, '2026-01-01'
         FROM made, mail_campaigns AS campaign WHERE campaign.id = $1`,
      path,
    );
    const refused = await client.post(`${path}/send`);
    assert.deepEqual([refused.status, refused.body.code], [409, 'mail_server_required'], refused.text);
    assert.match(refused.body.detail, /1001/);
  });

  test('the audit log has each transition with who did it, the service too', async () => {
    const { client, list_id } = await newSender(app);
    const path = await newDraft(client, { list_ids: [list_id] });
    await client.post(`${path}/schedule`, { scheduled_at: after(HOUR) });
    now = new Date(after(HOUR));
    await due();
    await runCampaignJobs(app);
    const { items } = (await client.get('/mail/audit-logs?entity_type=campaign&limit=2')).body;
    assert.deepEqual(
      items.map(({ actor, changes }: { actor: { type: string }; changes: Record<string, unknown> }) => [
        actor.type,
        changes['status'],
      ]),
      [
        ['system', ['scheduled', 'sending']],
        ['api_key', ['draft', 'scheduled']],
      ],
    );
  });
});

type Recipient = { number: number; email: string; status: string; reason: string | null; tracked: boolean };

const recipientsOf = (path: string) =>
  query<Recipient>(
    `SELECT number, email, status, reason, tracked FROM mail_campaign_recipients WHERE campaign_id = $1 ORDER BY number`,
    path,
  );

/** The counts of a campaign, but for what is 0. */
async function statusesOf(path: string): Promise<Record<string, number>> {
  const [row] = await query<Record<string, number>>(
    `SELECT sum(queued)::integer AS queued, sum(skipped)::integer AS skipped, sum(tracked)::integer AS tracked,
            count(*)::integer AS slots FROM mail_campaign_counts WHERE campaign_id = $1`,
    path,
  );
  return Object.fromEntries(Object.entries(row!).filter(([, count]) => count));
}

function query<Row extends object>(text: string, path: string): Promise<Row[]> {
  return app.database.withConnection('*', (connection) =>
    connection.query<Row>(text, [path.split('/').at(-1)]),
  );
}
