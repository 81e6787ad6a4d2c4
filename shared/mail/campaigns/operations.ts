import { Failure } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import { blank, pick } from '../../kernel/record-fields.ts';
import { isSameJson } from '../../kernel/same-json.ts';
import { allows } from '../../kernel/scope.ts';
import type { Work } from '../../kernel/work.ts';
import { gramsOf } from '../../platform/search/grams.ts';
import { searchText } from '../../platform/search/lines.ts';
import { savedContents } from '../content/saved.ts';
import { UNTHROTTLED } from '../throttle.ts';
import { requireChecks } from './checks.ts';
import type { MailServer } from './faults.ts';
import { campaignById, campaignForUpdate } from './queries.ts';
import {
  type Campaign,
  type CampaignInput,
  CampaignModel,
  type CampaignPatch,
  campaignFacts,
} from './record.ts';
import { requireOwnDomain, requireReferences } from './references.ts';
import { actionsFor, requireAction } from './transitions.ts';
import { withWarnings } from './warnings.ts';

/** What somebody writes of a campaign, but for its own keys. */
type Contents = Omit<CampaignInput, 'external_id' | 'metadata' | 'throttle'>;

const copied = [
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
  'body_html',
  'body_text',
  'track_opens',
  'track_clicks',
  'throttle',
] as const;

const filled = ['subject', 'preheader', 'body_html', 'body_text'] as const;

/** What can be changed of a campaign that has begun. */
const changeable: readonly string[] = ['name', 'throttle', 'external_id', 'metadata'];

/**
 * Makes a draft. What the body leaves out is taken from the template; HTML is cleaned. Errors: `unknown_reference`,
 * `already_exists`, `validation_failed` with `domain_not_allowed`, `unknown_placeholder`.
 */
export async function createCampaign(work: Work, input: CampaignInput, base_url: string): Promise<Campaign> {
  const { external_id = null, metadata, throttle, ...contents } = input;
  const campaign: Campaign = {
    ...newCampaign(work, contents),
    throttle: { ...UNTHROTTLED, ...throttle },
    external_id,
    metadata: metadataAfter({}, metadata),
  };
  await requireReferences(work, null, campaign);
  await requireOwnDomain(work, campaign.from_email);
  const saved = savedContents({ ...campaign, ...(await fromTemplate(work, input)) }, null);
  return addCampaign(work, await withWarnings(work, saved, base_url));
}

/** Makes a draft with contents and audience of a campaign; own keys stay behind. Errors: `not_found`. */
export async function duplicateCampaign(work: Work, id: string, base_url: string): Promise<Campaign> {
  const original = await campaignById(work, id);
  const copy = {
    ...newCampaign(work, { name: original.name }),
    ...pick(original, copied),
    warnings: original.warnings,
  };
  return addCampaign(work, await withWarnings(work, copy, base_url));
}

/**
 * Changes the fields sent; of a campaign that has begun what no recipient sees. One that is scheduled must still pass the checks, and
 * what recipients see of it changes with the right to approve alone. Errors: `not_found`, `precondition_failed`, `insufficient_scope`, `campaign_frozen`, `unknown_reference`, `already_exists`, `validation_failed`,
 * `checks_failed`, `mail_server_required`.
 */
export async function updateCampaign(
  work: Work,
  id: string,
  patch: CampaignPatch,
  service: MailServer & { base_url: string },
): Promise<Campaign> {
  const before = await campaignForUpdate(work, id);
  work.precondition(before);
  requireAction(before, 'update', work.actor);
  const { throttle, metadata, ...fields } = patch;
  const sent: Campaign = {
    ...before,
    ...fields,
    throttle: { ...before.throttle, ...throttle },
    metadata: metadataAfter(before.metadata, metadata),
  };
  const changed = savedContents(sent, before);
  if (work.isSame(campaignFacts.updated, before, changed)) return before;
  const isOpen = before.status === 'draft' || before.status === 'scheduled';
  if (!isOpen) requireUnfrozen(work, before, changed);
  if (before.status === 'scheduled') requireApproval(work, before, changed);
  await requireReferences(work, before, changed);
  if (changed.from_email !== before.from_email) await requireOwnDomain(work, changed.from_email);
  const checked = before.status === 'scheduled' ? await requireChecks(work, changed, service) : null;
  const { warnings } = isOpen ? await withWarnings(work, changed, service.base_url) : before;
  const after = { ...changed, warnings, updated_at: work.touch(before) };
  const { id: _, created_at, created_by, ...columns } = columnsOf(after);
  work.update(CampaignModel, id, { ...columns, ...(checked && { audience_count: checked.counts.eligible }) });
  work.record(campaignFacts.updated, { before, after });
  if (checked) await work.flush();
  return after;
}

