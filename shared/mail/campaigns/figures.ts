import type { Reader } from '../../kernel/reader.ts';
import type { MailLimits } from '../../platform/mailer/mail-limits.ts';
import { expectedFinish } from '../sending/expected-finish.ts';
import { sentLastMinute } from '../sending/ledger.ts';
import { mailSettingsOf } from '../settings/queries.ts';
import { type MailThrottle, UNTHROTTLED } from '../throttle.ts';
import type { Campaign, ShownCampaign } from './record.ts';
import { statsOf } from './stats/queries.ts';

/** What the installation allows campaigns. */
export type CampaignLimits = Pick<MailLimits, 'campaigns_per_second'>;

type Paced = Pick<Campaign, 'id' | 'status' | 'scheduled_at' | 'started_at' | 'throttle'>;

type Figures = Pick<ShownCampaign, 'stats' | 'expected_finish_at'>;

/** What campaigns have come to, with the first `links` of each, and when they will have ended, of all by a few statements. */
export async function figuresOf(
  reader: Reader,
  campaigns: readonly Paced[],
  { limits, links }: { limits: CampaignLimits; links: number },
): Promise<(campaign: Paced) => Figures> {
  const awaited = campaigns.filter(({ status }) => status === 'scheduled' || status === 'sending');
  const [stats, pace] = await Promise.all([
    statsOf(reader, campaigns, links),
    awaited.length > 0 ? paceOf(reader, awaited, limits) : null,
  ]);
  return (campaign) => {
    const counted = stats(campaign);
    const expected_finish_at = pace?.(campaign, counted.queued) ?? null;
    return { expected_finish_at, stats: counted };
  };
}

/** When campaigns will have ended that are being sent, or are to begin at a time with those whom the checks found. */
async function paceOf(reader: Reader, awaited: readonly Paced[], { campaigns_per_second }: CampaignLimits) {
  const idsOf = (wanted: string) => awaited.filter(({ status }) => status === wanted).map(({ id }) => id);
  const [settings, lastMinute, audiences] = await Promise.all([
    mailSettingsOf(reader),
    sentLastMinute(reader, idsOf('sending')),
    audienceCounts(reader, idsOf('scheduled')),
  ]);
  const installation: MailThrottle = { ...UNTHROTTLED, per_second: campaigns_per_second };
  return ({ id, status, scheduled_at, throttle }: Paced, queued: number): string | null => {
    const throttles = [throttle, settings.throttle, installation];
    if (status === 'sending') {
      const last_minute = lastMinute(id);
      return expectedFinish({ from: reader.now.toISOString(), queued, throttles, last_minute });
    }
    const audience = audiences.get(id);
    if (status !== 'scheduled' || scheduled_at === null || audience === undefined) return null;
    return expectedFinish({ from: scheduled_at, queued: audience, throttles, last_minute: null });
  };
}

/** How many the checks found that a campaign would go to when it was scheduled. */
async function audienceCounts(
  { connection, organization_id }: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await connection.query<{ id: string; audience_count: number }>(
    `SELECT id, audience_count FROM mail_campaigns
      WHERE organization_id = $1 AND id = ANY ($2) AND audience_count IS NOT NULL`,
    [organization_id, ids],
  );
  return new Map(rows.map(({ id, audience_count }) => [id, audience_count]));
}
