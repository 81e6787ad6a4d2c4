import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { ended, exported, rowsOf, startExportWorkers } from '../../support/exports.ts';
import { type Mailed, mailedCampaign } from '../../support/mailed-campaigns.ts';
import { newDraft, newSender } from '../../support/sendable-campaigns.ts';

const app = await startApp();
await startExportWorkers(app);

const AT = '2026-11-20T01:00:00.000Z';
const sent = (email: string, more: Partial<Mailed> = {}): Mailed => ({
  email,
  status: 'sent',
  sent_at: AT,
  ...more,
});

const mailed: readonly Mailed[] = [
  sent('anna@example.jp', { tracked: true, opened_at: AT, clicked_at: AT }),
  sent('anne@example.jp', { tracked: true, opened_at: AT }),
  sent('bob@example.jp', { tracked: true }),
  sent('b_b@example.jp', { bounce_class: 'hard', bounce_at: AT }),
  {
    email: 'carol@example.jp',
    status: 'failed',
    reason: 'refused',
    smtp_response: '=550 5.1.1 No such user',
  },
  { email: 'dora@example.jp', status: 'skipped', reason: 'unsubscribed' },
  { email: 'eve@example.jp', status: 'skipped', reason: 'no_consent' },
  { email: 'fay@example.jp', status: 'unknown' },
];

describe('GET /mail/campaigns', () => {
  test('200: stats of one campaign and of each of a list, all of one moment', async () => {
    const client = await app.actor();
    const draft = (await client.post('/mail/campaigns', { name: 'A' })).body.campaign;
    assert.deepEqual([draft.stats.recipients, draft.stats.open_rate, draft.stats.links], [0, null, []]);
    const id = await mailedCampaign(app, client, mailed);
    await app.database.withConnection(client.actor.organization_id, async ({ query }) => {
      const of = [client.actor.organization_id, id];
      await query(
        `INSERT INTO mail_campaign_links VALUES ($1, $2, 0, 'https://a.example/'), ($1, $2, 1, 'https://b.example/')`,
        of,
      );
      await query(
        `INSERT INTO mail_campaign_link_counts VALUES ($1, $2, 1, 3, 5, 2), ($1, $2, 1, 4, -1, -1)`,
        of,
      );
      await query(
        `INSERT INTO mail_campaign_skips VALUES ($1, $2, 'erased', 1, 1), ($1, $2, 'erased', 2, -1)`,
        of,
      );
    });
    const { stats } = (await client.get(`/mail/campaigns/${id}`)).body.campaign;
    assert.deepEqual(stats, {
      recipients: 8,
      queued: 0,
      sending: 0,
      sent: 4,
      failed: 1,
      skipped: 2,
      unknown: 1,
      skipped_by: { no_consent: 1, unsubscribed: 1 },
      hard_bounces: 1,
      soft_bounces: 0,
      complaints: 0,
      unsubscribes: 0,
      tracked: 3,
      opens: 0,
      unique_opens: 2,
      clicks: 0,
      unique_clicks: 1,
      bot_opens: 0,
      bot_clicks: 0,
      links: [
        { index: 0, url: 'https://a.example/', clicks: 0, unique_clicks: 0 },
        { index: 1, url: 'https://b.example/', clicks: 4, unique_clicks: 1 },
      ],
      open_rate: '66.67',
      click_rate: '33.33',
      bounce_rate: '20.00',
      complaint_rate: '0.00',
      unsubscribe_rate: '0.00',
    });
    const { items } = (await client.get('/mail/campaigns')).body;
    assert.deepEqual(
      items.map((item: { id: string; stats: object }) => [item.id, item.stats]),
      [
        [id, stats],
        [draft.id, draft.stats],
      ],
    );
  });

  test('200: tells the clicks of many links of one campaign, of few in a list', async () => {
    const client = await app.actor();
    const id = await mailedCampaign(app, client, mailed);
    await app.database.withConnection(client.actor.organization_id, ({ query }) =>
      query(
        `INSERT INTO mail_campaign_links (organization_id, campaign_id, index, url)
         SELECT $1, $2, n, 'https://a.example/' || n FROM generate_series(1, 1100) AS n`,
        [client.actor.organization_id, id],
      ),
    );
    const told = async (path: string) => (await client.get(path)).text.match(/"index"/g)!.length;
    assert.deepEqual([await told(`/mail/campaigns/${id}`), await told('/mail/campaigns')], [1_000, 10]);
  });

  test('200: says when a campaign that is being sent will have ended', async () => {
    const client = await app.actor();
    const queued = Array.from(
      { length: 100 },
      (_, n): Mailed => ({ email: `p${n}@example.jp`, status: 'queued' }),
    );
    const id = await mailedCampaign(app, client, queued, { status: 'sending' });
    const path = `/mail/campaigns/${id}`;
    const finish = async () => (await client.get(path)).body.campaign.expected_finish_at;
    assert.equal(await finish(), null);
    assert.equal((await client.patch('/mail/settings', { throttle: { per_hour: 3_600 } })).status, 200);
    const before = Date.now();
    const slow = Date.parse(await finish());
    assert.ok(before + 100_000 <= slow && slow <= Date.now() + 101_000, String(slow - before));
    const changed = await client.patch(path, { throttle: { per_hour: 360 } });
    const slower = Date.parse(changed.body.campaign.expected_finish_at);
    assert.ok(before + 1_000_000 <= slower && slower <= Date.now() + 1_001_000, String(slower - before));
    const { items } = (await client.get('/mail/campaigns')).body;
    assert.ok(Date.parse(items[0].expected_finish_at) >= slower);
  });
});

