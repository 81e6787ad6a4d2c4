import type { Work } from '../../../shared/kernel/work.ts';
import { reasonsOfMail } from '../../../shared/mail/failure-reasons.ts';
import { sendSliceJob } from '../../../shared/mail/sending/jobs.ts';
import { finishCampaign, noteUnreachable, stopCampaign } from '../../../shared/mail/sending/operations.ts';
import { HAS_OPEN } from '../../../shared/mail/sending/progress.ts';
import { isUnavailable } from '../../../shared/mail/sending/trouble.ts';
import { type Delivery, Postponed } from '../../kernel/handler.ts';
import { logPaused } from '../paused.ts';
import { inOne } from './in-one.ts';
import type { Opened } from './opened.ts';
import type { Sender, Trouble } from './sender.ts';

/** Milliseconds for which a slice that waits gives its place up, at the most. */
const LONGEST_WAIT = 10_000;

/** Why a slice marks no more. */
export type End = 'time' | 'stopped' | 'drained' | 'unreachable' | 'nothing_due' | 'limited';

/** What comes after a slice: the next one, at once or later, or the end of the campaign. */
export async function conclude(
  campaign: Opened,
  { end, wait, sender, delivery }: { end: End; wait: number; sender: Sender; delivery: Delivery },
): Promise<void> {
  const campaign_id = campaign.campaign.id;
  if (end === 'drained') delivery.draining.throwIfAborted();
  if (end === 'limited')
    throw new Postponed(reasonsOfMail.waits_for_limits().en, Math.min(wait, LONGEST_WAIT));
  if (end === 'time' || end === 'unreachable') {
    const trouble = sender.trouble();
    if (trouble) return unreachable(campaign, trouble, delivery);
    return delivery.settle(async (work) => {
      work.enqueue(sendSliceJob, { campaign_id });
    });
  }
  if (end === 'stopped') return;
  let isOver = false;
  await delivery.part(async (work) => {
    isOver = await finishCampaign(work, campaign_id);
  });
  if (isOver) return;
  const due = await inOne(delivery, (work) => nextDue(work, campaign_id));
  if (due === null) return;
  const pause = Math.max(due - delivery.clock().getTime(), 1_000);
  throw new Postponed(reasonsOfMail.waits_for_recipients().en, Math.min(pause, LONGEST_WAIT));
}

/** What ends a slice: that its time is over gives way to what has its mails taken back. */
export function endedBy(end: End | null, reason: End): End {
  return end === null || end === 'time' ? reason : end;
}

/** A server that cannot be reached is waited for; after ten minutes, or where it refuses the sign-in, the campaign pauses. */
export async function unreachable(
  campaign: Opened,
  { is_sign_in_refused, pause, words: reason }: Trouble,
  delivery: Delivery,
): Promise<void> {
  const { id } = campaign.campaign;
  const { log } = delivery;
  const now = delivery.clock();
  const since = campaign.unreachable_since ?? now.toISOString();
  const isOver = isUnavailable({ is_sign_in_refused, since }, now);
  const pause_reason = 'smtp_unavailable';
  const isPaused = await inOne(delivery, async (work) => {
    if (isOver) return stopCampaign(work, id, { reason: pause_reason, answer: null });
    noteUnreachable(work, id, since);
    return false;
  });
  if (isPaused) logPaused(log, { campaign_id: id, pause_reason, reason });
  if (isOver) return;
  if (campaign.unreachable_since === null)
    log.warn({ campaign_id: id, reason }, 'A campaign waits for its mail server');
  throw new Postponed(reasonsOfMail.no_server().en, Math.max(pause, 1_000));
}

/** Milliseconds when the next recipient is due; null where none is queued or in hand. */
async function nextDue(
  { connection, organization_id, now }: Work,
  campaign_id: string,
): Promise<number | null> {
  const [row] = await connection.query<{ next_at: string | null; is_open: boolean }>(
    `SELECT (SELECT min(next_attempt_at) FROM mail_campaign_recipients
              WHERE organization_id = $1 AND campaign_id = $2 AND status = 'queued'
                AND next_attempt_at IS NOT NULL) AS next_at,
            ${HAS_OPEN} AS is_open`,
    [organization_id, campaign_id],
  );
  if (!row!.is_open) return null;
  // Others hold rows: they are settled, or their leases end.
  return row!.next_at === null ? now.getTime() + 5_000 : Date.parse(row!.next_at);
}
