import type { Connection } from '../../kernel/connection.ts';
import type { Locale } from './letter.ts';
import type { MailEnding } from './purpose.ts';

export type MailStatus = 'queued' | 'sending' | 'sent' | 'failed' | 'unknown';

/** A row of `mails` as the one who sends it sees it. */
export type MailRow = {
  id: string;
  purpose: string;
  about: unknown;
  locale: Locale;
  status: MailStatus;
  attempts: number;
};

/** The mail, locked until the transaction ends; undefined when there is none. */
export async function lockMail(
  connection: Connection,
  organization_id: string,
  id: string,
): Promise<MailRow | undefined> {
  const [mail] = await connection.query<MailRow>(
    `SELECT id, purpose, about, locale, status, attempts FROM mails
     WHERE organization_id = $1 AND id = $2 FOR UPDATE`,
    [organization_id, id],
  );
  return mail;
}

/** Begins a try. Its number is what `markSending` compares, so that of two tries at a time only one can send. */
export async function beginAttempt(
  connection: Connection,
  organization_id: string,
  id: string,
  { now, message_id }: { now: Date; message_id: string },
): Promise<void> {
  await connection.query(
    `UPDATE mails SET status = 'queued', attempts = attempts + 1, message_id = $3, updated_at = $4
     WHERE organization_id = $1 AND id = $2`,
    [organization_id, id, message_id, now.toISOString()],
  );
}

/** The last step before the server has the mail; false when another try has begun meanwhile. */
export async function markSending(
  connection: Connection,
  organization_id: string,
  id: string,
  { now, attempt }: { now: Date; attempt: number },
): Promise<boolean> {
  const marked = await connection.query(
    `UPDATE mails SET status = 'sending', sending_at = $3, updated_at = $3
     WHERE organization_id = $1 AND id = $2 AND status = 'queued' AND attempts = $4 RETURNING id`,
    [organization_id, id, now.toISOString(), attempt],
  );
  return marked.length === 1;
}

/** The server refused for now: the mail waits again, with the server's words. */
export async function markWaiting(
  connection: Connection,
  organization_id: string,
  id: string,
  { now, attempt, error }: { now: Date; attempt: number; error: string },
): Promise<void> {
  await connection.query(
    `UPDATE mails SET status = 'queued', error = $5, updated_at = $3
     WHERE organization_id = $1 AND id = $2 AND status IN ('queued', 'sending') AND attempts = $4`,
    [organization_id, id, now.toISOString(), attempt, error],
  );
}

/**
 * How a mail ended. `sent` is certain knowledge: it replaces `unknown`, and counts from whichever attempt. Any other
 * ending is written by the mail's latest attempt alone; nothing replaces `sent` or `failed`. Answers whether this call
 * ended it.
 */
export async function markEnded(
  connection: Connection,
  organization_id: string,
  id: string,
  { now, attempt, status, error }: { now: Date; attempt: number } & MailEnding,
): Promise<boolean> {
  const ended = await connection.query(
    `UPDATE mails SET status = $4, error = $5, updated_at = $3, sent_at = CASE WHEN $4 = 'sent' THEN $3::timestamptz END
     WHERE organization_id = $1 AND id = $2
       AND (status IN ('queued', 'sending') AND ($4 = 'sent' OR attempts = $6) OR status = 'unknown' AND $4 = 'sent')
     RETURNING 1`,
    [organization_id, id, now.toISOString(), status, error, attempt],
  );
  return ended.length === 1;
}

/** Its delivery was given up: what a server may have is unknown, the others failed. Sends nothing by itself. */
export function giveUpMail(id: string, { now, error }: { now: Date; error: string }): MailChange {
  return {
    text: `UPDATE mails SET status = CASE status WHEN 'sending' THEN 'unknown' ELSE 'failed' END, error = $3,
      updated_at = $4 WHERE organization_id = $1 AND id = $2 AND status IN ('queued', 'sending')`,
    values: [id, error, now.toISOString()],
  };
}

/** An operator has its delivery tried again: what failed is queued; what may have arrived is left alone. */
export function queueMailAgain(id: string, { now }: { now: Date }): MailChange {
  return {
    text: `UPDATE mails SET status = 'queued', error = NULL, updated_at = $3
      WHERE organization_id = $1 AND id = $2 AND status = 'failed'`,
    values: [id, now.toISOString()],
  };
}

/** A statement whose first value, before those given, is the organization. */
export type MailChange = { text: string; values: readonly unknown[] };