describe('expected_finish_at of a scheduled campaign', () => {
  test('200: is its time and as long as the audience takes that the checks found; of a draft it is not known', async () => {
    const { client, list_id } = await newSender(app, ['a@example.jp', 'b@example.jp', 'c@example.jp']);
    const draft = await newDraft(client, { list_ids: [list_id], throttle: { per_hour: 360 } });
    const scheduled_at = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 3_600_000).toISOString();
    const finish = (seconds: number) => new Date(Date.parse(scheduled_at) + seconds * 1_000).toISOString();
    const scheduled = await client.post(`${draft}/schedule`, { scheduled_at });
    assert.equal(scheduled.status, 200, scheduled.text);
    assert.equal(scheduled.body.campaign.expected_finish_at, finish(30));
    assert.equal((await client.get(draft)).body.campaign.expected_finish_at, finish(30));
    const changed = await client.patch(draft, { throttle: { per_hour: 720 } });
    assert.equal(changed.body.campaign.expected_finish_at, finish(15));
    const { campaign } = (await client.post(`${draft}/unschedule`)).body;
    assert.equal(campaign.expected_finish_at, null);
  });
});

describe('GET /mail/campaigns/{id}/timeline', () => {
  test('200: sums by hours, and by days in Japan', async () => {
    const client = await app.actor();
    const id = await mailedCampaign(app, client, mailed);
    await app.database.withConnection(client.actor.organization_id, ({ query }) =>
      query(
        `INSERT INTO mail_campaign_hours (organization_id, campaign_id, hour, slot, sent, opens, clicks, bounces, unsubscribes)
         VALUES ($1, $2, '2026-11-20T14:00:00Z', 0, 3, 0, 0, 0, 0), ($1, $2, '2026-11-20T14:00:00Z', 1, 2, 1, 0, 0, 0),
           ($1, $2, '2026-11-20T15:00:00Z', 0, 0, 4, 2, 1, 0), ($1, $2, '2026-11-21T14:00:00Z', 0, 0, 0, 0, 0, 1)`,
        [client.actor.organization_id, id],
      ),
    );
    const moment = (at: string, [sent, opens, clicks, bounces, unsubscribes]: readonly number[]) => {
      return { at, sent, opens, clicks, bounces, unsubscribes };
    };
    const path = `/mail/campaigns/${id}/timeline`;
    assert.deepEqual((await client.get(path)).body.items, [
      moment('2026-11-20T14:00:00.000Z', [5, 1, 0, 0, 0]),
      moment('2026-11-20T15:00:00.000Z', [0, 4, 2, 1, 0]),
      moment('2026-11-21T14:00:00.000Z', [0, 0, 0, 0, 1]),
    ]);
    // 15:00 in UTC is midnight in Japan.
    assert.deepEqual((await client.get(`${path}?interval=day`)).body.items, [
      moment('2026-11-19T15:00:00.000Z', [5, 1, 0, 0, 0]),
      moment('2026-11-20T15:00:00.000Z', [0, 4, 2, 1, 1]),
    ]);
    assert.equal((await client.get(`${path}?interval=week`)).status, 422);
  });

  test('404: of a campaign of another organization, and so its recipients', async () => {
    const [client, other] = [await app.actor(), await app.actor()];
    const id = await mailedCampaign(app, other, mailed);
    assert.equal((await client.get(`/mail/campaigns/${id}/timeline`)).status, 404);
    assert.equal((await client.get(`/mail/campaigns/${id}/recipients`)).status, 404);
    assert.equal((await client.post(`/mail/campaigns/${id}/recipients/export`, {})).status, 404);
  });
});

