import type { Database } from '../../db/database.ts';
import { inWork } from '../../db/in-work.ts';
import { type Reader, systemActor } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { defaultMailSettings, type MailSettings } from '../settings/record.ts';
import { pauseLocked } from './pause.ts';
import { campaignForUpdate } from './queries.ts';
import type { Campaign } from './record.ts';
import type { PauseReason } from './words.ts';

/** Why a campaign pauses when too much of it comes back. */
export type LimitReason = Extract<PauseReason, 'bounce_rate' | 'complaint_rate'>;

/** What came of a campaign so far, in recipients. */
export type Outcome = { sent: number; failed: number; bounced: number; complaints: number };

/** Percentages with two decimals as `auto_pause` has them; null is off. */
export type Limits = MailSettings['auto_pause'];

/** Mails that were sent or have failed, before their bounces are judged: of fewer a rate says little. */
const LEAST_FOR_BOUNCES = 200;

/** Mails that were sent, before the complaints are judged. */
const LEAST_FOR_COMPLAINTS = 1_000;

/**
 * Of a campaign with fewer mails sent also one that is taken may be the one from which a limit counts; later each that is taken lowers
 * the rates.
 */
export const JUDGED_FROM = Math.max(LEAST_FOR_BOUNCES, LEAST_FOR_COMPLAINTS);

/** The limit that a campaign has reached; null where it may go on. `ignored` are those that somebody has resumed it in spite of. */
export function limitReached(
  { sent, failed, bounced, complaints }: Outcome,
  limits: Limits,
  ignored: readonly LimitReason[],
): LimitReason | null {
  const tried = sent + failed;
  if (
    !ignored.includes('bounce_rate') &&
    tried >= LEAST_FOR_BOUNCES &&
    isAtLeast(bounced, tried, limits.bounce_percent)
  ) {
    return 'bounce_rate';
  }
  if (
    !ignored.includes('complaint_rate') &&
    sent >= LEAST_FOR_COMPLAINTS &&
    isAtLeast(complaints, sent, limits.complaint_percent)
  ) {
    return 'complaint_rate';
  }
  return null;
}

/** Whether a part of a whole is so many percent or more, compared as whole numbers. */
function isAtLeast(part: number, whole: number, percent: string | null): boolean {
  if (percent === null) return false;
  const hundredths = Number(percent.replace('.', ''));
  return part * 10_000 >= hundredths * whole;
}

/**
 * Pauses a campaign that has reached a limit of `auto_pause`, and answers by which; null where it did not. Call it after each commit that has
 * settled recipients or applied a bounce or a complaint, never inside of it: it sees what others have committed too, and
 * locks the campaign only where a limit is reached, so that those who count do not wait for each other.
 */
export async function pauseAtLimit(
  database: Database,
  { organization_id, campaign_id, now }: { organization_id: string; campaign_id: string; now: Date },
): Promise<LimitReason | null> {
  const who = { actor: systemActor, organization_id, request_id: null, ip_address: null };
  return database.withConnection(organization_id, async (connection) => {
    const reader = { ...who, connection, now };
    if ((await limitOf(reader, campaign_id)) === null) return null;
    return inWork(reader, (work) => pauseIfStill(work, campaign_id), { may_change_nothing: true });
  });
}

/** Locks: the campaign, its job. */
async function pauseIfStill(work: Work, campaign_id: string): Promise<LimitReason | null> {
  const before = await campaignForUpdate(work, campaign_id);
  const reason = await limitOf(work, campaign_id);
  if (reason !== null) await pauseLocked(work, before, reason);
  return reason;
}

/**
 * Turns the limit that has paused a locked campaign off for it: somebody resumes it who knows of the bounces. Does nothing where
 * another reason paused it.
 */
export function ignoreLimit(work: Work, { id, pause_reason }: Pick<Campaign, 'id' | 'pause_reason'>): void {
  if (pause_reason !== 'bounce_rate' && pause_reason !== 'complaint_rate') return;
  work.run(
    `UPDATE mail_campaigns SET ignored_limits = ignored_limits || to_jsonb($3::text)
      WHERE organization_id = $1 AND id = $2 AND NOT ignored_limits ? $3`,
    [work.organization_id, id, pause_reason],
  );
}

type Judged = Outcome & { ignored_limits: LimitReason[]; auto_pause: Limits | null };

/** The limit that a campaign under way has reached by what is committed; null for none. */
async function limitOf({ connection, organization_id }: Reader, id: string): Promise<LimitReason | null> {
  const [row] = await connection.query<Judged>(
    `SELECT campaign.ignored_limits, settings.auto_pause, counts.sent, counts.failed, counts.bounced,
            counts.complaints
       FROM mail_campaigns AS campaign
       LEFT JOIN mail_settings AS settings ON settings.organization_id = campaign.organization_id
      CROSS JOIN LATERAL (
        SELECT COALESCE(sum(sent), 0)::integer AS sent, COALESCE(sum(failed), 0)::integer AS failed,
               COALESCE(sum(hard_bounces + soft_bounces), 0)::integer AS bounced,
               COALESCE(sum(complaints), 0)::integer AS complaints
          FROM mail_campaign_counts
         WHERE organization_id = campaign.organization_id AND campaign_id = campaign.id) AS counts
      WHERE campaign.organization_id = $1 AND campaign.id = $2 AND campaign.status = 'sending'`,
    [organization_id, id],
  );
  if (!row) return null;
  return limitReached(row, row.auto_pause ?? defaultMailSettings.auto_pause, row.ignored_limits);
}
