import { setImmediate as turnOfEvents } from 'node:timers/promises';
import { newId } from '../../../shared/kernel/id.ts';
import type { Work } from '../../../shared/kernel/work.ts';
import { JUDGED_FROM, pauseAtLimit } from '../../../shared/mail/campaigns/auto-pause.ts';
import type { AskedForLess } from '../../../shared/mail/sending/domain-speed.ts';
import { refreshSpeeds, slowDown } from '../../../shared/mail/sending/domain-speeds.ts';
import { HORIZON } from '../../../shared/mail/sending/ledger.ts';
import { lockRecipients } from '../../../shared/mail/sending/lock.ts';
import { LEASE, renewLeases } from '../../../shared/mail/sending/mark.ts';
import { noteUnreachable, stopCampaign } from '../../../shared/mail/sending/operations.ts';
import { asksForLess } from '../../../shared/mail/sending/outcomes.ts';
import { progressOf } from '../../../shared/mail/sending/progress.ts';
import { putOffHeld } from '../../../shared/mail/sending/put-off.ts';
import { MOST_IN_A_ROW } from '../../../shared/mail/sending/refusals.ts';
import { bounceHeld, settleRecipients } from '../../../shared/mail/sending/settle.ts';
import { installationState } from '../../../shared/platform/installation/installation.ts';
import { progressJob } from '../../../shared/platform/jobs/operations.ts';
import { reasons } from '../../../shared/platform/operators/reasons.ts';
import { type Delivery, type Handler, HeldBack } from '../../kernel/handler.ts';
import { LIMIT_REACHED, logPaused } from '../paused.ts';
import { conclude, type End, endedBy, unreachable } from './conclude.ts';
import { giveBack, giveLostBack, type LeftInHand } from './give-back.ts';
import { inOne, inOnePatiently } from './in-one.ts';
import { Judge, type Judged } from './judged.ts';
import type { Answered, Lane } from './lane.ts';
import { type Opened, openCampaign, type SliceSettings, sharingOf, statusOf } from './opened.ts';
import { beginsFor, markNext, NONE, unbegun, writeLetters } from './placing.ts';
import type { Sender } from './sender.ts';

/** Milliseconds for which a slice marks recipients; those in hand end after them. */
const SLICE = 25_000;

/** Milliseconds after which a slice looks whether its campaign still sends. */
const LOOK = 500;

/** Milliseconds after which answers are settled although they are few. */
const LINGER = 200;

/** Milliseconds after which a slice looks which domains other processes hold back, and what limits it by now. */
const REFRESH = 2_000;

/** Milliseconds between two words about how far the job is. */
const PROGRESS = 1_000;

export type SliceOptions = { sender: () => Promise<Sender>; settings: SliceSettings };

