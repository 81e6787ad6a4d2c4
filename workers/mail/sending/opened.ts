import { randomBytes } from 'node:crypto';
import type { Work } from '../../../shared/kernel/work.ts';
import type { MailingRules } from '../../../shared/mail/campaigns/audience.ts';
import { campaignById } from '../../../shared/mail/campaigns/queries.ts';
import { campaignMail } from '../../../shared/mail/campaigns/sender.ts';
import { RECIPIENT_TOKENS } from '../../../shared/mail/campaigns/tokens.ts';
import type { CampaignStatus } from '../../../shared/mail/campaigns/words.ts';
import { type CompiledMail, compileMail } from '../../../shared/mail/content/compiled.ts';
import { signingWith } from '../../../shared/mail/content/dkim.ts';
import { listsNamedBy, type SegmentFilter } from '../../../shared/mail/segments/filter.ts';
import { loadSpeeds, type Speeds } from '../../../shared/mail/sending/domain-speeds.ts';
import { forgetMinutes, type Sharing } from '../../../shared/mail/sending/ledger.ts';
import { type Held, heldRefusals } from '../../../shared/mail/sending/settle.ts';
import { dkimSignerOf } from '../../../shared/mail/settings/dkim-keys.ts';
import { mailSettingsOf } from '../../../shared/mail/settings/queries.ts';
import { type MailThrottle, UNTHROTTLED } from '../../../shared/mail/throttle.ts';
import { requeueJobs, startJob } from '../../../shared/platform/jobs/operations.ts';
import { usableKey } from '../../../shared/platform/links/keys.ts';
import type { SecretKeys } from '../../../shared/platform/secrets/keys.ts';

/** What slices need of the settings. */
export type SliceSettings = { base_url: string; secrets: SecretKeys; per_second: number | null };

/** A campaign as a slice sends it. */
export type Opened = {
  campaign: { id: string } & MailingRules;
  sharing: Sharing;
  mail: CompiledMail;
  sign: ((message: Buffer) => Promise<Buffer>) | null;
  job_id: string | null;
  unreachable_since: string | null;
  /** What holds no more for it. */
  ignored: readonly string[];
  held: readonly Held[];
  speeds: Speeds;
  /** Mails that were sent before this slice, and that it has sent itself: other slices may have sent more. */
  sent: number;
};

type Hidden = {
  job_id: string | null;
  unreachable_since: string | null;
  ignored_limits: string[];
  is_frozen: boolean;
  is_job_failed: boolean | null;
  slug: string;
  sent: number;
};

/** How a campaign stands, held until the work commits; null where it was removed. */
export async function statusOf(
  { connection, organization_id }: Work,
  campaign_id: string,
): Promise<CampaignStatus | null> {
  const [row] = await connection.query<{ status: CampaignStatus }>(
    'SELECT status FROM mail_campaigns WHERE organization_id = $1 AND id = $2 FOR SHARE',
    [organization_id, campaign_id],
  );
  return row?.status ?? null;
}

/** Reads a campaign that is to be sent; null where it is not under way any more. */
export async function openCampaign(
  work: Work,
  campaign_id: string,
  { base_url, secrets, per_second }: SliceSettings,
): Promise<Opened | null> {
  const [hidden] = await work.connection.query<Hidden>(
    `SELECT job_id, unreachable_since, ignored_limits, frozen_at IS NOT NULL AS is_frozen,
            jobs.status = 'failed' AS is_job_failed, slug,
            (SELECT coalesce(sum(sent), 0)::integer FROM mail_campaign_counts
              WHERE organization_id = $1 AND campaign_id = $2) AS sent
       FROM mail_campaigns JOIN organizations ON organizations.id = mail_campaigns.organization_id
       LEFT JOIN jobs ON jobs.organization_id = mail_campaigns.organization_id AND jobs.id = job_id
      WHERE mail_campaigns.organization_id = $1 AND mail_campaigns.id = $2 AND mail_campaigns.status = 'sending'`,
    [work.organization_id, campaign_id],
  );
  if (!hidden?.is_frozen) return null;
  if (hidden.job_id !== null && hidden.is_job_failed) await goOn(work, hidden.job_id);
  forgetMinutes(work, campaign_id);
  const campaign = await campaignById(work, campaign_id);
  const list_ids = await listsOfSegment(work, campaign.segment_id);
  const { from_email, mail_order, ...draft } = await campaignMail(work, campaign);
  // It was settled when the campaign began.
  const sender = from_email!;
  const key = await usableKey(work, RECIPIENT_TOKENS, () => randomBytes(32));
  const signer = await dkimSignerOf(work, secrets, sender.slice(sender.lastIndexOf('@') + 1).toLowerCase());
  return {
    campaign: {
      id: campaign_id,
      purpose: campaign.purpose,
      mail_order,
      list_ids: campaign.list_ids,
      asked_lists: { list_ids, began: campaign.started_at! },
    },
    sharing: await sharingOf(work, campaign_id, per_second),
    mail: compileMail({ ...draft, from_email: sender }, { base_url, organization_slug: hidden.slug, key }),
    sign: signer && signingWith(signer),
    job_id: hidden.job_id,
    unreachable_since: hidden.unreachable_since,
    ignored: hidden.ignored_limits,
    held: await heldRefusals(work, campaign_id),
    speeds: await loadSpeeds(work),
    sent: hidden.sent,
  };
}

/**
 * What limits the mails of a campaign by now: it and its organization change their limits also while it is sent. `per_second`: of the
 * installation.
 */
export async function sharingOf(
  work: Work,
  campaign_id: string,
  per_second: number | null,
): Promise<Sharing> {
  const { organization_id } = work;
  const [row] = await work.connection.query<{ throttle: MailThrottle }>(
    'SELECT throttle FROM mail_campaigns WHERE organization_id = $1 AND id = $2',
    [organization_id, campaign_id],
  );
  const { throttle } = await mailSettingsOf(work);
  return {
    scopes: [
      { scope: campaign_id, throttle: row?.throttle ?? UNTHROTTLED },
      { scope: organization_id, throttle },
    ],
    per_second,
  };
}

/** The lists that the segment of a campaign asks about; none where it was removed since the start. */
async function listsOfSegment(work: Work, segment_id: string | null): Promise<string[]> {
  if (segment_id === null) return [];
  const [segment] = await work.connection.query<{ filter: SegmentFilter }>(
    'SELECT filter FROM mail_segments WHERE organization_id = $1 AND id = $2',
    [work.organization_id, segment_id],
  );
  return segment ? listsNamedBy(segment.filter) : [];
}

/** The release before, beside which this one may run, fails jobs that have no delivery of their own: the job of a campaign goes on. */
async function goOn(work: Work, job_id: string): Promise<void> {
  await requeueJobs(work, [job_id]);
  await work.flush();
  await startJob(work, job_id);
}
