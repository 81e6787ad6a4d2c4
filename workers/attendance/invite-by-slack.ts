import { reasonsOfAttendance } from '../../shared/attendance/failure-reasons.ts';
import {
  isTokenRefused,
  type Slack,
  SlackBusy,
  SlackRefusal,
  SlackTrouble,
  slackOf,
} from '../../shared/attendance/slack/api.ts';
import { noteRefusal, slackToken } from '../../shared/attendance/slack/connection.ts';
import {
  countDeliveries,
  invitationsOf,
  nextWaiting,
  prepareMember,
  toldInSlack,
  type Waiting,
} from '../../shared/attendance/slack/deliveries.ts';
import { invitationMessage } from '../../shared/attendance/slack/message.ts';
import { peopleFollowers } from '../../shared/domains.ts';
import type { Work } from '../../shared/kernel/work.ts';
import {
  beginDelivery,
  endDelivery,
  type Found,
  giveUpDeliveries,
  lockDeliverable,
  postponeDelivery,
} from '../../shared/platform/access/invitations/delivery.ts';
import { progressJob, startJob, succeedJob } from '../../shared/platform/jobs/operations.ts';
import type { OutsideServices } from '../../shared/platform/outside/open.ts';
import {
  type Delivery,
  type Handler,
  type Hooks,
  PermanentFailure,
  Postponed,
  TryLater,
} from '../kernel/handler.ts';
import { inDelivery } from '../kernel/settle.ts';

type Payload = { job_id: string };

/** A message on its way out: committed as such before it leaves. */
type Leaving = { channel: string; text: string };

/**
 * Sends the invitations of one call, one after the other: finds the person, asks for the mail, writes the message. That a
 * message is about to leave commits before it does, so the one that a worker had when it died is never sent again: it has
 * `failed`.
 */
export function inviteBySlack(services: OutsideServices): Handler<Payload> {
  return async ({ job_id }, delivery) => {
    const token = await begin(services, job_id, delivery);
    if (token === null) return;
    const slack = slackOf(services, token, delivery.signal);
    for (;;) {
      delivery.draining.throwIfAborted();
      const next = await inDelivery(delivery.database, delivery, delivery.clock(), (work) =>
        nextWaiting(work, job_id),
      );
      if (!next) break;
      if (!(await invite(slack, next, job_id, delivery))) return;
    }
    await delivery.settle(async (work) => {
      await succeedJob(work, job_id, await countDeliveries(work, job_id));
    });
  };
}

/**
 * Ends what an earlier try has left in doubt, and answers the token; null where the job was cancelled. Errors:
 * `PermanentFailure` where Slack is not connected any more.
 */
async function begin(services: OutsideServices, job_id: string, { part }: Delivery): Promise<string | null> {
  let token: string | null = null;
  let runs = false;
  await part(async (work) => {
    runs = await startJob(work, job_id);
    const ids = await invitationsOf(work, job_id);
    await giveUpDeliveries(work, ids, runs ? 'in_doubt' : 'stop', peopleFollowers);
    token = runs ? await slackToken(work, services.secret_keys) : null;
  });
  if (runs && token === null) throw notConnected();
  return token;
}

/** Sends one invitation. Answers false where the job was cancelled meanwhile. */
async function invite(slack: Slack, next: Waiting, job_id: string, delivery: Delivery): Promise<boolean> {
  const { found, channel } = await asked(delivery, () => personOf(slack, next, delivery));
  let leaving: Leaving | null = null;
  let runs = false;
  await delivery.part(async (work) => {
    leaving = await prepare(work, next, found, channel);
    runs = await progress(work, job_id);
    if (!runs) {
      leaving = null;
      work.abandon();
    }
  });
  if (!runs) {
    await delivery.part(async (work) =>
      giveUpDeliveries(work, await invitationsOf(work, job_id), 'stop', peopleFollowers),
    );
    return false;
  }
  if (leaving) await send(slack, next.invitation_id, leaving, delivery);
  return true;
}