/** Sends mails of a campaign for half a minute, or until nothing of it may be sent for now. */
export function sendSlice({ sender: opened, settings }: SliceOptions): Handler<{ campaign_id: string }> {
  return async ({ campaign_id }, delivery) => {
    const campaign = await inOne(delivery, async (work) => {
      const { is_undecided } = await installationState(work.connection);
      if (is_undecided) throw new HeldBack(reasons.database_restored().en);
      return openCampaign(work, campaign_id, settings);
    });
    if (!campaign) return;
    const sender = await opened();
    const trouble = await sender.reach(campaign.unreachable_since === null);
    if (trouble) return unreachable(campaign, trouble, delivery);
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

type Ended = { end: End; wait: number };

/** Marks, sends and settles until the slice ends; what was begun is settled by then, also where a fault ends it. */
async function send(campaign: Opened, hand: InHand): Promise<Ended> {
  const left: LeftInHand = {
    campaign_id: campaign.campaign.id,
    lease_id: newId('dlv', hand.delivery.clock()),
    lane: hand.lane,
    judge: new Judge(campaign.held, campaign.ignored),
    unsettled: [],
  };
  try {
    return await takeTurns(campaign, hand, left);
  } catch (error) {
    await giveBack(left, hand.delivery);
    throw error;
  }
}

/** `left` holds at every moment what is to be given back. */
async function takeTurns(
  campaign: Opened,
  { sender, lane, delivery }: InHand,
  left: LeftInHand,
): Promise<Ended> {
  const { clock, draining } = delivery;
  const { lease_id, judge } = left;
  const domains = newCounter();
  const ends_at = clock().getTime() + SLICE;
  let end: End | null = null;
  let wait = 0;
  let renewed_at = clock().getTime();
  let told_at = 0;
  let looked_at = clock().getTime();
  let isRefused = false;
  let isOver = false;
  for (;;) {
    const now = clock();
    const trouble = sender.trouble();
    if (draining.aborted) end = 'drained';
    else if (trouble && trouble.pause > HORIZON) end = endedBy(end, 'unreachable');
    else if (now.getTime() >= ends_at) end ??= 'time';
    if (campaign.unreachable_since !== null && !trouble) {
      campaign.unreachable_since = null;
      await inOne(delivery, async (work) => noteUnreachable(work, campaign.campaign.id, null));
    }
    const isTakenBack = end !== null && (end !== 'time' || now.getTime() > ends_at + HORIZON);
    const back = isTakenBack ? lane.withdraw() : [];
    const answers = lane.takeAnswers();
    for (const { marked } of answers) domains.add(marked.domain, now.getTime());
    const judged = judge.judge(answers, now);
    const settlements = [...judged.settlements, ...back.map((marked) => unbegun(marked, now))];
    left.unsettled = settlements;
    if (judged.refused_sender) end = endedBy(end, 'stopped');
    const asking = slowed(answers, domains, now);
    // A turn that locks domains for their new speed locks none to take turns of theirs: it would be another order.
    const room = end === null && asking.length === 0 ? sender.room(lane) : 0;
    if (room > 0 && now.getTime() - looked_at > REFRESH) {
      looked_at = now.getTime();
      await inOnePatiently(delivery, async (work) => {
        await refreshSpeeds(work, campaign.speeds);
        campaign.sharing = await sharingOf(work, campaign.campaign.id, campaign.sharing.per_second);
      });
    }
    if (room > 0 && campaign.speeds.size > 0) {
      const turns = { speeds: campaign.speeds, by: now.getTime() + HORIZON };
      await inOnePatiently(delivery, (work) => putOffHeld(work, campaign.campaign.id, turns));
    }
    const begins =
      room > 0 ? await inOnePatiently(delivery, (work) => beginsFor(work, campaign, room)) : NONE;
    const takeTurn = async (work: Work) => {
      const asked = statusOf(work, campaign.campaign.id);
      // Whether it is over matters to what is queued again; all else does not wait for the answer.
      const isQueued = settlements.some(({ outcome }) => outcome.status === 'queued');
      const known = isQueued ? await asked : 'sending';
      const place = { campaign_id: campaign.campaign.id, lease_id, status: known };
      const bounced = judged.bounced.map(({ number }) => number);
      const all = bounced.length > 0 ? [...bounced, ...settlements.map(({ number }) => number)] : [];
      const locking = lockRecipients(work, place.campaign_id, all);
      const settling = settleRecipients(work, place, settlements);
      // The statements travel together, as each trip to the database holds up the next group; the marking asks for the status itself.
      // It stays behind what locks contacts and waits for it, since it locks some of its own.
      const mark = async () => {
        return judged.refused_sender ? NOBODY : await markNext(work, campaign, begins, lease_id);
      };
      const marking = bounced.length === 0 ? mark() : null;
      const [status] = await Promise.all([asked, locking, settling, marking]);
      await bounceHeld(work, campaign.campaign.id, judged.bounced);
      for (const { domain, ...asked } of asking)
        campaign.speeds.set(domain, await slowDown(work, domain, asked));
      const found = await (marking ?? mark());
      const isSending = status === 'sending' && !judged.refused_sender;
      if (now.getTime() - renewed_at > LEASE / 3)
        renewLeases(work, campaign.campaign.id, lane.numbers(), lease_id);
      // They are written while the commit travels.
      const letters = turnOfEvents().then(() =>
        writeLetters(campaign, found.marked, { spacings: begins.spacings, now, log: delivery.log }),
      );
      letters.catch(() => undefined);
      const isOver = status !== 'sending' && status !== 'paused';
      return { ...found, isSending, isOver, letters };
    };
    const turn = await inOnePatiently(delivery, takeTurn, (work) => giveLostBack(left, work));
    left.unsettled = [];
    if (now.getTime() - renewed_at > LEASE / 3) renewed_at = now.getTime();
    if (!turn.isSending) end = endedBy(end, 'stopped');
    isOver = turn.isOver;
    const { written, settled } = await turn.letters;
    if (written.length > 0) lane.add(written);
    if (settled.length > 0) {
      const place = { campaign_id: campaign.campaign.id, lease_id, status: 'sending' as const };
      await inOne(delivery, (work) => settleRecipients(work, place, settled));
    }
    await pauseWhereTooMuchCameBack(campaign, judged, delivery);
    if (judged.refused_sender && !isRefused) {
      isRefused = true;
      const { answer } = judged.refused_sender;
      await stopRefused(campaign.campaign.id, answer, delivery);
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
    if (isEmpty && (turn.found > 0 || asking.length > 0)) continue;
    const half = Math.ceil((lane.waiting + lane.under_way + lane.answers) / 2);
    const pause = lane.answers > 0 ? LINGER : LOOK;
    await lane.changed(half, Math.max(1, Math.min(pause, free ?? pause)));
  }
  if (end === 'nothing_due' || isOver) {
    const held = judge.takeHeld();
    await inOne(delivery, (work) => bounceHeld(work, campaign.campaign.id, held));
  }
  if (campaign.job_id !== null) await tellProgress(campaign, delivery);
  return { end, wait };
}

/** Pauses a campaign that a group of answers has brought to a limit of `auto_pause`, by a bounce or as the one from which it counts. */
async function pauseWhereTooMuchCameBack(
  campaign: Opened,
  { settlements, bounced }: Judged,
  { organization_id, database, clock, log }: Delivery,
): Promise<void> {
  const sent = settlements.filter(({ outcome }) => outcome.status === 'sent').length;
  const isYoung = sent > 0 && campaign.sent < JUDGED_FROM;
  campaign.sent += sent;
  const hasFailed = settlements.some(({ outcome }) => outcome.status === 'failed') || bounced.length > 0;
  if (!isYoung && !hasFailed) return;
  const campaign_id = campaign.campaign.id;
  const pause_reason = await pauseAtLimit(database, { organization_id, campaign_id, now: clock() });
  if (pause_reason !== null) logPaused(log, { campaign_id, pause_reason, reason: LIMIT_REACHED });
}

/** Pauses a campaign whose sender the server refuses, by an answer to its recipients or, null, to MAIL FROM. */
async function stopRefused(campaign_id: string, answer: string | null, delivery: Delivery): Promise<void> {
  const pause_reason = 'sender_refused';
  const isPaused = await inOne(delivery, (work) =>
    stopCampaign(work, campaign_id, { reason: pause_reason, answer }),
  );
  const reason = answer === null ? 'Refused at MAIL FROM' : `${MOST_IN_A_ROW} times in a row: ${answer}`;
  if (isPaused) logPaused(delivery.log, { campaign_id, pause_reason, reason });
}

const NOBODY = { marked: [], found: 0 };

/** Domains whose server asked for fewer mails, in order; `placed_by`: the latest. */
function slowed(
  answers: readonly Answered[],
  domains: Counter,
  now: Date,
): ({ domain: string } & AskedForLess)[] {
  const asked = new Map<string, number | null>();
  for (const { marked, dialogue } of answers) {
    if (dialogue.kind !== 'refused' || !asksForLess(dialogue)) continue;
    const { domain, placed_by } = marked;
    const latest = Math.max(placed_by ?? 0, asked.get(domain) ?? 0);
    asked.set(domain, latest || null);
  }
  return [...asked.keys()].sort().map((domain) => {
    const last_minute = domains.lastMinute(domain, now.getTime());
    return { domain, placed_by: asked.get(domain)!, last_minute };
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
