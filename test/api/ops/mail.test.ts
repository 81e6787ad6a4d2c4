import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { mailedCampaign } from '../../support/mailed-campaigns.ts';
import { fetchAsOperator, WITH_OPERATORS } from '../../support/operators.ts';
import { until } from '../../support/until.ts';

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

describe('campaigns that stand still by a trouble of the service', () => {
  const attentionIn = async (accept: string) => {
    const response = await fetchAsOperator(`${app.base_url}/ops`, { headers: { 'accept-language': accept } });
    const text = await response.text();
    const alerts = text.slice(text.indexOf('<ul class="alerts"'));
    return alerts.slice(0, alerts.indexOf('</ul>'));
  };

  const set = (campaign_id: string, columns: string) =>
    app.database.withConnection('*', ({ query }) =>
      query(`UPDATE mail_campaigns SET ${columns} WHERE id = $1`, [campaign_id]),
    );

  /** What stands so for a while, in an organization of its own. */
  async function standing(status: string, columns: string): Promise<string> {
    const client = await app.actor();
    const campaign_id = await mailedCampaign(app, client, [], { name: 'secret', status });
    await set(campaign_id, columns);
    return campaign_id;
  }

  test('want nobody while somebody paused them, or their own people are asked', async () => {
    await standing('paused', "updated_at = now() - interval '2 days'");
    const waiting = await standing('sending', 'started_at = now(), unreachable_since = now()');
    assert.match(await attentionIn('en'), /All is well|No worker is alive/);
    assert.doesNotMatch(await attentionIn('en'), /campaign/i);
    // A minute later it would be one of those that are counted below.
    await set(waiting, 'unreachable_since = NULL');
  });

  const troubles = [
    [
      'paused',
      "pause_reason = 'smtp_unavailable', updated_at = now() - interval '5 hours'",
      'A mail campaign stands still: the mail server cannot be used',
      'メールキャンペーン1件が停止しています：メールサーバーが使えません',
      'mail_campaigns_paused_smtp_unavailable 1',
    ],
    [
      'paused',
      "pause_reason = 'sender_refused'",
      'A mail campaign stands still: the mail server refuses the sender',
      'メールキャンペーン1件が停止しています：メールサーバーが送信者を拒否しています',
      'mail_campaigns_paused_sender_refused 1',
    ],
    [
      'paused',
      "pause_reason = 'sending_failed'",
      'A mail campaign stands still: the service could not go on with them',
      'メールキャンペーン1件が停止しています：サービスの不具合で配信を続けられません',
      'mail_campaigns_paused_sending_failed 1',
    ],
    [
      'draft',
      "pause_reason = 'start_failed'",
      'A mail campaign could not begin at its time',
      'メールキャンペーン1件を予定の時刻に開始できませんでした',
      'mail_campaigns_start_failed 1',
    ],
    [
      'sending',
      "started_at = now(), unreachable_since = now() - interval '3 minutes'",
      'A mail campaign waits for the mail server',
      'メールキャンペーン1件がメールサーバーを待っています',
      'mail_campaigns_unreachable 1',
    ],
  ] as const;
  for (const [status, columns, english, japanese, metric] of troubles) {
    test(`are named in both languages, with what to do: ${english}`, async () => {
      await standing(status, columns);
      const told = await attentionIn('en');
      assert.match(told, new RegExp(`<a href="/ops#campaigns-that-stand-still">${english}</a>`));
      assert.doesNotMatch(told, /All is well|secret|example\.jp/);
      const inJapanese = await attentionIn('ja');
      assert.doesNotMatch(told + inJapanese, /docs\/operations/);
      assert.match(inJapanese, new RegExp(`<a href="/ops#campaigns-that-stand-still">${japanese}</a>`));
      // What was read serves for a second.
      await until(metric, async () => {
        const numbers = await (await fetch(`${app.base_url}/metrics`)).text();
        return new RegExp(`^${metric}$`, 'm').test(numbers);
      });
    });
  }

  test('are named with why, since when and what to do, the oldest first, in both languages', async () => {
    for (let more = 0; more < 6; more += 1)
      await standing(
        'paused',
        `pause_reason = 'smtp_unavailable', updated_at = now() - interval '${more} minutes'`,
      );
    await standing('paused', "pause_reason = 'complaint_rate', updated_at = now() - interval '9 days'");
    const rows = await app.database.withConnection('*', ({ query }) =>
      query<{ id: string; organization_id: string }>(
        `SELECT id, organization_id FROM mail_campaigns
          WHERE pause_reason IN ('smtp_unavailable', 'sender_refused', 'sending_failed', 'start_failed')
             OR unreachable_since < now() - interval '1 minute'
          ORDER BY CASE WHEN status = 'sending' THEN unreachable_since ELSE updated_at END`,
      ),
    );
    assert.equal(rows.length, troubles.length + 6);
    const panelOf = async (path: string, accept: string) => {
      const response = await fetchAsOperator(app.base_url + path, { headers: { 'accept-language': accept } });
      const text = await response.text();
      const from = text.indexOf('<h2 id="campaigns-that-stand-still">');
      return { text, panel: from === -1 ? '' : text.slice(from, text.indexOf('</section>', from)) };
    };
    for (const [path, most] of [
      ['/ops', 5],
      ['/ops/mails', 20],
    ] as const) {
      const { text, panel } = await panelOf(path, 'en');
      assert.deepEqual(
        [...panel.matchAll(/camp_[0-9a-z]+/g)].map(([id]) => id),
        rows.slice(0, most).map(({ id }) => id),
      );
      assert.ok(panel.includes(rows[0]!.organization_id));
      assert.match(
        panel,
        /the mail server cannot be used<(?:(?!<\/tr>)[\s\S])*?5 h ago(?:(?!<\/tr>)[\s\S])*?npm run doctor/,
      );
      assert.doesNotMatch(text, /secret|example\.jp/);
      assert.match(
        (await panelOf(path, 'ja')).panel,
        /停止しているキャンペーン[\s\S]*npm run doctor を実行すると/,
      );
    }
    const { text } = await panelOf('/ops/mails', 'en');
    assert.doesNotMatch(text, /Every mail has left/);
    assert.match(text, /<h2 id="campaigns">[\s\S]*Campaigns under way[\s\S]*Campaigns paused by hand/);
  });
});
