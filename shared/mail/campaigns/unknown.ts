import { z } from 'zod';
import type { Fact } from '../../kernel/fact.ts';
import { unknownReference } from '../../kernel/failure.ts';
import { id } from '../../kernel/schema.ts';
import type { Work } from '../../kernel/work.ts';
import { noteLastSent } from '../contacts/last-sent.ts';
import { moveCounts, moveHourlyCounts, SLOTS } from './counts.ts';
import { settleUnknownJob } from './jobs.ts';
import { campaignForUpdate } from './queries.ts';
import { type Campaign, CampaignModel, campaignFacts } from './record.ts';
import { requireAction } from './transitions.ts';

/** Recipients of one transaction, and that a call may name. */
const MOST_TOGETHER = 1_000;

/** `resend`: they get the mail, perhaps a second time. `accept`: they are taken to have got it. */
export const unknownChoices = ['resend', 'accept'] as const;

export type UnknownChoice = (typeof unknownChoices)[number];

/** What somebody decides about recipients of whom nobody knows whether they got the mail. */
export const UnknownInput = z
  .strictObject({
    action: z
      .enum(unknownChoices)
      .describe(
        '`resend`: they get the mail, perhaps a second time. `accept`: they are taken to have got it.',
      ),
    recipient_ids: z
      .array(id('mrcp'))
      .min(1)
      .max(MOST_TOGETHER)
      .optional()
      .describe('All whose status is `unknown` when it is left out. Those that were settled meanwhile stay.'),
  })
  .meta({ id: 'MailUnknownInput' });

export type UnknownInput = z.output<typeof UnknownInput>;

/** The decision changes no field of a campaign that goes on, and the audit log tells of it all the same. */
const decided: Fact = { ...campaignFacts.updated, always: true };

/**
 * Settles recipients of whom nobody knows whether they got the mail; a worker goes on with what is beyond the first thousand.
 * Nothing changes where there is none. Locks: the campaign, the recipients, the contacts, the counts. Errors: `not_found`,
 * `precondition_failed`, `invalid_transition`, `unknown_reference`.
 */
export async function decideUnknown(work: Work, campaign_id: string, input: UnknownInput): Promise<Campaign> {
  const { action, recipient_ids } = input;
  const before = await campaignForUpdate(work, campaign_id);
  work.precondition(before);
  requireAction(before, `${action}_unknown`, work.actor);
  if (recipient_ids) await requireRecipients(work, campaign_id, recipient_ids);
  const asked_at = work.now.toISOString();
  const { last, count } = await settleNext(work, { campaign_id, action, asked_at, after: 0, recipient_ids });
  if (count === 0) {
    work.nothingChanged();
    return before;
  }
  if (count === MOST_TOGETHER && !recipient_ids) {
    work.enqueue(settleUnknownJob, { campaign_id, action, asked_at, after: last });
  }
  const after = begunAgain(work, before, action);
  work.record(decided, { before, after });
  return after;
}

/** Where the settling of all unknown recipients of a campaign stands. */
export type Settling = { campaign_id: string; action: UnknownChoice; asked_at: string; after: number };

/**
 * Goes on with what somebody decided about all unknown recipients: those that became unknown later are not among them. Answers the
 * last number; null where there are no more, and where the campaign was cancelled, after which nothing is queued.
 */
export async function settleMoreUnknown(work: Work, settling: Settling): Promise<number | null> {
  const before = await campaignForUpdate(work, settling.campaign_id);
  if (settling.action === 'resend' && before.status === 'cancelled') return null;
  const { last, count } = await settleNext(work, settling);
  if (count === 0) return null;
  const after = begunAgain(work, before, settling.action);
  work.record(campaignFacts.updated, { before, after });
  return count === MOST_TOGETHER ? last : null;
}

/** A campaign that has ended sends again, to those who are queued now. */
function begunAgain(work: Work, before: Campaign, action: UnknownChoice): Campaign {
  if (action === 'accept' || before.status !== 'sent') return before;
  const after: Campaign = {
    ...before,
    status: 'sending',
    finished_at: null,
    updated_at: work.touch(before),
  };
  const { status, finished_at, updated_at } = after;
  const resumed_at = work.now.toISOString();
  work.update(CampaignModel, before.id, { status, finished_at, updated_at, resumed_at });
  return after;
}

async function requireRecipients(
  { connection, organization_id }: Work,
  campaign_id: string,
  ids: readonly string[],
): Promise<void> {
  const rows = await connection.query<{ id: string }>(
    `SELECT id FROM mail_campaign_recipients WHERE organization_id = $1 AND id = ANY ($2) AND campaign_id = $3`,
    [organization_id, ids, campaign_id],
  );
  const known = new Set(rows.map((row) => row.id));
  const index = ids.findIndex((each) => !known.has(each));
  if (index >= 0) throw unknownReference(`/recipient_ids/${index}`, ids[index]!);
}

type Next = Settling & { recipient_ids?: readonly string[] | undefined };

type Settled = { number: number; contact_id: string | null; tracked: boolean; sent_at: string | null };

/** An erased recipient has no address to send to. */
const taken = {
  resend: { where: 'AND email IS NOT NULL', set: "status = 'queued', reason = NULL, smtp_response = NULL" },
  accept: {
    where: '',
    set: "status = 'sent', reason = 'accepted_by_hand', sent_at = COALESCE(r.sent_at, $4)",
  },
};

/** Settles the next unknown recipients in the order of their numbers. */
async function settleNext(
  work: Work,
  { campaign_id, action, asked_at, after, recipient_ids = [] }: Next,
): Promise<{ last: number; count: number }> {
  const { where, set } = taken[action];
  const rows = await work.connection.query<Settled>(
    `WITH next AS (
       SELECT organization_id, campaign_id, number FROM mail_campaign_recipients
        WHERE organization_id = $1 AND campaign_id = $2 AND status = 'unknown' AND number > $3
          AND updated_at <= $5 AND ($6::text[] = '{}' OR id = ANY ($6)) ${where}
        ORDER BY number LIMIT ${MOST_TOGETHER} FOR NO KEY UPDATE)
     UPDATE mail_campaign_recipients r SET ${set}, next_attempt_at = NULL,
            updated_at = GREATEST($4::timestamptz, r.updated_at + interval '1 ms')
       FROM next WHERE r.organization_id = next.organization_id AND r.campaign_id = next.campaign_id
        AND r.number = next.number
     RETURNING r.number, r.contact_id, r.tracked, r.sent_at`,
    [work.organization_id, campaign_id, after, work.now.toISOString(), asked_at, recipient_ids],
  );
  const at = work.now.toISOString();
  if (action === 'accept') {
    const contact_ids = rows.flatMap(({ contact_id }) => contact_id ?? []);
    await noteLastSent(work, contact_ids, at);
  }
  for (const [slot, group] of bySlot(rows)) {
    const counted = { campaign_id, number: slot };
    const isSent = action === 'accept';
    moveCounts(work, counted, {
      unknown: -group.length,
      queued: isSent ? 0 : group.length,
      sent: isSent ? group.length : 0,
      sent_tracked: isSent ? group.filter(({ tracked }) => tracked).length : 0,
    });
    moveHourlyCounts(work, counted, at, { sent: isSent ? group.length : 0 });
  }
  return { last: Math.max(after, ...rows.map(({ number }) => number)), count: rows.length };
}

/** In the order of the slots, in which all lock them. */
function bySlot(rows: readonly Settled[]): [number, Settled[]][] {
  const groups = Map.groupBy(rows, ({ number }) => number % SLOTS);
  return [...groups].sort(([left], [right]) => left - right);
}
