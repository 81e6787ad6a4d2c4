import { Failure, invalid } from '../../kernel/failure.ts';
import type { MailConsent } from './record.ts';

/** Whether the person has agreed again after refusing; the times are ISO 8601 in UTC. */
export function hasAgreedSince(consent: MailConsent | null, refused_at: string): boolean {
  return consent !== null && consent.at > refused_at;
}

/** How far the clock of whoever notes a consent may be ahead of ours. */
const CLOCK_SKEW = 5 * 60_000;

/**
 * Nobody has agreed tomorrow, and a consent of then would outlast every refusal until it.
 * Errors: `validation_failed` at /consent/at.
 */
export function refuseFutureConsent(consent: Pick<MailConsent, 'at'> | null | undefined, now: Date): void {
  if (!consent || Date.parse(consent.at) <= now.getTime() + CLOCK_SKEW) return;
  const message = {
    en: `consent.at must not be later than now, ${now.toISOString()}: it is when the person agreed`,
    ja: `consent.at には現在（${now.toISOString()}）以前の、ご本人が同意した日時を指定してください`,
  };
  throw invalid('/consent/at', 'in_the_future', message);
}

/** A person who refused is mailed again only after a consent of a later time: 422. */
export function consentRequired(refused_at: string): Failure {
  const message = {
    en: `The person refused at ${refused_at}; a consent with a later "at" is needed`,
    ja: `ご本人は ${refused_at} に受信を拒否しています。それより後の日時を「at」に指定した同意が必要です`,
  };
  return new Failure('consent_required', {
    detail: message,
    errors: [{ in: 'body', path: '/consent', code: 'consent_required', message }],
  });
}
