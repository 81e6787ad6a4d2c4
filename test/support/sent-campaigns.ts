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

/** The counters of a campaign by status, and that they are those of its rows. */
export async function countsByStatus(app: TestApp, campaign_id: string): Promise<Record<string, number>> {
  const [[counted], rows] = await app.database.withConnection('*', ({ query }) =>
    Promise.all([
      query<Record<string, number>>(
        `SELECT coalesce(sum(queued), 0)::integer AS queued, coalesce(sum(sending), 0)::integer AS sending,
                coalesce(sum(sent), 0)::integer AS sent, coalesce(sum(failed), 0)::integer AS failed,
                coalesce(sum(skipped), 0)::integer AS skipped, coalesce(sum(unknown), 0)::integer AS unknown
           FROM mail_campaign_counts WHERE campaign_id = $1`,
        [campaign_id],
      ),
      query<{ status: string; count: number }>(
        `SELECT status, count(*)::integer AS count FROM mail_campaign_recipients WHERE campaign_id = $1 GROUP BY 1`,
        [campaign_id],
      ),
    ]),
  );
  const nonzero = Object.fromEntries(Object.entries(counted!).filter(([, count]) => count !== 0));
  assert.deepEqual(nonzero, Object.fromEntries(rows.map(({ status, count }) => [status, count])));
  return nonzero;
}
