import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { mailedCampaign } from '../../support/mailed-campaigns.ts';
import { fetchAsOperator, WITH_OPERATORS } from '../../support/operators.ts';

const app = await startApp({ environment: WITH_OPERATORS });

before(async () => {
  for (const recipients of [
    [{ email: 'secret@example.jp', status: 'unknown' }],
    [{ email: 'other@example.jp', status: 'unknown' }],
  ]) {
    const client = await app.actor();
    const sending = await mailedCampaign(app, client, recipients, { name: 'secret', status: 'sending' });
    const paused = await mailedCampaign(app, client, [], { name: 'secret', status: 'paused' });
    await app.database.withConnection('*', async ({ query }) => {
      await query("UPDATE mail_campaigns SET started_at = now() - interval '2 hours' WHERE id = $1", [
        sending,
      ]);
      await query(
        "UPDATE mail_campaigns SET pause_reason = 'bounce_rate', updated_at = now() - interval '3 hours' WHERE id = $1",
        [paused],
      );
      await query(
        "UPDATE mail_campaign_recipients SET updated_at = now() - interval '4 hours' WHERE campaign_id = $1",
        [sending],
      );
      await query(
        `INSERT INTO mail_campaign_hours (organization_id, campaign_id, hour, slot, sent)
         VALUES ($1, $2, date_trunc('hour', now()), 0, 20), ($1, $2, date_trunc('hour', now()) - interval '1 hour', 0, 7)`,
        [client.actor.organization_id, sending],
      );
    });
  }
});

describe('the campaigns of all organizations', () => {
  test('are a panel of what goes on, what stands still and why, with ages, without names and addresses', async () => {
    const text = await (await fetchAsOperator(`${app.base_url}/ops`)).text();
    const from = text.indexOf('Campaigns of all organizations');
    const panel = text.slice(from, text.indexOf('Received documents of all organizations'));
    for (const [title, value, age] of [
      ['Campaigns under way', 2, '2 h ago'],
      ['Campaigns paused by hand', 0, '–'],
      ['Campaigns that paused: too many mails bounced', 2, '3 h ago'],
      ['Campaigns that paused: the mail server cannot be used', 0, '–'],
      ['Mails whose outcome is unknown', 2, '4 h ago'],
    ] as const) {
      assert.match(
        panel,
        new RegExp(`${title}(?:(?!</tr>)[\\s\\S])*?>${value}<(?:(?!</tr>)[\\s\\S])*?${age}`),
      );
    }
    assert.doesNotMatch(panel, /secret|example\.jp/);
  });

  test('are numbers at /metrics, without addresses', async () => {
    const told = await (await fetch(`${app.base_url}/metrics`)).text();
    assert.match(told, /^mail_campaigns_sending 2$/m);
    assert.match(told, /^mail_campaigns_paused_bounce_rate 2$/m);
    assert.match(told, /^mail_recipients_unknown 2$/m);
    assert.match(told, /^mail_recipients_unknown_oldest_seconds 1(4[4-9]|[5-7]\d)\d\d\b/m);
    assert.doesNotMatch(told, /example\.jp/);
  });
});
