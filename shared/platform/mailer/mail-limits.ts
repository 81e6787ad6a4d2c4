import { Failure } from '../../kernel/failure.ts';
import type { Text } from '../../kernel/language.ts';
import type { Work } from '../../kernel/work.ts';
import { INVITATIONS_A_DAY, invitationsOf, takeAttempt } from '../access/attempts.ts';

/** What the settings allow an organization to mail by hand, and campaigns. */
export type MailLimits = {
  /** Recipients an hour; 0 means no limit. */
  recipients_per_hour: number;
  /** Whether an organization is held to fewer recipients on its first day: where strangers can sign up and mails leave. */
  first_day: boolean;
  /** Mails of campaigns a second, of all organizations together; null means no limit. */
  campaigns_per_second: number | null;
};

/** Recipients of an organization in the 24 hours after it was made. */
const FIRST_DAY_RECIPIENTS = 50;

const HOUR_SECONDS = 60 * 60;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/**
 * Counts recipients of a mail that a person asked for, in the work's own transaction: refused or rolled back, it
 * counts nothing. Call it last, after other locks: the organization's row is locked until the commit.
 * Errors: `rate_limited` where the mail would exceed a limit of the organization.
 */
export async function takeRecipients(work: Work, count: number, limits: MailLimits): Promise<void> {
  const { recipients_per_hour, first_day } = limits;
  const firstDayEnd = first_day ? await endOfFirstDay(work) : null;
  if (firstDayEnd && firstDayEnd > work.now) {
    const sentence = {
      en: `A new organization may mail ${FIRST_DAY_RECIPIENTS} recipients in its first 24 hours`,
      ja: `新しい組織がメールを送信できるのは、最初の24時間で${FIRST_DAY_RECIPIENTS}件までです`,
    };
    await takeAllowance(
      work,
      { name: 'first_day', limit: FIRST_DAY_RECIPIENTS, ends_at: firstDayEnd, sentence },
      count,
    );
  }
  if (recipients_per_hour > 0) {
    const ends_at = new Date(work.now.getTime() + HOUR_SECONDS * 1000);
    const sentence = {
      en: `An organization may mail ${recipients_per_hour} recipients an hour`,
      ja: `組織がメールを送信できるのは、1時間に${recipients_per_hour}件までです`,
    };
    await takeAllowance(work, { name: 'hour', limit: recipients_per_hour, ends_at, sentence }, count);
  }
}

/**
 * Counts an invitation: as a recipient of the organization, and for its address over all organizations. Locks the
 * organization's row before the address. Errors: `rate_limited`.
 */
export async function takeInvitation(work: Work, email: string, limits: MailLimits): Promise<void> {
  await takeRecipients(work, 1, limits);
  const seconds = await takeAttempt(work.connection, invitationsOf(email), work.now);
  if (seconds > 0)
    throw tooMany(
      {
        en: `An address gets ${INVITATIONS_A_DAY} invitations in 24 hours`,
        ja: `1つのアドレスへの招待は、24時間で${INVITATIONS_A_DAY}通までです`,
      },
      seconds,
    );
}

/** How many mails of a kind an organization may send until `ends_at`, if its window begins now; the sentence refuses more. */
export type Allowance = { name: string; limit: number; ends_at: Date; sentence: Text };

/** A window begins with the first mail after the one before has ended. */
const TAKE = `INSERT INTO mail_allowances AS known (organization_id, name, window_ends_at, used)
  VALUES ($1, $2, $3, $4)
  ON CONFLICT (organization_id, name) DO UPDATE SET
    used = excluded.used + CASE WHEN known.window_ends_at > $5 THEN known.used ELSE 0 END,
    window_ends_at = CASE WHEN known.window_ends_at > $5 THEN known.window_ends_at ELSE excluded.window_ends_at END
    WHERE excluded.used + CASE WHEN known.window_ends_at > $5 THEN known.used ELSE 0 END <= $6
  RETURNING 1`;

/** Counts mails against an allowance, as `takeRecipients` does. Errors: `rate_limited`. */
export async function takeAllowance(
  { connection, organization_id, now }: Work,
  { name, limit, ends_at, sentence }: Allowance,
  count: number,
): Promise<void> {
  if (count > limit) throw tooMany(sentence, secondsUntil(ends_at, now));
  const values = [organization_id, name, ends_at.toISOString(), count, now.toISOString(), limit];
  if ((await connection.query(TAKE, values)).length > 0) return;
  const [window] = await connection.query<{ window_ends_at: string }>(
    'SELECT window_ends_at FROM mail_allowances WHERE organization_id = $1 AND name = $2',
    [organization_id, name],
  );
  throw tooMany(sentence, secondsUntil(new Date(window!.window_ends_at), now));
}

async function endOfFirstDay({ connection, organization_id }: Work): Promise<Date> {
  const [organization] = await connection.query<{ created_at: string }>(
    'SELECT created_at FROM organizations WHERE id = $1',
    [organization_id],
  );
  return new Date(Date.parse(organization!.created_at) + DAY_SECONDS * 1000);
}

function secondsUntil(end: Date, now: Date): number {
  return Math.max(1, Math.ceil((end.getTime() - now.getTime()) / 1000));
}

function tooMany(sentence: Text, seconds: number): Failure {
  return new Failure('rate_limited', {
    detail: {
      en: `${sentence.en}; try again in ${seconds} s`,
      ja: `${sentence.ja}。${seconds}秒後にもう一度お試しください`,
    },
    headers: { 'Retry-After': String(seconds) },
  });
}
