import { newId } from '../../../shared/kernel/id.ts';
import type { Work } from '../../../shared/kernel/work.ts';
import { slowDown, takeTurn } from '../../../shared/mail/sending/domain-speeds.ts';
import { sendSliceJob } from '../../../shared/mail/sending/jobs.ts';
import { type Begins, HORIZON, takeBegins } from '../../../shared/mail/sending/ledger.ts';
import {
  LEASE,
  type MarkedRecipient,
  markRecipients,
  renewLeases,
} from '../../../shared/mail/sending/mark.ts';
import { finishCampaign, noteUnreachable, stopCampaign } from '../../../shared/mail/sending/operations.ts';
import { asksForLess, type Outcome } from '../../../shared/mail/sending/outcomes.ts';
import { progressOf } from '../../../shared/mail/sending/progress.ts';
import { bounceHeld, type Settlement, settleRecipients } from '../../../shared/mail/sending/settle.ts';
import { isUnavailable } from '../../../shared/mail/sending/trouble.ts';
import { installationState } from '../../../shared/platform/installation/installation.ts';
import { progressJob } from '../../../shared/platform/jobs/operations.ts';
import { type Delivery, type Handler, HeldBack, Postponed } from '../../kernel/handler.ts';
import { inDelivery } from '../../kernel/settle.ts';
import { Judge } from './judged.ts';
import type { Answered, Lane, Marked } from './lane.ts';
import { type Opened, openCampaign, type SliceSettings } from './opened.ts';
import type { Sender, Trouble } from './sender.ts';

/** Milliseconds for which a slice marks recipients; those in hand end after them. */
const SLICE = 25_000;

/** Milliseconds after which a slice looks whether its campaign still sends. */
const LOOK = 500;

/** Milliseconds after which answers are settled although they are few. */
const LINGER = 200;

/** Milliseconds for which a slice that waits gives its place up, at the most. */
const LONGEST_WAIT = 10_000;

/** Milliseconds between two words about how far the job is. */
const PROGRESS = 1_000;

/** Why a slice marks no more. */
type End = 'time' | 'stopped' | 'drained' | 'unreachable' | 'nothing_due' | 'limited';

export type SliceOptions = { sender: () => Promise<Sender>; settings: SliceSettings };

/** Sends mails of a campaign for half a minute, or until nothing of it may be sent for now. */
export function sendSlice({ sender: opened, settings }: SliceOptions): Handler<{ campaign_id: string }> {
  return async ({ campaign_id }, delivery) => {
    const campaign = await inOne(delivery, async (work) => {
      const { is_undecided } = await installationState(work.connection);
      if (is_undecided) throw new HeldBack('The database was restored: see npm run installation');
      return openCampaign(work, campaign_id, settings);
    });
    if (!campaign) return;
    const sender = await opened();
    const trouble = await sender.reach();
    if (trouble) return unreachable(campaign, trouble, delivery);
    if (campaign.unreachable_since !== null) {
      await inOne(delivery, async (work) => noteUnreachable(work, campaign_id, null));
    }
    const lane = sender.open();
    try {
      const { end, wait } = await send(campaign, { sender, lane, delivery });
      await conclude(campaign, { end, wait, sender, delivery });
    } finally {
      sender.close(lane);
    }
  };
}

type InHand = { sender: Sender; lane: Lane; delivery: Delivery };