/** Removes a draft, or what was cancelled before it began. Errors: `not_found`, `precondition_failed`, `invalid_transition`. */
export async function deleteCampaign(work: Work, id: string): Promise<void> {
  const before = await campaignForUpdate(work, id);
  work.precondition(before);
  requireAction(before, 'delete', work.actor);
  work.remove(CampaignModel, id);
  work.record(campaignFacts.deleted, { before, after: null });
}

function newCampaign(work: Work, contents: Contents): Campaign {
  const at = work.now.toISOString();
  return {
    id: newId('camp', work.now),
    object: 'mail.campaign',
    ...blank([...filled, 'from_name', 'from_email', 'reply_to', 'mail_order', 'segment_id', 'template_id']),
    locale: 'ja',
    purpose: 'advertisement',
    list_ids: [],
    exclude_list_ids: [],
    track_opens: false,
    track_clicks: false,
    ...contents,
    throttle: UNTHROTTLED,
    status: 'draft',
    warnings: [],
    ...blank(['pause_reason', 'scheduled_at', 'started_at', 'finished_at', 'external_id']),
    metadata: {},
    created_by: work.actor.user_id,
    created_at: at,
    updated_at: at,
  };
}

/** What the template has of the contents that the request leaves out. */
async function fromTemplate(work: Work, input: CampaignInput): Promise<Partial<Campaign>> {
  if (!input.template_id) return {};
  const [template] = await work.connection.query<Pick<Campaign, (typeof filled)[number]>>(
    `SELECT ${filled.join(', ')} FROM mail_templates WHERE organization_id = $1 AND id = $2`,
    [work.organization_id, input.template_id],
  );
  return template
    ? pick(
        template,
        filled.filter((field) => input[field] === undefined),
      )
    : {};
}

function addCampaign(work: Work, campaign: Campaign): Campaign {
  work.insert(CampaignModel, columnsOf(campaign));
  work.record(campaignFacts.created, { before: null, after: campaign });
  return campaign;
}

/** The fields of those that recipients see, or that say who they are, which a change gives another value. */
function seenChanges(before: Campaign, after: Campaign): string[] {
  const changed = Object.entries(after).filter(
    ([field, value]) =>
      field !== 'warnings' &&
      !changeable.includes(field) &&
      !isSameJson(before[field as keyof Campaign], value),
  );
  return changed.map(([field]) => field);
}

/** What is to leave by itself was approved as it stands: who may not approve it takes it back to a draft before changing it. */
function requireApproval(work: Work, before: Campaign, after: Campaign): void {
  if (allows(work.actor.grants, 'approvals:write')) return;
  const names = seenChanges(before, after);
  if (names.length === 0) return;
  throw new Failure('insufficient_scope', {
    detail: {
      en: `To change ${names.join(', ')} of a campaign that is scheduled needs the scope approvals:write; unschedule it first`,
      ja: `予約済みのキャンペーンの ${names.join('、')} を変更するにはスコープ approvals:write が必要です。先に予約を取り消してください`,
    },
    members: { required_scope: 'approvals:write' },
  });
}

function requireUnfrozen(work: Work, before: Campaign, after: Campaign): void {
  const names = seenChanges(before, after);
  if (names.length === 0) return;
  throw new Failure('campaign_frozen', {
    detail: {
      en: `${names.join(', ')} cannot change: the campaign has begun`,
      ja: `配信を開始したキャンペーンの ${names.join('、')} は変更できません`,
    },
    members: {
      current_status: before.status,
      available_actions: actionsFor(before, work.actor),
      changeable,
    },
  });
}

/** A campaign as a row; it is searched by name and subject. */
function columnsOf({ object, ...columns }: Campaign) {
  const search_text = searchText([columns.name, columns.subject]);
  return { ...columns, search_text, search_grams: gramsOf(search_text) };
}