describe('GET /mail/campaigns/{id}/recipients', () => {
  test('200: each filter finds its recipients, the last ones first, and counts them', async () => {
    const client = await app.actor();
    const id = await mailedCampaign(app, client, mailed);
    const found = async (query: string) => {
      const reply = await client.get(`/mail/campaigns/${id}/recipients?${query}`);
      assert.equal(reply.status, 200, reply.text);
      const names = reply.body.items.map(({ email }: { email: string }) => email.split('@')[0]);
      assert.equal(reply.body.total, names.length, query);
      return names.join(' ');
    };
    const all = 'fay eve dora carol b_b bob anne anna';
    assert.equal(await found(''), all);
    for (const [query, names] of Object.entries({
      'sort=created_at': 'anna anne bob b_b carol dora eve fay',
      'status=sent': 'b_b bob anne anna',
      'status=failed,unknown': 'fay carol',
      'reason=no_consent': 'eve',
      'bounced=true': 'b_b',
      'status=sent&bounced=false': 'bob anne anna',
      'opened=true': 'anne anna',
      'opened=true&clicked=false': 'anne',
      'clicked=true': 'anna',
      'search=ann': 'anne anna',
      'search=ANNA@example.jp': 'anna',
      'search=b_': 'b_b',
      'search=nna': '',
      'search=%25': '',
    })) {
      assert.equal(await found(query), names, query);
    }
  });

  test('200: pages have each recipient once', async () => {
    const client = await app.actor();
    const id = await mailedCampaign(app, client, mailed);
    const path = `/mail/campaigns/${id}/recipients`;
    const names: string[] = [];
    for (let next = `${path}?cursor_mode=true&limit=3`; ; ) {
      const { data, has_more } = (await client.get(next)).body;
      names.push(...data.map(({ email }: { email: string }) => email));
      if (!has_more) break;
      next = `${path}?limit=3&starting_after=${data.at(-1).id}`;
    }
    assert.deepEqual(names, mailed.map(({ email }) => email).toReversed());
  });

  test('200: a recipient with its bounce', async () => {
    const client = await app.actor();
    const id = await mailedCampaign(app, client, mailed);
    const [recipient] = (await client.get(`/mail/campaigns/${id}/recipients?bounced=true`)).body.items;
    assert.deepEqual(recipient, {
      id: recipient.id,
      object: 'mail.recipient',
      campaign_id: id,
      contact_id: null,
      email: 'b_b@example.jp',
      status: 'sent',
      reason: null,
      attempts: 1,
      smtp_response: null,
      message_id: `<${recipient.id}@example.co.jp>`,
      next_attempt_at: null,
      sent_at: AT,
      bounce: { class: 'hard', status: null, diagnostic: null, at: AT },
      complained_at: null,
      unsubscribed_at: null,
      tracked: false,
      opened_at: null,
      clicked_at: null,
    });
  });
});

describe('POST /mail/campaigns/{id}/recipients/export', () => {
  test('202: writes the recipients that the filters leave, formulas guarded', async () => {
    const client = await app.actor();
    const id = await mailedCampaign(app, client, mailed);
    const path = `/mail/campaigns/${id}/recipients`;
    const { job, bytes } = await exported(app, client, path, {});
    assert.equal(job.kind, 'mail.recipients.export');
    const rows = rowsOf(bytes);
    assert.deepEqual(
      rows.map(({ email }) => email),
      mailed.map(({ email }) => email).toReversed(),
    );
    assert.equal(
      rows.find(({ status }) => status === 'failed')!['smtp_response'],
      "'=550 5.1.1 No such user",
    );
    const some = await exported(app, client, path, {
      status: 'sent',
      bounced: false,
      columns: ['email', 'opened_at', 'tracked'],
      lang: 'ja',
    });
    assert.deepEqual(rowsOf(some.bytes), [
      { メールアドレス: 'bob@example.jp', 開封日時: '', 計測: 'はい' },
      { メールアドレス: 'anne@example.jp', 開封日時: AT, 計測: 'はい' },
      { メールアドレス: 'anna@example.jp', 開封日時: AT, 計測: 'はい' },
    ]);
  });

  test('an erased contact is in no file any more', async () => {
    const client = await app.actor();
    const contact_id = (await client.post('/mail/contacts', { email: 'anna@example.jp' })).body.contact.id;
    const id = await mailedCampaign(app, client, [sent('anna@example.jp', { contact_id })]);
    const { job } = await exported(app, client, `/mail/campaigns/${id}/recipients`, {});
    assert.equal((await client.delete(`/mail/contacts/${contact_id}`)).status, 200);
    assert.equal((await client.get(`/jobs/${job.id}/file`)).status, 404);
    assert.equal((await ended(client, job.id)).status, 'succeeded');
  });
});
