import assert from 'node:assert/strict';
import type { TestApp } from './app.ts';
import { newDraft, newSender, type Sender } from './sendable-campaigns.ts';
import { until } from './until.ts';

/** What the rows of a campaign say, by the addresses. */
export type RecipientRow = {
  number: number;
  email: string;
  status: string;
  reason: string | null;
  attempts: number;
  smtp_response: string | null;
  bounce_class: string | null;
  next_attempt_at: string | null;
};

/** A campaign under way, with those who call about it. */
export type Underway = { client: Sender; id: string; path: string; job_id: string };

/** Has somebody send a campaign to these addresses. */
export async function startCampaign(
  app: TestApp,
  emails: readonly string[],
  fields: Record<string, unknown> = {},
): Promise<Underway> {
  const { client, list_id } = await newSender(app, emails);
  const path = await newDraft(client, { list_ids: [list_id], ...fields });
  const sent = await client.post(`${path}/send`, {});
  assert.equal(sent.status, 202, sent.text);
  return { client, path, id: sent.body.campaign.id, job_id: sent.body.job.id };
}

/** The campaign once it has a status. */
export async function untilStatus({ client, path }: Underway, status: string) {
  return until(`the campaign is ${status}`, async () => {
    const { body } = await client.get(path);
    return body.campaign.status === status && body.campaign;
  });
}

/** The rows of a campaign by their addresses. */
export async function rowsOf(app: TestApp, campaign_id: string): Promise<Record<string, RecipientRow>> {
  const rows = await app.database.withConnection('*', ({ query }) =>
    query<RecipientRow>(
      `SELECT number, email, status, reason, attempts, smtp_response, bounce_class, next_attempt_at
         FROM mail_campaign_recipients WHERE campaign_id = $1 ORDER BY number`,
      [campaign_id],
    ),
  );
  return Object.fromEntries(rows.map((row) => [row.email, row]));
}

/** The counters of a campaign by status, and that they are those of its rows: both as one statement finds them. */
export async function countsByStatus(app: TestApp, campaign_id: string): Promise<Record<string, number>> {
  const states = ['queued', 'sending', 'sent', 'failed', 'skipped', 'unknown'];
  const found = await app.database.withConnection('*', ({ query }) =>
    query<{ status: string; counted: number; count: number }>(
      `SELECT status, counted, (SELECT count(*)::integer FROM mail_campaign_recipients AS row
         WHERE campaign_id = $1 AND row.status = sums.status) AS count
         FROM (SELECT status, coalesce(sum(value::integer), 0)::integer AS counted
                 FROM mail_campaign_counts AS counts, jsonb_each_text(to_jsonb(counts)) AS each (status, value)
                WHERE campaign_id = $1 AND status = ANY ($2) GROUP BY status) AS sums`,
      [campaign_id, states],
    ),
  );
  const counted = found.map(({ status, counted }) => [status, counted]);
  assert.deepEqual(
    counted,
    found.map(({ status, count }) => [status, count]),
  );
  return Object.fromEntries(counted.filter(([, count]) => count !== 0));
}
