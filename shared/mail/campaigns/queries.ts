import { isFiltered, type ListQuery, pageOf } from '../../db/list.ts';
import type { LookUps } from '../../db/look-ups.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { pick } from '../../kernel/record-fields.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { searchTerm } from '../../platform/search/grams.ts';
import { type CampaignLimits, figuresOf } from './figures.ts';
import { type Campaign, CampaignModel, campaignKind, type ShownCampaign } from './record.ts';
import { statsOf } from './stats/queries.ts';
import { LISTED_LINKS, MOST_LINKS } from './stats/record.ts';
import { usefulActionsFor } from './transitions.ts';
import type { CampaignStatus } from './words.ts';

const listed = [
  'id',
  'name',
  'subject',
  'preheader',
  'from_name',
  'from_email',
  'reply_to',
  'locale',
  'purpose',
  'mail_order',
  'list_ids',
  'exclude_list_ids',
  'segment_id',
  'template_id',
  'track_opens',
  'track_clicks',
  'throttle',
  'status',
  'pause_reason',
  'warnings',
  'scheduled_at',
  'started_at',
  'finished_at',
  'external_id',
  'metadata',
  'created_by',
  'created_at',
  'updated_at',
] as const;

const columns = [...listed, 'body_html', 'body_text'] as const;

type ListedRow = Pick<Campaign, (typeof listed)[number]>;

type CampaignRow = Pick<Campaign, (typeof columns)[number]>;

const BY_ID = `SELECT ${columns.join(', ')} FROM mail_campaigns WHERE organization_id = $1 AND id = $2`;

/** One campaign with its bodies. Errors: `not_found`. */
export async function campaignById(reader: Reader, id: string): Promise<Campaign> {
  return readCampaign(reader, id, '');
}

/**
 * The same, its row locked until the work commits: before its recipients, then contacts by ID, suppressions, lists, and the
 * counters last. Errors: `not_found`.
 */
export async function campaignForUpdate(reader: Reader, id: string): Promise<Campaign> {
  return readCampaign(reader, id, 'FOR UPDATE');
}

/** Sees that a campaign is there. Errors: `not_found`. */
export async function requireCampaign({ connection, organization_id }: Reader, id: string): Promise<void> {
  const [row] = await connection.query('SELECT FROM mail_campaigns WHERE organization_id = $1 AND id = $2', [
    organization_id,
    id,
  ]);
  if (!row) throw notFound();
}

async function readCampaign(
  { connection, organization_id }: Reader,
  id: string,
  lock: '' | 'FOR UPDATE',
): Promise<Campaign> {
  const [row] = await connection.query<CampaignRow>(`${BY_ID} ${lock}`, [organization_id, id]);
  if (!row) throw notFound();
  return { object: 'mail.campaign', ...pick(row, columns) };
}

/** A campaign as the API shows it to who asks. `limits`: what the installation allows. */
export async function shownCampaign(
  reader: Reader,
  campaign: Campaign,
  limits: CampaignLimits,
): Promise<ShownCampaign> {
  const figures = await figuresOf(reader, [campaign], { limits, links: MOST_LINKS });
  return withActions(reader, { ...campaign, ...figures(campaign) });
}

/** A campaign as events tell it: without its bodies and what changes with the time. */
export async function campaignTold(reader: Reader, campaign: Campaign) {
  const stats = await statsOf(reader, [campaign], LISTED_LINKS);
  return { object: campaign.object, ...pick(campaign, listed), stats: stats(campaign) };
}

export type CampaignFilters = LookUps & {
  status?: readonly CampaignStatus[] | undefined;
  list_id?: string | undefined;
  search?: string | undefined;
};

/** A window of the campaigns that the filters leave, without their bodies. Errors: `invalid_cursor`. */
export async function campaignPage(
  reader: Reader,
  filters: CampaignFilters,
  window: Window,
  limits: CampaignLimits,
): Promise<Page<ShownCampaign>> {
  const page = await pageOf<ListedRow>(reader, campaignList(reader, filters, window));
  const figures = await figuresOf(reader, page.rows, { limits, links: LISTED_LINKS });
  return {
    ...page,
    rows: page.rows.map((row) =>
      withActions(reader, { object: 'mail.campaign', ...pick(row, listed), ...figures(row) }),
    ),
  };
}

function withActions({ actor }: Reader, campaign: Omit<ShownCampaign, 'available_actions'>): ShownCampaign {
  return { ...campaign, available_actions: usefulActionsFor(campaign, actor, campaign.stats.unknown) };
}

function campaignList(reader: Reader, filters: CampaignFilters, window: Window): ListQuery {
  const { status, list_id, search } = filters;
  const query = CampaignModel.table(reader);
  if (status !== undefined) query.whereIn('mail_campaigns.status', [...status]);
  if (list_id !== undefined) query.whereRaw('mail_campaigns.list_ids @> ARRAY[?]', [list_id]);
  return {
    query,
    table: CampaignModel.tableName,
    columns: listed,
    prefix: 'camp',
    window,
    is_filtered: isFiltered(filters),
    look_ups: { kind: campaignKind, asked: filters },
    search: search === undefined ? null : searchTerm(search, { phones: false }),
  };
}
