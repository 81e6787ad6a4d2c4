import { z } from 'zod';
import { DAY } from '../../kernel/days.ts';
import { invalid } from '../../kernel/failure.ts';
import { timestampInput } from '../../kernel/schema.ts';
import type { Work } from '../../kernel/work.ts';
import { changeStatus } from './change.ts';
import { requireChecks } from './checks.ts';
import type { MailServer } from './faults.ts';
import { campaignForUpdate } from './queries.ts';
import type { Campaign } from './record.ts';
import { requireAction } from './transitions.ts';

const SOONEST = 60_000;
const LATEST = 366 * DAY;

/** When a campaign is to begin. */
export const ScheduleInput = z
  .strictObject({ scheduled_at: timestampInput().describe('1 minute to 1 year from now.') })
  .meta({ id: 'MailCampaignScheduleInput' });

export type ScheduleInput = z.output<typeof ScheduleInput>;

/**
 * Has a campaign begin at a time; its checks run now and again then. Its lists and its segment stay until it has begun. Errors:
 * `not_found`, `precondition_failed`, `invalid_transition`, `insufficient_scope`, `validation_failed` at /scheduled_at,
 * `checks_failed`, `mail_server_required`.
 */
export async function scheduleCampaign(
  work: Work,
  id: string,
  { scheduled_at }: ScheduleInput,
  server: MailServer,
): Promise<Campaign> {
  const before = await campaignForUpdate(work, id);
  work.precondition(before);
  requireAction(before, 'schedule', work.actor);
  requireInTime(work, scheduled_at);
  const { counts } = await requireChecks(work, before, server);
  const changes = { status: 'scheduled', scheduled_at, pause_reason: null } as const;
  const after = changeStatus(work, before, changes, { audience_count: counts.eligible });
  await work.flush();
  return after;
}

/** Makes a scheduled campaign a draft again. Errors: `not_found`, `precondition_failed`, `invalid_transition`. */
export async function unscheduleCampaign(work: Work, id: string): Promise<Campaign> {
  const before = await campaignForUpdate(work, id);
  work.precondition(before);
  requireAction(before, 'unschedule', work.actor);
  return changeStatus(work, before, { status: 'draft', scheduled_at: null });
}

function requireInTime({ now }: Work, scheduled_at: string): void {
  const ahead = Date.parse(scheduled_at) - now.getTime();
  if (ahead >= SOONEST && ahead <= LATEST) return;
  throw invalid('/scheduled_at', 'out_of_range', {
    en: `scheduled_at must be 1 minute to 1 year from now, ${now.toISOString()}`,
    ja: `scheduled_at には、現在（${now.toISOString()}）の1分後から1年後までの日時を指定してください`,
  });
}
