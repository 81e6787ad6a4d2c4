import { classOfRefusal, failureStatus, type Refusal } from '../bounces/classify.ts';
import { type BounceReport, diagnosticOf } from '../bounces/event.ts';

/**
 * How the dialogue about one mail ended. `lost`: no connection, or it broke before the first byte of the text was read; `silent`:
 * afterwards, so that nobody knows; `unusable`: the envelope has an address that no server takes.
 */
export type Dialogue =
  | { kind: 'taken'; reply: string }
  | ({ kind: 'refused'; reply: string } & Refusal)
  | { kind: 'lost'; words: string }
  | { kind: 'silent'; words: string }
  | { kind: 'unusable'; words: string };

/** What becomes of a recipient. `attempts` counts this one where it was one. */
export type Outcome = {
  status: 'sent' | 'queued' | 'failed' | 'skipped' | 'unknown';
  reason: string | null;
  attempts: number;
  /** ISO 8601; null: at once. */
  next_attempt_at: string | null;
  smtp_response: string | null;
  bounce: BounceReport | null;
};

const MINUTE = 60_000;

/** Milliseconds from one attempt to the next. */
export const RETRIES = [1, 5, 30, 120, 360].map((minutes) => minutes * MINUTE);

/** What stood on the row when it was marked, and when the dialogue ended. */
export type Attempted = { attempts: number; next_attempt_at: string | null; now: Date };

/** A row that is queued as it was: no attempt was made. */
export function queuedAs({
  attempts,
  next_attempt_at,
}: Pick<Outcome, 'attempts' | 'next_attempt_at'>): Outcome {
  return { status: 'queued', reason: null, attempts, next_attempt_at, smtp_response: null, bounce: null };
}

/** What becomes of a recipient by the dialogue about its mail. A refusal of the sender changes nothing: it is about the campaign. */
export function outcomeOf(dialogue: Dialogue, { attempts, next_attempt_at, now }: Attempted): Outcome {
  const before = queuedAs({ attempts, next_attempt_at });
  switch (dialogue.kind) {
    case 'taken':
      return { ...tried(before, dialogue.reply), status: 'sent', next_attempt_at: null };
    case 'lost':
      return before;
    case 'silent':
      return {
        ...tried(before, dialogue.words),
        status: 'unknown',
        reason: 'no_answer',
        next_attempt_at: null,
      };
    case 'unusable':
      return { ...before, status: 'skipped', reason: 'invalid_address', next_attempt_at: null };
    case 'refused':
      if (isOfSender(dialogue)) return before;
      return dialogue.code < 500 ? later(tried(before, dialogue.reply), now) : failed(before, dialogue);
  }
}

/** Whether a server refuses whom the mails come from, for good: no recipient can help it. */
export function isOfSender({ answers, code }: Refusal): boolean {
  return answers === 'mail' && code >= 500;
}

/** Whether a server asks for fewer mails (RFC 5321 4.2.1, RFC 3463 4.7.x): 421, or any 4.7.x. */
export function asksForLess({ code, text }: Refusal): boolean {
  return code === 421 || (failureStatus(text)?.startsWith('4.7.') ?? false);
}

function tried(before: Outcome, reply: string): Outcome {
  return { ...before, attempts: before.attempts + 1, smtp_response: diagnosticOf(reply) };
}

function later(outcome: Outcome, now: Date): Outcome {
  const pause = RETRIES[outcome.attempts - 1];
  if (pause === undefined)
    return { ...outcome, status: 'failed', reason: 'attempts_used_up', next_attempt_at: null };
  return { ...outcome, next_attempt_at: new Date(now.getTime() + pause).toISOString() };
}

function failed(before: Outcome, refusal: Dialogue & { kind: 'refused' }): Outcome {
  return {
    ...tried(before, refusal.reply),
    status: 'failed',
    reason: 'refused',
    next_attempt_at: null,
    bounce: {
      class: classOfRefusal(refusal),
      status: failureStatus(refusal.text),
      diagnostic: diagnosticOf(refusal.reply),
    },
  };
}
