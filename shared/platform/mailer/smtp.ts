import { Readable } from 'node:stream';
import type { NodemailerError } from 'nodemailer';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import SMTPConnection, { type Options } from 'nodemailer/lib/smtp-connection';
import { reasons } from '../operators/reasons.ts';
import { MailFailure, MailLost, MailOvertaken, type Outgoing, type Transport } from './transport.ts';

/** Milliseconds. */
export type SmtpPatience = { connection: number; greeting: number; silence: number };

const PATIENCE: SmtpPatience = { connection: 10_000, greeting: 10_000, silence: 30_000 };

/**
 * Hands mails to the server of an `smtp://` or `smtps://` URL (`?tls.rejectUnauthorized=false` and the like as in
 * nodemailer), each over a connection of its own.
 *
 * A server takes a mail when it has the line with a single dot that ends the text, not before (RFC 5321 4.1.1.4; a
 * connection that breaks earlier leaves nothing, 3.8). So `commit` is awaited between the text and that line: whatever
 * fails before is tried again without danger, and only silence after it leaves open what became of the mail.
 */
export function smtpTransport(url: string, patience: SmtpPatience = PATIENCE): Transport {
  const { auth, options } = connectionOptions(url, patience);
  return {
    repeatable: false,
    deliver: async (mail, commit, signal) => {
      signal.throwIfAborted();
      const connection = new SMTPConnection(options);
      try {
        await openConnection(connection, auth, signal);
        const reply = await handedOver(connection, mail, commit, signal);
        connection.quit();
        return reply;
      } finally {
        // QUIT has been written; a mail that was taken does not wait for the goodbye.
        setImmediate(() => connection.close());
      }
    },
  };
}

/**
 * Connects, says EHLO and, where the URL has credentials, logs in; sends nothing. Throws MailFailure.
 */
export async function trySmtp(
  url: string,
  signal: AbortSignal,
  patience: SmtpPatience = PATIENCE,
): Promise<void> {
  const { auth, options } = connectionOptions(url, patience);
  const connection = new SMTPConnection(options);
  try {
    await openConnection(connection, auth, signal);
    connection.quit();
  } finally {
    setImmediate(() => connection.close());
  }
}

/** The options of a connection to the server of a URL, and its credentials. */
export function connectionOptions(url: string, patience: SmtpPatience) {
  const { auth, ...server } = parseConnectionUrl(url);
  const options: Options = {
    ...(server as Options),
    connectionTimeout: patience.connection,
    dnsTimeout: patience.connection,
    greetingTimeout: patience.greeting,
    socketTimeout: patience.silence,
    socketCloseTimeout: 1_000,
  };
  return { auth, options };
}

/** Connects and logs in. What goes wrong is about the server or this service's access to it, not about the mail: try again later. */
export async function openConnection(
  connection: SMTPConnection,
  auth: { user: string; pass: string } | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  connection.on('error', (error) => reject(refusalOf(error, false)));
  connection.connect((error) => {
    if (error) reject(refusalOf(error, false));
    else if (auth) connection.login(auth, (cause) => (cause ? reject(refusalOf(cause, false)) : resolve()));
    else resolve();
  });
  await promise.finally(() => signal.removeEventListener('abort', stop));
}

async function handedOver(
  connection: SMTPConnection,
  mail: Outgoing,
  commit: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<string> {
  let ended = false;
  async function* text() {
    refuseUnlessAllAreTaken(connection);
    yield mail.raw;
    signal.throwIfAborted();
    if (!(await commit())) throw new MailOvertaken('Another try has this mail in hand');
    ended = true;
  }
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  // After the last line there is nothing to stop any more: the reply decides.
  const stop = () => ended || reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  const failed = (error: NodemailerError) => {
    if (error instanceof MailOvertaken || error instanceof MailFailure || signal.aborted) reject(error);
    else if (ended && !error.responseCode) reject(new MailLost(plain(error.message), { cause: error }));
    else reject(refusalOfRecipients(error.rejectedErrors ?? []) ?? refusalOf(error, true));
  };
  connection.on('error', failed);
  const envelope = { from: mail.from, to: mail.to, size: mail.raw.length };
  connection.send(envelope, Readable.from(text(), { objectMode: false }), (error, info) => {
    if (error) failed(error);
    else if (!ended) reject(new MailFailure(reasons.answered_early().en, early));
    else resolve(plain(info.response));
  });
  return promise.finally(() => signal.removeEventListener('abort', stop));
}

/**
 * All or none: a mail that some of its recipients get and others do not could not be tried again. The library sends it
 * to those whom the server takes, so it is asked for the others before the text is sent.
 */
function refuseUnlessAllAreTaken(connection: SMTPConnection): void {
  const { rejectedErrors } = Reflect.get(connection, '_envelope') as { rejectedErrors: NodemailerError[] };
  const refusal = refusalOfRecipients(rejectedErrors);
  if (refusal) throw refusal;
}

/** Recipients that the server did not take, each with its reply: one that it never takes makes another try pointless. */
function refusalOfRecipients(errors: readonly NodemailerError[]): MailFailure | null {
  const refusals = errors.map((error) => refusalOf(error, true));
  const [first] = refusals;
  if (!first) return null;
  const replies = errors.map(({ recipient, response }) => `${recipient}: ${response}`);
  const permanent = refusals.some((refusal) => refusal.permanent);
  return new MailFailure(first.message, { permanent, reply: plain(replies.join('; ')), cause: first });
}

const early = { permanent: false, reply: null };

/** 530 asks for a login and 503 is about the session: replies about us, though they are of the permanent kind. */
const NOT_ABOUT_THE_MAIL = new Set([503, 530]);

function refusalOf(error: NodemailerError, is_about_mail: boolean): MailFailure {
  const status = error.responseCode;
  const too_large = error.code === 'EMESSAGE' && !status;
  const permanent =
    is_about_mail &&
    (too_large || (status !== undefined && status >= 500 && !NOT_ABOUT_THE_MAIL.has(status)));
  const reply = error.response ? plain(error.response) : null;
  const message = status
    ? reasons.server_answered(status, String(error.command)).en
    : reasons.unreachable(String(error.originalCode ?? error.code)).en;
  return new MailFailure(too_large ? plain(error.message) : message, { permanent, reply, cause: error });
}

/** One line that a table, a log and a terminal can hold. */
function plain(text: string): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 1000);
}
