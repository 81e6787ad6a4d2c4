import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { newId } from '../../shared/kernel/id.ts';
import { systemActor } from '../../shared/kernel/reader.ts';
import { RECIPIENT_TOKENS, type TokenPurpose, tokenOf } from '../../shared/mail/campaigns/tokens.ts';
import { emailKey, suppressionHash } from '../../shared/mail/email-key.ts';
import { usableKey } from '../../shared/platform/links/keys.ts';
import type { OutsideServices } from '../../shared/platform/outside/open.ts';
import { mailHandlers } from '../../workers/mail/handlers.ts';
import type { TestActor } from './actors.ts';
import type { TestApp } from './app.ts';
import type { Client } from './client.ts';
import { takeDelivery } from './deliveries.ts';

/** A mail of a campaign as its recipient got it. */
export type CampaignMail = {
  campaign_id: string;
  contact_id: string;
  recipient_id: string;
  message_id: string;
  token: (purpose: TokenPurpose) => string;
};

/** A campaign of one recipient, whose mail has left, past the operations that send; its contact is made unless given. */
export async function campaignMail(
  app: TestApp,
  client: Client & { actor: Pick<TestActor, 'organization_id'> },
  {
    contact_id,
    email = 'taro@example.jp',
    status = 'sent',
  }: { contact_id?: string; email?: string; status?: string } = {},
): Promise<CampaignMail> {
  const { organization_id } = client.actor;
  const made = await client.post('/mail/campaigns', { name: '春のお知らせ' });
  assert.equal(made.status, 201, made.text);
  const campaign_id: string = made.body.campaign.id;
  const contact = contact_id ?? (await client.post('/mail/contacts', { email })).body.contact.id;
  const now = app.context.now();
  const recipient_id = newId('mrcp', now);
  const message_id = `<${recipient_id}@example.co.jp>`;
  await app.database.withConnection(organization_id, async (connection) => {
    const at = now.toISOString();
    await connection.query(
      `INSERT INTO mail_campaign_recipients (organization_id, campaign_id, number, id, contact_id, email, email_key,
         email_hash, status, message_id, tracked, sent_at, created_at, updated_at)
       VALUES ($1, $2, 1, $3, $4, $5, $6, $7, $8, $9, false, CASE WHEN $8 = 'sent' THEN $10::timestamptz END, $10, $10)`,
      [
        organization_id,
        campaign_id,
        recipient_id,
        contact,
        email,
        emailKey(email),
        suppressionHash(organization_id, emailKey(email)),
        status,
        message_id,
        at,
      ],
    );
  });
  const token = await mailTokens(app, organization_id, campaign_id, 1);
  return { campaign_id, contact_id: contact, recipient_id, message_id, token };
}

/** The tokens of a recipient of a campaign, by its number. */
export async function mailTokens(
  app: TestApp,
  organization_id: string,
  campaign_id: string,
  recipient_number: number,
): Promise<CampaignMail['token']> {
  return app.database.withConnection(organization_id, async (connection) => {
    const now = app.context.now();
    const reader = {
      connection,
      organization_id,
      actor: systemActor,
      now,
      request_id: null,
      ip_address: null,
    };
    const key = await usableKey(reader, RECIPIENT_TOKENS, () => randomBytes(32));
    const [row] = await connection.query<{ number: string }>(
      'SELECT number FROM mail_campaigns WHERE organization_id = $1 AND id = $2',
      [organization_id, campaign_id],
    );
    const owner = { campaign_number: Number(row!.number), recipient_number };
    return (purpose: TokenPurpose) => tokenOf(key, purpose, owner);
  });
}

/** Runs the jobs of campaigns that wait, one after the other, here. */
export async function runCampaignJobs(
  app: TestApp,
  outside: OutsideServices = app.context.outside,
): Promise<void> {
  const handlers = new Map(
    mailHandlers({
      outside,
      server: { has_mail_server: true },
      settings: app.context.settings,
    }).map((handled) => [handled.job.name, handled]),
  );
  for (;;) {
    const [row] = await app.database.withConnection('*', ({ query }) =>
      query<{ id: string; name: string; payload: unknown }>(
        "SELECT id, name, payload FROM outbox WHERE queue = 'campaign' ORDER BY id LIMIT 1",
      ),
    );
    if (!row) return;
    const taken = await takeDelivery({ database: app.database, clock: app.context.now }, row.id);
    let settled = false;
    const settle = async (run: Parameters<typeof taken.settle>[0]) => {
      settled = true;
      await taken.settle(run);
    };
    await handlers.get(row.name)!.handle(row.payload, { ...taken, settle });
    if (!settled) await taken.settle(async () => {});
  }
}

/** What a campaign counts of what came back, but for what is 0. */
export async function countsOf(app: TestApp, campaign_id: string): Promise<Record<string, number>> {
  const [row] = await app.database.withConnection('*', ({ query }) =>
    query<Record<string, number>>(
      `SELECT sum(sent)::integer AS sent, sum(unknown)::integer AS unknown,
         sum(hard_bounces)::integer AS hard_bounces, sum(soft_bounces)::integer AS soft_bounces,
         sum(complaints)::integer AS complaints, sum(unsubscribes)::integer AS unsubscribes,
         sum(opens)::integer AS opens, sum(unique_opens)::integer AS unique_opens,
         sum(clicks)::integer AS clicks, sum(unique_clicks)::integer AS unique_clicks,
         sum(bot_opens)::integer AS bot_opens, sum(bot_clicks)::integer AS bot_clicks
       FROM mail_campaign_counts WHERE campaign_id = $1`,
      [campaign_id],
    ),
  );
  return Object.fromEntries(Object.entries(row!).filter(([, count]) => count));
}
