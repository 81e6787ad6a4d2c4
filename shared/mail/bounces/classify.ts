/** `hard`: no mail will ever arrive there. `soft`: this one did not. */
export type BounceClass = 'hard' | 'soft';

/** Enhanced status codes (RFC 3463, RFC 7505) that say that the address or its domain takes no mail for good. */
const HARD_STATUSES: ReadonlySet<string> = new Set([
  '5.0.0',
  '5.1.0',
  '5.1.1',
  '5.1.2',
  '5.1.3',
  '5.1.6',
  '5.1.10',
  '5.2.1',
  '5.4.4',
]);

/** Reply codes to RCPT that say the same where the server sends no enhanced code (RFC 5321 4.2.3). */
const HARD_REPLIES: ReadonlySet<number> = new Set([550, 551, 553]);

/** RFC 3463: a class, a subject and a detail; the last two have no leading zeros. Only classes of failures are read. */
const STATUS = /(?<![\d.])[45]\.(?:0|[1-9]\d{0,2})\.(?:0|[1-9]\d{0,2})(?![\d.])/;

/**
 * The enhanced status code of a failure that a text begins with, as in a field `Status` or after the code of an SMTP
 * reply; null without one.
 */
export function failureStatus(text: string): string | null {
  const match = STATUS.exec(text.trimStart());
  return match?.index === 0 ? match[0] : null;
}

/** The class of a failure with this enhanced status code: `hard` for those of the list, `soft` for every other one. */
export function classOfStatus(status: string): BounceClass {
  return HARD_STATUSES.has(status) ? 'hard' : 'soft';
}

/** What relays tell where the server that they spoke to had no enhanced code (Postfix does). */
const UNSAID = '5.0.0';

/**
 * The code that a diagnostic text begins with, `smtp; ` before it or not, and what follows. Only codes about the mail system
 * (RFC 5321 4.2.1) say more than the status.
 */
const REPLY = /^(?:smtp;\s*)?([45]5\d)(?:[ -]|$)(.*)/is;

/**
 * The class of a failure that somebody else tells of. A refusal without an enhanced code goes by the reply code in the diagnostic,
 * where it is told.
 */
function classOfTold(status: string, diagnostic: string | null): BounceClass {
  const [, code, text] = (status === UNSAID && REPLY.exec((diagnostic ?? '').trim())) || [];
  if (code === undefined || failureStatus(text ?? '') !== null) return classOfStatus(status);
  return HARD_REPLIES.has(Number(code)) ? 'hard' : 'soft';
}

/** A recipient block of a delivery report; `diagnostic` with its type or without. */
type Block = { action: string; status: string; diagnostic?: string | null };

/** The class of a recipient block of a delivery report (RFC 3464 2.3); null where it tells of no failure. */
export function classOfReport({ action, status, diagnostic = null }: Block): BounceClass | null {
  const failure = failureStatus(status);
  if (action.trim().toLowerCase() !== 'failed' || failure === null) return null;
  return classOfTold(failure, diagnostic);
}

/**
 * A refusal by an SMTP server: its code, its text without the code, and which command it answers. `text` stands for the
 * text of the mail, its command included.
 */
export type Refusal = { code: number; text: string; answers: 'mail' | 'rcpt' | 'text' };

/** The class of a refusal for good. One without an enhanced code goes by the reply code, and only an answer to RCPT is about the address. */
export function classOfRefusal({ code, text, answers }: Refusal): BounceClass {
  const status = failureStatus(text);
  if (status !== null) return classOfStatus(status);
  return answers === 'rcpt' && HARD_REPLIES.has(code) ? 'hard' : 'soft';
}

/** The class of a bounce that a mail service tells of: by its status, `soft` where it tells none. */
export function classOfEvent(status: string | null, diagnostic: string | null = null): BounceClass {
  const failure = status === null ? null : failureStatus(status);
  return failure === null ? 'soft' : classOfTold(failure, diagnostic);
}
