import type { Work } from '../../kernel/work.ts';
import { mailNeeds } from '../content/compiled.ts';
import type { SegmentFilter } from '../segments/filter.ts';
import { AGREES_TO_TRACKING, audienceSql } from './audience.ts';
import { campaignForUpdate } from './queries.ts';
import { recipientIdSql } from './recipient-id.ts';
import type { Campaign } from './record.ts';
import { campaignMail } from './sender.ts';

/** Contacts of one statement, which sees one moment: those of a larger audience follow in the order of their IDs. */
const FREEZE_SLICE = 100_000;

/** Contacts of one statement at the least. */
const SMALLEST_SLICE = 1_000;

/**
 * Contacts of one statement at a try, the first of which is 1: a quarter of those of the try before. A statement that a busy database
 * ended at its time limit would be ended again if it came as large.
 */
export function freezeSliceAt(attempt: number): number {
  return Math.max(SMALLEST_SLICE, Math.floor(FREEZE_SLICE / 4 ** (attempt - 1)));
}

/** How far a freeze is: recipients in all, and those of them who get a mail. */
export type Frozen = { is_done: boolean; recipients: number; queued: number };

/**
 * Settles the next recipients of a campaign that has begun, those who get nothing too, with their counts. Its links are kept with
 * the first. Safe to run twice: where it is, is written with what it wrote. Null where there is nothing to settle: it was settled
 * before, or was cancelled. Locks: the campaign, the contacts by ID against removal, the counts.
 */
export async function freezeSlice(
  work: Work,
  campaign_id: string,
  most = FREEZE_SLICE,
): Promise<Frozen | null> {
  const campaign = await campaignForUpdate(work, campaign_id);
  if (campaign.status !== 'sending' && campaign.status !== 'paused') return null;
  const [where] = await work.connection.query<{ cursor: string | null; is_done: boolean }>(
    `SELECT freeze_cursor AS cursor, frozen_at IS NOT NULL AS is_done FROM mail_campaigns
      WHERE organization_id = $1 AND id = $2`,
    [work.organization_id, campaign_id],
  );
  if (where!.is_done) return null;
  const { found, last } = await addRecipients(work, campaign, { after: where!.cursor, most });
  const is_done = found < most;
  work.run(
    `UPDATE mail_campaigns SET freeze_cursor = coalesce($3, freeze_cursor), frozen_at = $4
      WHERE organization_id = $1 AND id = $2`,
    [work.organization_id, campaign_id, last, is_done ? work.now.toISOString() : null],
  );
  return { is_done, ...(await countsOf(work, campaign_id)) };
}