/** Who is invited, as Slack knows them, and where they can be written to. */
async function personOf(
  slack: Slack,
  { email, slack_user_id, invitation_id }: Waiting,
  { log }: Delivery,
): Promise<{ found: Found; channel: string | null }> {
  const found: Found = { email: null, slack_user_id, outcome: 'not_found' };
  try {
    const person = email === null ? await slack.personById(slack_user_id!) : await slack.personByEmail(email);
    if (person === null) return { found, channel: null };
    found.email = person.email;
    found.slack_user_id = person.id;
    const channel = (email ?? person.email) === null ? null : await slack.channelTo(person.id);
    if (channel !== null) found.outcome = 'reachable';
    return { found, channel };
  } catch (error) {
    if (!(error instanceof SlackRefusal) || isTokenRefused(error)) throw error;
    log.warn({ invitation_id, reason: error.message }, 'Slack does not say who is invited');
    found.outcome = 'failed';
    return { found, channel: null };
  }
}

async function prepare(
  work: Work,
  next: Waiting,
  found: Found,
  channel: string | null,
): Promise<Leaving | null> {
  const row = await lockDeliverable(work, next.invitation_id);
  if (!row) return null;
  const began = await beginDelivery(work, row, found, peopleFollowers);
  const email = row.email?.toLowerCase() ?? found.email?.toLowerCase();
  if (email !== undefined && began !== 'already_member') {
    await prepareMember(work, email, { ...next, slack_user_id: found.slack_user_id });
  }
  if (began !== 'sending') return null;
  await work.flush();
  return { channel: channel!, text: invitationMessage(await toldInSlack(work, row.id)) };
}

async function progress(work: Work, job_id: string): Promise<boolean> {
  await work.flush();
  const counts = await countDeliveries(work, job_id);
  const { queued = 0, ...others } = counts;
  const done = Object.values(others).reduce((sum, count) => sum + count, 0);
  return progressJob(work, job_id, { done, total: done + queued });
}

/**
 * Writes the message. What Slack refuses has failed; what it puts off waits again. Where it may have arrived nobody knows,
 * and it is not sent again.
 */
async function send(slack: Slack, id: string, { channel, text }: Leaving, delivery: Delivery): Promise<void> {
  try {
    await slack.post(channel, text);
  } catch (error) {
    const isCertain = error instanceof SlackBusy || (error instanceof SlackTrouble && !error.may_be_done);
    await note(delivery, async (work) =>
      isCertain ? postponeDelivery(work, id) : endDelivery(work, id, 'failed'),
    );
    if (isCertain || isTokenRefused(error)) await asked(delivery, () => Promise.reject(error));
    if (!(error instanceof SlackRefusal || error instanceof SlackTrouble)) throw error;
    delivery.log.warn({ invitation_id: id, reason: error.message }, 'A message in Slack failed');
    return;
  }
  await note(delivery, (work) => endDelivery(work, id, 'sent'));
}

/** Notes how a message ended, also where the process is about to end: the next try is to know it. */
function note(delivery: Delivery, write: (work: Work) => Promise<void>): Promise<void> {
  return inDelivery(delivery.database, delivery, delivery.clock(), write);
}

/** Asks Slack. Errors: `Postponed` and `TryLater` where it is to be asked again, `PermanentFailure` for a refused token. */
async function asked<T>(delivery: Delivery, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof SlackBusy) throw new Postponed(error.message, error.milliseconds);
    if (error instanceof SlackTrouble) throw new TryLater(error.message);
    if (!(error instanceof SlackRefusal) || !isTokenRefused(error)) throw error;
    await note(delivery, async (work) => noteRefusal(work));
    throw new PermanentFailure(error.message, { code: 'slack_not_connected' });
  }
}

function notConnected(): PermanentFailure {
  return new PermanentFailure(reasonsOfAttendance.slack_not_connected().en, { code: 'slack_not_connected' });
}

/** A job that is given up leaves nobody waiting: whose address is known gets the mail at least. */
export const slackHooks: Hooks<Payload> = {
  gaveUp: async ({ job_id }, work) =>
    giveUpDeliveries(work, await invitationsOf(work, job_id), 'tell', peopleFollowers),
};