/** Marks, sends and settles until the slice ends; what was begun is settled by then. */
async function send(
  campaign: Opened,
  { sender, lane, delivery }: InHand,
): Promise<{ end: End; wait: number }> {
  const { clock, draining } = delivery;
  const lease_id = newId('dlv', clock());
  const judge = new Judge(campaign.held, campaign.ignored);
  const domains = newCounter();
  const ends_at = clock().getTime() + SLICE;
  let end: End | null = null;
  let wait = 0;
  let renewed_at = clock().getTime();
  let told_at = 0;
  for (;;) {
    const now = clock();
    const trouble = sender.trouble();
    if (draining.aborted) end = 'drained';
    else if (trouble && trouble.pause > HORIZON) end ??= 'unreachable';
    else if (now.getTime() >= ends_at) end ??= 'time';
    const isTakenBack = end === 'drained' || end === 'unreachable' || end === 'stopped';
    const back = isTakenBack ? lane.withdraw() : [];
    const answers = lane.takeAnswers();
    for (const { marked } of answers) domains.add(marked.domain, now.getTime());
    const judged = judge.judge(answers, now);
    if (judged.refused_sender) end ??= 'stopped';
    const room = end === null ? sender.room(lane) : 0;
    const begins =
      room > 0 ? await inOne(delivery, (work) => takeBegins(work, campaign.sharing, room)) : NONE;
    const turn = await inOne(delivery, async (work) => {
      const status = await statusOf(work, campaign.campaign.id);
      const settlements = [...judged.settlements, ...back.map((marked) => unbegun(marked, now))];
      const place = { campaign_id: campaign.campaign.id, lease_id, is_cancelled: status === 'cancelled' };
      await settleRecipients(work, place, settlements);
      await bounceHeld(work, campaign.campaign.id, judged.bounced);
      for (const { domain, last_minute } of slowed(answers, domains, now))
        await slowDown(work, domain, last_minute);
      const isSending = status === 'sending' && !judged.refused_sender;
      const found = isSending ? await markNext(work, campaign, begins, lease_id) : { marked: [], found: 0 };
      if (now.getTime() - renewed_at > LEASE / 3)
        renewLeases(work, campaign.campaign.id, lane.numbers(), lease_id);
      return { ...found, isSending };
    });
    if (now.getTime() - renewed_at > LEASE / 3) renewed_at = now.getTime();
    if (!turn.isSending) end ??= 'stopped';
    await add(lane, campaign, turn.marked, { begins, delivery, lease_id });
    if (judged.refused_sender) {
      const { answer } = judged.refused_sender;
      await inOne(delivery, (work) =>
        stopCampaign(work, campaign.campaign.id, { reason: 'sender_refused', answer }),
      );
    }
    if (campaign.job_id !== null && now.getTime() - told_at > PROGRESS) {
      told_at = now.getTime();
      await tellProgress(campaign, delivery);
    }
    const isEmpty = lane.waiting + lane.under_way + lane.answers === 0;
    if (end !== null && isEmpty) break;
    const free = begins.free_at === null ? null : begins.free_at - now.getTime();
    if (isEmpty && free !== null && free > HORIZON) {
      end = 'limited';
      wait = free;
      break;
    }
    if (isEmpty && room > 0 && free === null && turn.found === 0) {
      end = 'nothing_due';
      break;
    }
    if (isEmpty && turn.found > 0) continue;
    const half = Math.ceil((lane.waiting + lane.under_way + lane.answers) / 2);
    const pause = lane.answers > 0 ? LINGER : LOOK;
    await lane.changed(half, Math.max(1, Math.min(pause, free ?? pause)));
  }
  if (end === 'nothing_due') {
    const held = judge.takeHeld();
    await inOne(delivery, (work) => bounceHeld(work, campaign.campaign.id, held));
  }
  if (campaign.job_id !== null) await tellProgress(campaign, delivery);
  return { end, wait };
}

const NONE: Begins = { begins: [], spacing: 0, free_at: null };

