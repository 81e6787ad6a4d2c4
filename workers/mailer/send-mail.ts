import { randomBytes } from 'node:crypto';
import { transaction } from '../../shared/db/transaction.ts';
import { composeMessage, LOCAL_SENDER, messageIdOf } from '../../shared/mailer/message.ts';
import { purposes } from '../../shared/mailer/purposes.ts';
import {
  beginAttempt,
  giveUpMail,
  lockMail,
  type MailRow,
  markEnded,
  markSending,
  markWaiting,
  queueMailAgain,
} from '../../shared/mailer/record.ts';
import { tokenFrom } from '../../shared/mailer/token.ts';
import {
  MailLost,
  MailRefused,
  MailTaken,
  type Outgoing,
  type Transport,
} from '../../shared/mailer/transport.ts';
import { type Delivery, type Handler, type Hooks, TryLater } from '../kernel/handler.ts';

export type SendMailOptions = { transport: Transport; mail_from: string | undefined; base_url: string };

type Prepared = { mail: Outgoing; attempt: number };
type Ending = { status: 'sent' | 'failed' | 'unknown'; error: string | null };

/** Writes one mail from fresh data and hands it to the mail server, at most once for certain. */
export function sendMail(options: SendMailOptions): Handler<{ mail_id: string }> {
  return async ({ mail_id }, delivery) => {
    const prepared = await prepare(options, mail_id, delivery);
    const ending = 'mail' in prepared ? await send(options.transport, prepared, delivery) : prepared.ending;
    if (ending) await end(mail_id, ending, delivery);
  };
}

/**
 * Begins a try: text, address and link are made now, and the link's hash commits before the mail leaves. Answers
 * how the mail ended where there is nothing to send; null when that is known already.
 */
async function prepare(
  { transport, mail_from = LOCAL_SENDER, base_url }: SendMailOptions,
  mail_id: string,
  { database, organization_id, clock }: Delivery,
): Promise<Prepared | { ending: Ending | null }> {
  return database.withConnection(organization_id, (connection) =>
    transaction(connection, async (commit) => {
      const now = clock();
      const row = await lockMail(connection, organization_id, mail_id);
      if (!row || ['sent', 'failed', 'unknown'].includes(row.status)) return { ending: null };
      if (row.status === 'sending' && !transport.repeatable) return { ending: CUT_OFF };
      const message_id = messageIdOf(mail_id, base_url);
      await beginAttempt(connection, organization_id, mail_id, { now, message_id });
      const letter = await compose(row, {
        ...{ connection, organization_id, locale: row.locale, now, base_url },
        newToken: () => tokenFrom(randomBytes(32)),
      });
      if ('pointless' in letter) return { ending: { status: 'failed', error: letter.pointless } };
      const mail = await composeMessage(letter, { mail_id, from: mail_from, base_url, now });
      await commit(Promise.resolve());
      return { mail, attempt: row.attempts + 1 };
    }),
  );
}

const CUT_OFF: Ending = {
  status: 'unknown',
  error: 'The worker ended after it had handed the text over, before the mail server had answered',
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

type Composing = Parameters<NonNullable<ReturnType<typeof purposes.get>>['compose']>[1];

function compose(row: MailRow, composing: Composing) {
  const purpose = purposes.get(row.purpose);
  if (!purpose) throw new TryLater('This release has no text for the mail');
  return purpose.compose(purpose.about.parse(row.about), composing);
}

async function send(
  transport: Transport,
  { mail, attempt }: Prepared,
  delivery: Delivery,
): Promise<Ending | null> {
  const { database, organization_id, clock, signal } = delivery;
  const commit = () =>
    database.withConnection(organization_id, (connection) =>
      markSending(connection, organization_id, mail.id, { now: clock(), attempt }),
    );
  try {
    await transport.deliver(mail, commit, signal);
    return { status: 'sent', error: null };
  } catch (error) {
    if (error instanceof MailTaken) return null;
    if (error instanceof MailLost) {
      return {
        status: 'unknown',
        error: `Nothing was heard after the text was handed over: ${error.message}`,
      };
    }
    if (!(error instanceof MailRefused)) throw error;
    const words = error.reply ?? error.message;
    if (error.permanent) return { status: 'failed', error: words };
    if (delivery.is_last_attempt)
      return { status: 'failed', error: `Given up after ${attempt} tries: ${words}` };
    await database.withConnection(organization_id, (connection) =>
      markWaiting(connection, organization_id, mail.id, { now: clock(), attempt, error: words }),
    );
    // The reply may hold the address, so the log gets the sentence without it.
    throw new TryLater(error.message);
  }
}

/**
 * Outside the receipt's transaction: a mail that was taken while its delivery was given to another worker is still
 * known to be sent.
 */
async function end(mail_id: string, ending: Ending, { database, organization_id, clock, log }: Delivery) {
  await database.withConnection(organization_id, (connection) =>
    markEnded(connection, organization_id, mail_id, { now: clock(), ...ending }),
  );
  if (ending.status === 'sent') log.info({ mail_id }, 'A mail was sent');
  else log.warn({ mail_id, status: ending.status }, 'A mail was not sent for certain');
}
