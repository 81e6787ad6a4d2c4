import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Work } from '../../shared/kernel/work.ts';
import { installationState } from '../../shared/platform/installation/installation.ts';
import { tokenFrom } from '../../shared/platform/links/token.ts';
import type { Letter } from '../../shared/platform/mailer/letter.ts';
import { composeMessage, LOCAL_SENDER, messageIdOf } from '../../shared/platform/mailer/message.ts';
import type { Composing, MailEnding, Pointless, WholeMail } from '../../shared/platform/mailer/purpose.ts';
import type { Purposes } from '../../shared/platform/mailer/purposes.ts';
import {
  beginAttempt,
  giveUpMail,
  lockMail,
  type MailRow,
  markEnded,
  markSending,
  markWaiting,
  queueMailAgain,
} from '../../shared/platform/mailer/record.ts';
import {
  MailFailure,
  MailLost,
  MailOvertaken,
  type Outgoing,
  type Transport,
} from '../../shared/platform/mailer/transport.ts';
import { reasons } from '../../shared/platform/operators/reasons.ts';
import type { SecretKeys } from '../../shared/platform/secrets/keys.ts';
import type { Storage } from '../../shared/platform/storage/storage.ts';
import { type Delivery, type Handler, HeldBack, type Hooks, Overtaken, TryLater } from '../kernel/handler.ts';
import { inDelivery } from '../kernel/settle.ts';

export type SendMailOptions = {
  transport: Transport;
  storage: Storage;
  purposes: Purposes;
  mail_from: string | undefined;
  base_url: string;
  secret_keys: SecretKeys;
};

type Prepared = { row: MailRow; letter: Letter | WholeMail; now: Date };
type Ended = { row: MailRow; ending: MailEnding };

/** Writes one mail from fresh data and hands it to the mail server, at most once for certain. */
export function sendMail(options: SendMailOptions): Handler<{ mail_id: string }> {
  return async ({ mail_id }, delivery) => {
    const prepared = await prepare(options, mail_id, delivery);
    if (!prepared) return;
    const ended = 'letter' in prepared ? await send(options, prepared, delivery) : prepared;
    await end(options.purposes, ended, delivery);
  };
}

/**
 * Begins a try: text, address and link are made now, and the link's hash commits before the mail leaves. Answers
 * how the mail ended where there is nothing to send; null when that is known already.
 */
async function prepare(
  { transport, purposes, mail_from = LOCAL_SENDER, base_url, secret_keys }: SendMailOptions,
  mail_id: string,
  delivery: Delivery,
): Promise<Prepared | Ended | null> {
  const { database, organization_id, clock } = delivery;
  const now = clock();
  return inDelivery(database, delivery, now, async (work) => {
    const { connection } = work;
    await delivery.fence(connection);
    const row = await lockMail(connection, organization_id, mail_id);
    if (!row || ['sent', 'failed', 'unknown'].includes(row.status)) return null;
    if (row.status === 'sending' && !transport.repeatable) return { row, ending: CUT_OFF };
    // Its queue is paused then; this is for a ticket that was dispatched before.
    const { is_undecided } = await installationState(connection);
    if (is_undecided) throw new HeldBack(reasons.database_restored().en);
    const message_id = messageIdOf(mail_id, base_url);
    await beginAttempt(connection, organization_id, mail_id, { now, message_id });
    const letter = await compose(purposes, row, {
      mail_id,
      work,
      connection,
      organization_id,
      locale: row.locale,
      now,
      base_url,
      mail_from,
      newToken: () => tokenFrom(randomBytes(32)),
      secret_keys,
    });
    if ('pointless' in letter) {
      work.abandon();
      return { row, ending: { status: 'failed', error: letter.pointless.en } };
    }
    return { row: { ...row, attempts: row.attempts + 1 }, letter, now };
  });
}

const CUT_OFF: MailEnding = {
  status: 'unknown',
  error: reasons.worker_ended().en,
};

/** What becomes of a mail when its delivery is given up, and when an operator has it tried again. */
export const mailHooks: Hooks<{ mail_id: string }> = {
  gaveUp: async ({ mail_id }, work, { message }) => {
    const { text, values } = giveUpMail(mail_id, { now: work.now, error: message });
    work.run(text, [work.organization_id, ...values]);
  },
  retried: async ({ mail_id }, work) => {
    const { text, values } = queueMailAgain(mail_id, { now: work.now });
    work.run(text, [work.organization_id, ...values]);
  },
};

