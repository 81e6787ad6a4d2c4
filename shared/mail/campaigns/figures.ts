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

/** What campaigns have come to and when they will have ended, of all by a few statements. */
export async function figuresOf(
  reader: Reader,
  campaigns: readonly Paced[],
  { campaigns_per_second }: CampaignLimits,
): Promise<(campaign: Paced) => Figures> {
  const under_way = campaigns.flatMap(({ id, status }) => (status === 'sending' ? [id] : []));
  const isUnderWay = under_way.length > 0;
  const [stats, settings, lastMinute] = await Promise.all([
    statsOf(reader, campaigns),
    isUnderWay ? mailSettingsOf(reader) : null,
    isUnderWay ? sentLastMinute(reader, under_way) : () => 0,
  ]);
  return (campaign) => {
    const counted = stats(campaign);
    if (campaign.status !== 'sending' || !settings) return { expected_finish_at: null, stats: counted };
    const installation: MailThrottle = { ...UNTHROTTLED, per_second: campaigns_per_second };
    const expected_finish_at = expectedFinish({
      from: reader.now.toISOString(),
      queued: counted.queued,
      throttles: [campaign.throttle, settings.throttle, installation],
      last_minute: lastMinute(campaign.id),
    });
    return { expected_finish_at, stats: counted };
  };
}
