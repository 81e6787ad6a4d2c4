import { oneOf } from '../../db/one-of.ts';
import { notFound } from '../../kernel/failure.ts';
import { shownAmount } from '../../kernel/money.ts';
import type { Reader } from '../../kernel/reader.ts';
import { pick } from '../../kernel/record-fields.ts';
import { weightedAmount } from '../deal-amount.ts';
import { daysInStage, isStale } from '../deal-status.ts';
import type { StageType } from '../stage-types.ts';
import { tagsOf } from '../tags/queries.ts';
import type { TagLabel } from '../tags/record.ts';
import { type Deal, plainDealFields } from './record.ts';

export const dealColumns = [
  'id',
  ...plainDealFields,
  'pipeline_id',
  'stage_id',
  'status',
  'amount',
  'probability',
  'has_own_probability',
  'closed_at',
  'lost_reason',
  'last_stage_id',
  'stage_entered_at',
  'position',
  'custom_fields',
  'metadata',
  'created_by',
  'created_at',
  'updated_at',
] as const;

/** A row of the table; `amount` is exact decimal text, `probability` the one in force. */
export type DealRow = Omit<
  Deal,
  | 'object'
  | 'amount'
  | 'weighted_amount'
  | 'stage_slug'
  | 'days_in_stage'
  | 'is_stale'
  | 'contact_ids'
  | 'tags'
> & { amount: string; has_own_probability: boolean };

/** What a deal needs to know of the stage that it is in. */
export type DealStage = {
  id: string;
  pipeline_id: string;
  slug: string;
  type: StageType;
  probability: number;
  stale_after_days: number | null;
};

export const dealStageColumns = ['id', 'pipeline_id', 'slug', 'type', 'probability', 'stale_after_days'];

/** What belongs to a deal but stands in other tables. */
export type DealLinks = { tags: TagLabel[]; contact_ids: string[] };

/** A row as the API shows it at `now`. */
export function dealOf(row: DealRow, stage: DealStage, links: DealLinks, now: Date): Deal {
  const { amount, currency, probability, status, stage_entered_at } = row;
  return {
    id: row.id,
    object: 'crm.deal',
    ...pick(row, plainDealFields),
    pipeline_id: row.pipeline_id,
    stage_id: row.stage_id,
    stage_slug: stage.slug,
    status,
    amount: shownAmount(amount, currency),
    probability,
    weighted_amount: shownAmount(weightedAmount(amount, probability, currency), currency),
    closed_at: row.closed_at,
    contact_ids: links.contact_ids,
    lost_reason: row.lost_reason,
    last_stage_id: row.last_stage_id,
    stage_entered_at,
    days_in_stage: daysInStage(stage_entered_at, now),
    is_stale: isStale({ status, stage_entered_at }, stage, now),
    position: row.position,
    custom_fields: row.custom_fields,
    metadata: row.metadata,
    tags: links.tags,
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** Tags and contacts of many deals, in two queries that travel together. */
export async function linksOf(reader: Reader, ids: readonly string[]): Promise<(id: string) => DealLinks> {
  if (ids.length === 0) return () => ({ tags: [], contact_ids: [] });
  const [tags, contacts] = await Promise.all([
    tagsOf(reader, 'deal', ids),
    reader.connection.query<{ deal_id: string; contact_id: string }>(
      `SELECT deal_id, contact_id FROM crm_deal_contacts
        WHERE organization_id = $1 AND deal_id = ${oneOf('$2')} ORDER BY deal_id, sort_order, contact_id`,
      [reader.organization_id, ids],
    ),
  ]);
  const byDeal = Map.groupBy(contacts, ({ deal_id }) => deal_id);
  return (id) => ({
    tags: tags(id),
    contact_ids: (byDeal.get(id) ?? []).map(({ contact_id }) => contact_id),
  });
}

/** Rows as the API shows them, with the stages that they are in; the caller holds the rows. */
export async function dealsOf(reader: Reader, rows: readonly DealRow[]): Promise<Deal[]> {
  if (rows.length === 0) return [];
  const [stages, links] = await Promise.all([
    reader.connection.query<DealStage>(
      `SELECT ${dealStageColumns.join(', ')} FROM crm_stages WHERE organization_id = $1 AND id = ${oneOf('$2')}`,
      [reader.organization_id, [...new Set(rows.map(({ stage_id }) => stage_id))]],
    ),
    linksOf(
      reader,
      rows.map(({ id }) => id),
    ),
  ]);
  const byId = new Map(stages.map((stage) => [stage.id, stage]));
  return rows.map((row) => dealOf(row, byId.get(row.stage_id)!, links(row.id), reader.now));
}

const BY_ID = `SELECT ${dealColumns.join(', ')} FROM crm_deals WHERE organization_id = $1 AND id = $2`;

const STAGE_OF_DEAL = `
  SELECT ${dealStageColumns.map((column) => `stage.${column}`).join(', ')}
    FROM crm_deals AS deal
    JOIN crm_stages AS stage ON stage.organization_id = deal.organization_id AND stage.id = deal.stage_id
   WHERE deal.organization_id = $1 AND deal.id = $2`;

export type LockedDeal = { row: DealRow; stage: DealStage; links: DealLinks };

/**
 * A deal, its row locked until the work commits. The stage is read by a statement of its own: it sees where the deal
 * is once the lock is held. Errors: `not_found`.
 */
export async function lockDeal(reader: Reader, id: string): Promise<LockedDeal> {
  const values = [reader.organization_id, id];
  const [[row], [stage], links] = await Promise.all([
    reader.connection.query<DealRow>(`${BY_ID} FOR NO KEY UPDATE`, values),
    reader.connection.query<DealStage>(STAGE_OF_DEAL, values),
    linksOf(reader, [id]),
  ]);
  if (!row || !stage) throw notFound();
  return { row, stage, links: links(id) };
}

const STAGE_PREFIX = 'stage_of_deal_';

const WITH_STAGE = `
  SELECT ${dealColumns.map((column) => `deal.${column}`).join(', ')},
         ${dealStageColumns.map((column) => `stage.${column} AS ${STAGE_PREFIX}${column}`).join(', ')}
    FROM crm_deals AS deal
    JOIN crm_stages AS stage ON stage.organization_id = deal.organization_id AND stage.id = deal.stage_id
   WHERE deal.organization_id = $1 AND deal.id = $2`;

/** One deal; row and stage come from one statement, so that they are of one moment. Errors: `not_found`. */
export async function dealById(reader: Reader, id: string): Promise<Deal> {
  const [[row], links] = await Promise.all([
    reader.connection.query<DealRow & Record<string, unknown>>(WITH_STAGE, [reader.organization_id, id]),
    linksOf(reader, [id]),
  ]);
  if (!row) throw notFound();
  const stage = Object.fromEntries(
    dealStageColumns.map((column) => [column, row[`${STAGE_PREFIX}${column}`]]),
  ) as DealStage;
  return dealOf(row, stage, links(id), reader.now);
}