/** What comes after a slice: the next one, at once or later, or the end of the campaign. */
async function conclude(
  campaign: Opened,
  { end, wait, sender, delivery }: { end: End; wait: number; sender: Sender; delivery: Delivery },
): Promise<void> {
  const campaign_id = campaign.campaign.id;
  if (end === 'drained') delivery.draining.throwIfAborted();
  if (end === 'limited')
    throw new Postponed('The campaign waits for its limits', Math.min(wait, LONGEST_WAIT));
  if (end === 'unreachable') {
    const trouble = sender.trouble();
    if (trouble) return unreachable(campaign, trouble, delivery);
  }
  if (end === 'time' || end === 'unreachable') {
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
  throw new Postponed('The campaign waits for recipients to be tried again', Math.min(pause, LONGEST_WAIT));
}

/** A server that cannot be reached is waited for; after ten minutes, or where it refuses the sign-in, the campaign pauses. */
async function unreachable(
  campaign: Opened,
  { is_sign_in_refused, pause }: Trouble,
  delivery: Delivery,
): Promise<void> {
  const { id } = campaign.campaign;
  const now = delivery.clock();
  const since = campaign.unreachable_since ?? now.toISOString();
  const isOver = isUnavailable({ is_sign_in_refused, since }, now);
  await inOne(delivery, async (work) => {
    if (isOver) await stopCampaign(work, id, { reason: 'smtp_unavailable', answer: null });
    else noteUnreachable(work, id, since);
  });
  if (isOver) return;
  throw new Postponed('The mail server cannot be reached', Math.max(pause, 1_000));
}

async function statusOf({ connection, organization_id }: Work, campaign_id: string): Promise<string | null> {
  const [row] = await connection.query<{ status: string }>(
    'SELECT status FROM mail_campaigns WHERE organization_id = $1 AND id = $2 FOR SHARE',
    [organization_id, campaign_id],
  );
  return row?.status ?? null;
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
            EXISTS (SELECT FROM mail_campaign_recipients WHERE organization_id = $1 AND campaign_id = $2
              AND status IN ('queued', 'sending')) AS is_open`,
    [organization_id, campaign_id],
  );
  if (!row!.is_open) return null;
  // Others hold rows: they are settled, or their leases end.
  return row!.next_at === null ? now.getTime() + 5_000 : Date.parse(row!.next_at);
}

type Placed = MarkedRecipient & { begins_at: number };

/** Marks as many recipients as may begin; those of a domain that is held back wait for its turn. */
async function markNext(
  work: Work,
  { campaign, speeds }: Opened,
  { begins }: Begins,
  lease_id: string,
): Promise<{ marked: Placed[]; found: number }> {
  if (begins.length === 0) return { marked: [], found: 0 };
  const { marked, found } = await markRecipients(work, campaign, { most: begins.length, lease_id });
  const placed: Placed[] = [];
  const later: Settlement[] = [];
  for (const [index, recipient] of marked.entries()) {
    const speed = speeds.get(domainOf(recipient));
    const begins_at = begins[index]!;
    if (!speed) {
      placed.push({ ...recipient, begins_at });
      continue;
    }
    const now = work.now.getTime();
    const turn = await takeTurn(work, domainOf(recipient), { interval: speed.interval, by: now + HORIZON });
    if (turn.begins_at !== null) {
      placed.push({ ...recipient, begins_at: Math.max(begins_at, turn.begins_at) });
      continue;
    }
    // Its turn comes after those that were put off before it; farther than that nobody looks.
    speed.next_at = Math.min(Math.max(speed.next_at, turn.next_at) + speed.interval, now + FARTHEST);
    later.push(putOff(recipient, speed.next_at, work.now));
  }
  await settleRecipients(work, { campaign_id: campaign.id, lease_id, is_cancelled: false }, later);
  return { marked: placed, found };
}

/** Milliseconds for which a recipient of a domain that is held back is put off, at the most. */
const FARTHEST = 10 * 60_000;

function domainOf({ email_key }: Pick<MarkedRecipient, 'email_key'>): string {
  return email_key.slice(email_key.lastIndexOf('@') + 1);
}

function queued(attempts: number, next_attempt_at: string | null): Outcome {
  return { status: 'queued', reason: null, attempts, next_attempt_at, smtp_response: null, bounce: null };
}

function putOff({ number, attempts }: MarkedRecipient, at: number, now: Date): Settlement {
  const outcome = queued(attempts, new Date(at).toISOString());
  return { number, outcome, message_id: null, at: now.toISOString() };
}

/** A row whose dialogue has not begun is queued as before. */
function unbegun({ number, attempts, next_attempt_at }: Marked, now: Date): Settlement {
  return { number, outcome: queued(attempts, next_attempt_at), message_id: null, at: now.toISOString() };
}

/** Writes the mails of marked rows and hands them to the lane. Whose contact has lost a value meanwhile is skipped. */
async function add(
  lane: Lane,
  { mail, sign, campaign }: Opened,
  recipients: readonly Placed[],
  { begins, delivery, lease_id }: { begins: Begins; delivery: Delivery; lease_id: string },
): Promise<void> {
  const now = delivery.clock();
  const written: Marked[] = [];
  const skipped: Settlement[] = [];
  for (const { begins_at, ...recipient } of recipients) {
    const { number, attempts, next_attempt_at, id } = recipient;
    const { message, message_id, envelope, missing } = mail.render(recipient, now);
    if (missing.length > 0) {
      const outcome = { ...queued(attempts, null), status: 'skipped', reason: 'missing_value' } as const;
      skipped.push({ number, outcome, message_id: null, at: now.toISOString() });
      continue;
    }
    written.push({
      number,
      message_id,
      attempts,
      next_attempt_at,
      domain: domainOf(recipient),
      begins_at,
      spacing: begins.spacing,
      letter: { id, message: sign ? await sign(message) : message, envelope },
    });
  }
  if (written.length > 0) lane.add(written);
  if (skipped.length === 0) return;
  const place = { campaign_id: campaign.id, lease_id, is_cancelled: false };
  await inOne(delivery, (work) => settleRecipients(work, place, skipped));
}

/** Domains whose server asked for fewer mails, and how many they got in the last minute. */
function slowed(answers: readonly Answered[], domains: Counter, now: Date) {
  const asked = answers.flatMap(({ marked, dialogue }) =>
    dialogue.kind === 'refused' && asksForLess(dialogue) ? [marked.domain] : [],
  );
  return [...new Set(asked)].sort().map((domain) => {
    return { domain, last_minute: domains.lastMinute(domain, now.getTime()) };
  });
}

type Counter = { add(domain: string, at: number): void; lastMinute(domain: string, now: number): number };

/** Counts the mails of this slice by domain. */
function newCounter(): Counter {
  const times = new Map<string, number[]>();
  return {
    add: (domain, at) => {
      const known = times.get(domain);
      if (known) known.push(at);
      else times.set(domain, [at]);
    },
    lastMinute: (domain, now) => (times.get(domain) ?? []).filter((at) => at > now - 60_000).length,
  };
}

async function tellProgress({ campaign, job_id }: Opened, delivery: Delivery): Promise<void> {
  await inOne(delivery, async (work) => {
    const { done, total } = await progressOf(work, campaign.id);
    await progressJob(work, job_id!, { done, total });
  });
}

/**
 * A transaction of this slice that commits also when another try of the job has begun: what the server has answered is certain,
 * and two slices share the rows.
 */
function inOne<T>(delivery: Delivery, run: (work: Work) => Promise<T>): Promise<T> {
  return inDelivery(delivery.database, delivery, delivery.clock(), run);
}
