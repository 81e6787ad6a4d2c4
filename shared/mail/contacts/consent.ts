import { Failure } from '../../kernel/failure.ts';
import type { MailConsent } from './record.ts';

/** Whether the person has agreed again after refusing; the times are ISO 8601 in UTC. */
export function hasAgreedSince(consent: MailConsent | null, refused_at: string): boolean {
  return consent !== null && consent.at > refused_at;
}

/** A person who refused is mailed again only after a consent of a later time: 422. */
export function consentRequired(refused_at: string): Failure {
  const message = `The person refused at ${refused_at}; a consent with a later "at" is needed`;
  return new Failure('consent_required', {
    detail: message,
    errors: [{ in: 'body', path: '/consent', code: 'consent_required', message }],
  });
}
