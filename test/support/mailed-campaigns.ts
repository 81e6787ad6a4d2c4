import assert from 'node:assert/strict';
import type { Database } from '../../shared/db/database.ts';
import { newId } from '../../shared/kernel/id.ts';
import { emailKey, suppressionHash } from '../../shared/mail/email-key.ts';
import type { TestActor } from './actors.ts';
import type { TestApp } from './app.ts';
import type { Client } from './client.ts';

/** What a recipient's row has beside what follows from its number. */
export type Mailed = {
  email: string;
  status: string;
  contact_id?: string | null;
  reason?: string;
  sent_at?: string;
  tracked?: boolean;
  opened_at?: string;
  clicked_at?: string;
  bounce_class?: 'hard' | 'soft';
  bounce_at?: string;
  smtp_response?: string;
};

/** A campaign that has begun with these recipients, as rows past the operations; the counters are those of the rows. */
export async function mailedCampaign(
  app: TestApp,
  client: Client & { actor: TestActor },
  recipients: readonly Mailed[],
  { name = '春のお知らせ', status = 'sent' }: { name?: string; status?: string } = {},
): Promise<string> {
  const made = await client.post('/mail/campaigns', { name });
  assert.equal(made.status, 201, made.text);
  const campaign_id: string = made.body.campaign.id;
  const { organization_id } = client.actor;
  await seedRecipients(app.database, { organization_id, campaign_id }, recipients.length, (n) => ({
    ...recipients[n]!,
  }));
  await app.database.withConnection(organization_id, ({ query }) =>
    query(
      `UPDATE mail_campaigns SET status = $3, started_at = now(), frozen_at = now()
        WHERE organization_id = $1 AND id = $2`,
      [organization_id, campaign_id, status],
    ),
  );
  return campaign_id;
}

const CHUNK = 10_000;

/** Fills a campaign with recipients, and its counters with what they come to. */
export async function seedRecipients(
  database: Database,
  { organization_id, campaign_id }: { organization_id: string; campaign_id: string },
  count: number,
  row: (n: number) => Mailed,
): Promise<void> {
  const now = new Date();
  const at = now.toISOString();
  for (let from = 0; from < count; from += CHUNK) {
    const rows = Array.from({ length: Math.min(CHUNK, count - from) }, (_, n) => {
      const mailed = row(from + n);
      const id = newId('mrcp', now);
      return {
        organization_id,
        campaign_id,
        number: from + n + 1,
        id,
        email_key: emailKey(mailed.email),
        email_hash: `\\x${suppressionHash(organization_id, emailKey(mailed.email)).toString('hex')}`,
        attempts: mailed.status === 'sent' ? 1 : 0,
        message_id: mailed.status === 'sent' ? `<${id}@example.co.jp>` : null,
        lease_until: mailed.status === 'sending' ? at : null,
        tracked: false,
        created_at: at,
        updated_at: at,
        ...mailed,
      };
    });
    await database.withConnection(organization_id, ({ query }) =>
      query(
        `INSERT INTO mail_campaign_recipients
         SELECT * FROM json_populate_recordset(null::mail_campaign_recipients, $1::json)`,
        [JSON.stringify(rows)],
      ),
    );
  }
  await database.withConnection(organization_id, async ({ query }) => {
    const counted = (condition: string) => `count(*) FILTER (WHERE ${condition})`;
    const states = ['queued', 'sending', 'sent', 'failed', 'skipped', 'unknown'];
    await query(
      `INSERT INTO mail_campaign_counts (organization_id, campaign_id, slot, ${states.join(', ')}, sent_tracked,
         tracked, hard_bounces, soft_bounces, unique_opens, unique_clicks)
       SELECT organization_id, campaign_id, number % 16, ${states.map((status) => counted(`status = '${status}'`)).join(', ')},
         ${counted("status = 'sent' AND tracked")}, ${counted('tracked')}, ${counted("bounce_class = 'hard'")},
         ${counted("bounce_class = 'soft'")}, ${counted('opened_at IS NOT NULL')}, ${counted('clicked_at IS NOT NULL')}
         FROM mail_campaign_recipients WHERE organization_id = $1 AND campaign_id = $2 GROUP BY 1, 2, 3`,
      [organization_id, campaign_id],
    );
    await query(
      `INSERT INTO mail_campaign_skips (organization_id, campaign_id, reason, slot, skipped)
       SELECT organization_id, campaign_id, reason, number % 16, count(*) FROM mail_campaign_recipients
        WHERE organization_id = $1 AND campaign_id = $2 AND status = 'skipped' GROUP BY 1, 2, 3, 4`,
      [organization_id, campaign_id],
    );
  });
}