/** Answers how many contacts of the audience came next, and the last of them. */
async function addRecipients(
  work: Work,
  campaign: Campaign,
  { after, most }: { after: string | null; most: number },
): Promise<{ found: number; last: string | null }> {
  const mail = await campaignMail(work, campaign);
  const { links, needed } = mailNeeds(mail);
  if (after === null) await keepLinks(work, campaign.id, links);
  const values: unknown[] = [work.organization_id];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const { isMatched, email_hash, reason } = audienceSql(
    {
      purpose: campaign.purpose,
      mail_order: mail.mail_order,
      list_ids: campaign.list_ids,
      exclude_list_ids: campaign.exclude_list_ids,
      filter: await filterOf(work, campaign),
      needed,
    },
    bind,
    { now: new Date(campaign.started_at!), began: campaign.started_at },
  );
  const [added] = await work.connection.query<{ found: number; last: string | null }>(
    `WITH audience AS MATERIALIZED (
       SELECT contact.id, contact.email, contact.email_key, ${email_hash} AS email_hash, ${reason} AS reason,
              ${AGREES_TO_TRACKING} AS tracked
         FROM mail_contacts AS contact
        WHERE contact.organization_id = $1 AND contact.id > ${bind(after ?? '')} AND ${isMatched}
        ORDER BY contact.id LIMIT ${most}
     ), held AS MATERIALIZED (
       -- An erasure that is under way is waited for; who was erased is not among them.
       SELECT id FROM mail_contacts WHERE organization_id = $1 AND id IN (SELECT id FROM audience)
        ORDER BY id FOR KEY SHARE
     ), numbered AS MATERIALIZED (
       SELECT audience.*, uuid_send(gen_random_uuid()) AS random, (row_number() OVER (ORDER BY id) + (
                SELECT coalesce(max(number), 0) FROM mail_campaign_recipients
                 WHERE organization_id = $1 AND campaign_id = ${bind(campaign.id)}))::integer AS number
         FROM audience JOIN held USING (id)
     ), added AS (
       INSERT INTO mail_campaign_recipients (organization_id, campaign_id, number, id, contact_id, email, email_key,
         email_hash, status, reason, tracked, created_at, updated_at)
       SELECT $1, ${bind(campaign.id)}, number, ${recipientIdSql(work.now, 'number', 'random')}, id, email, email_key,
              email_hash, CASE WHEN reason IS NULL THEN 'queued' ELSE 'skipped' END, reason, tracked, asked.at, asked.at
         FROM numbered, (SELECT ${bind(work.now.toISOString())}::timestamptz AS at) AS asked ORDER BY number
       RETURNING number, reason, tracked
     ), counted AS (
       INSERT INTO mail_campaign_counts AS known (organization_id, campaign_id, slot, queued, skipped, tracked)
       SELECT $1, ${bind(campaign.id)}, slot, count(number) FILTER (WHERE reason IS NULL), count(reason),
              count(*) FILTER (WHERE tracked)
         FROM generate_series(0, 15) AS slot LEFT JOIN added ON number % 16 = slot GROUP BY slot
       ON CONFLICT (organization_id, campaign_id, slot) DO UPDATE SET queued = known.queued + excluded.queued,
         skipped = known.skipped + excluded.skipped, tracked = known.tracked + excluded.tracked
     ), skips AS (
       INSERT INTO mail_campaign_skips AS known (organization_id, campaign_id, reason, slot, skipped)
       SELECT $1, ${bind(campaign.id)}, reason, number % 16, count(*) FROM added WHERE reason IS NOT NULL GROUP BY 3, 4
       ON CONFLICT (organization_id, campaign_id, reason, slot) DO UPDATE SET skipped = known.skipped + excluded.skipped
     )
     SELECT count(*)::integer AS found, max(id) AS last FROM audience`,
    values,
    { prepared: false },
  );
  return added!;
}

async function keepLinks(
  work: Work,
  campaign_id: string,
  links: readonly { index: number; url: string }[],
): Promise<void> {
  if (links.length === 0) return;
  work.run(
    `INSERT INTO mail_campaign_links (organization_id, campaign_id, index, url)
     SELECT $1, $2, index, url FROM unnest($3::integer[], $4::text[]) AS link (index, url)`,
    [work.organization_id, campaign_id, links.map(({ index }) => index), links.map(({ url }) => url)],
  );
  await work.flush();
}

async function filterOf(work: Work, { segment_id }: Campaign): Promise<SegmentFilter | null> {
  if (segment_id === null) return null;
  const [segment] = await work.connection.query<{ filter: SegmentFilter }>(
    'SELECT filter FROM mail_segments WHERE organization_id = $1 AND id = $2',
    [work.organization_id, segment_id],
  );
  // It is refused to remove the segment of a campaign whose recipients are not settled.
  return segment!.filter;
}

async function countsOf(work: Work, campaign_id: string): Promise<Pick<Frozen, 'recipients' | 'queued'>> {
  const [counts] = await work.connection.query<{ recipients: number; queued: number }>(
    `SELECT coalesce(sum(queued + skipped), 0)::integer AS recipients, coalesce(sum(queued), 0)::integer AS queued
       FROM mail_campaign_counts WHERE organization_id = $1 AND campaign_id = $2`,
    [work.organization_id, campaign_id],
  );
  return counts!;
}
