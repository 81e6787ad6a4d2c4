import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailTokens } from '../support/campaign-mails.ts';
import { mailedCampaign } from '../support/mailed-campaigns.ts';
import { plannedApp } from '../support/plans.ts';

/** What a link of a mail reads where the campaign has 100,000 recipients, each with a read of its mail. */
const MANY = 100_000;
const BIG = ['mail_campaign_recipients', 'mail_campaign_reads'];

/** Rows of all statements together: of one recipient, and what of its organization and its campaign belongs to it. */
const FEW = 100;

const { app, ...planned } = await plannedApp();

const token = await planned.fill(async () => {
  const client = await app.actor();
  const { organization_id } = client.actor;
  const { contact } = (await client.post('/mail/contacts', { email: 'taro@example.jp' })).body;
  const recipients = Array.from({ length: MANY }, (_, n) => ({
    email: `p${n}@example.jp`,
    status: 'sent',
    tracked: true,
    contact_id: n === MANY / 2 - 1 ? contact.id : null,
  }));
  const campaign_id = await mailedCampaign(app, client, recipients);
  await app.database.withConnection(organization_id, async ({ query }) => {
    await query(
      `INSERT INTO mail_campaign_reads (organization_id, campaign_id, recipient_number, kind, is_robot, at)
       SELECT $1, $2, n, 'open', false, now() - interval '1 day' FROM generate_series(1, ${MANY}) AS n`,
      [organization_id, campaign_id],
    );
    await query(
      `INSERT INTO mail_campaign_links (organization_id, campaign_id, index, url)
       SELECT $1, $2, n, 'https://a.example/' || n FROM generate_series(1, 50) AS n`,
      [organization_id, campaign_id],
    );
  });
  return mailTokens(app, organization_id, campaign_id, MANY / 2);
});

const ONE_CLICK = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) };

for (const [name, path, more] of [
  ['a click', `/m/c/${token('click')}/7`, { redirect: 'manual' }],
  ['an open', `/m/o/${token('open')}.gif`, {}],
  ['the mail as a page', `/m/v/${token('view')}`, {}],
  ['the page to unsubscribe', `/m/u/${token('unsubscribe')}`, {}],
  ['one click to unsubscribe', `/m/u/${token('unsubscribe')}`, ONE_CLICK],
] as [string, string, RequestInit][]) {
  test(`${name} reads the rows of one recipient`, async () => {
    const { indexes, whole, rows } = await planned.plansOf(async () => {
      const reply = await fetch(`${app.base_url}${path}`, more);
      assert.ok(reply.status === 200 || reply.status === 302, String(reply.status));
    });
    assert.deepEqual(
      BIG.filter((table) => whole.has(table)),
      [],
    );
    assert.ok(indexes.has('mail_campaign_recipients_pkey'), [...indexes].join());
    assert.ok(rows <= FEW, `${rows} rows`);
  });
}