function compose(
  purposes: Purposes,
  row: MailRow,
  composing: Composing,
): Promise<Letter | WholeMail | Pointless> {
  const purpose = purposes.get(row.purpose);
  if (!purpose) throw new TryLater(reasons.no_text().en);
  return purpose.compose(purpose.about.parse(row.about), composing);
}

/** A mail as it travels. The attachments of a letter are read now. */
async function outgoing(
  { storage, mail_from = LOCAL_SENDER, base_url }: SendMailOptions,
  { row: { id }, letter, now }: Prepared,
): Promise<Outgoing> {
  if ('message' in letter) return { id, from: letter.from, to: letter.to, raw: letter.message };
  const stored = (letter.attachments ?? []).map(({ storage_key }) => storage.read(storage_key).then(buffer));
  const files = await Promise.all(stored);
  return composeMessage(letter, { mail_id: id, from: mail_from, base_url, now, files });
}

/**
 * Hands a mail over. Its attachments are read while no connection is held. Errors: `Overtaken` where another try has the
 * mail in hand.
 */
async function send(options: SendMailOptions, prepared: Prepared, delivery: Delivery): Promise<Ended> {
  const { row } = prepared;
  const { organization_id, clock, signal } = delivery;
  const { id, attempts } = row;
  const mail = await outgoing(options, prepared);
  const commit = () =>
    inTry(delivery, ({ connection }) =>
      markSending(connection, organization_id, id, { now: clock(), attempt: attempts }),
    ).catch((error) => {
      if (error instanceof Overtaken) return false;
      throw error;
    });
  try {
    await options.transport.deliver(mail, commit, signal);
    return { row, ending: { status: 'sent', error: null } };
  } catch (error) {
    if (error instanceof MailOvertaken) throw new Overtaken();
    const ending = endingOf(error, attempts, delivery.is_last_attempt);
    if (ending) return { row, ending };
    const { message, reply } = error as MailFailure;
    await inTry(delivery, ({ connection }) =>
      markWaiting(connection, organization_id, id, {
        now: clock(),
        attempt: attempts,
        error: reply ?? message,
      }),
    );
    // The reply may hold the address, so the log gets the sentence without it.
    throw new TryLater(message);
  }
}

/** How a mail ended by what its transport threw; null where it was refused for now. */
function endingOf(error: unknown, tries: number, is_last_attempt: boolean): MailEnding | null {
  if (error instanceof MailLost) {
    return { status: 'unknown', error: reasons.nothing_heard(error.message).en };
  }
  if (!(error instanceof MailFailure)) throw error;
  const words = error.reply ?? error.message;
  if (error.permanent) return { status: 'failed', error: words };
  return is_last_attempt ? { status: 'failed', error: reasons.given_up(tries, words).en } : null;
}

/**
 * Outside the receipt's transaction: the server's acceptance is certain whichever try received it, so `sent` is
 * written also by a try that was overtaken meanwhile. Any other ending is the current try's alone to write.
 */
async function end(purposes: Purposes, { row, ending }: Ended, delivery: Delivery): Promise<void> {
  const { database, organization_id, clock, log } = delivery;
  const now = clock();
  const write = async (work: Work) => {
    const { connection } = work;
    const how = { now, attempt: row.attempts, ...ending };
    const isFirst = await markEnded(connection, organization_id, row.id, how);
    const purpose = purposes.get(row.purpose);
    if (isFirst) await purpose?.ended?.(purpose.about.parse(row.about), work, ending, row.id);
  };
  if (ending.status === 'sent') await inDelivery(database, delivery, now, write);
  else await inTry(delivery, write);
  const mail_id = row.id;
  if (ending.status === 'sent') log.info({ mail_id }, 'A mail was sent');
  else log.warn({ mail_id, status: ending.status }, 'A mail failed, or its delivery is unknown');
}

/**
 * A transaction of this try alone. Unlike `delivery.part` it commits also when the process is about to end: what the
 * mail server has answered is to be known to the next try. Errors: `Overtaken`.
 */
function inTry<T>(delivery: Delivery, run: (work: Work) => Promise<T>): Promise<T> {
  return inDelivery(delivery.database, delivery, delivery.clock(), async (work) => {
    await delivery.fence(work.connection);
    return run(work);
  });
}
