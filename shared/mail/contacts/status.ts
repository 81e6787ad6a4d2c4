import { Failure } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { suppressionFor } from '../suppressions/queries.ts';
import { consentRequired, hasAgreedSince } from './consent.ts';
import type { LockedMailContact } from './queries.ts';
import type { MailConsent, MailContact } from './record.ts';

export type Standing = {
  status: MailContact['status'];
  status_reason: string | null;
  /** When the person refused: it outlives a bounce, and ends when the contact becomes active again. */
  refused_at: string | null;
};

/**
 * Where a contact stands after a change. Who has refused becomes active again only with a consent of a later time.
 * The reason of another status is `admin` unless said. Errors: `consent_required`.
 */
export function changedStanding(
  { contact, refused_at }: Pick<LockedMailContact, 'contact' | 'refused_at'>,
  { status = contact.status, status_reason }: Partial<Pick<MailContact, 'status' | 'status_reason'>>,
  consent: MailConsent | null,
  now: Date,
): Standing {
  const reason = status_reason === undefined ? null : status_reason;
  if (status === contact.status) {
    return {
      status,
      status_reason: status_reason === undefined ? contact.status_reason : reason,
      refused_at,
    };
  }
  if (status !== 'active') {
    const refusal = status === 'unsubscribed' ? now.toISOString() : refused_at;
    return { status, status_reason: status_reason === undefined ? 'admin' : reason, refused_at: refusal };
  }
  if (refused_at !== null && !hasAgreedSince(consent, refused_at)) throw consentRequired(refused_at);
  return { status, status_reason: reason, refused_at: null };
}

/** An address that is to be active must not be suppressed. Errors: `suppressed`. */
export async function refuseSuppressed(reader: Reader, email_key: string): Promise<void> {
  const suppression = await suppressionFor(reader, email_key);
  if (suppression) throw suppressed(suppression.id);
}

/** A suppression stands against the address: 409 that names it, and where of several addresses it is the one at `path`. */
export function suppressed(suppression_id: string, path: string | null = null): Failure {
  const message = {
    en: `${suppression_id} suppresses this e-mail`,
    ja: `このメールアドレスは ${suppression_id} により配信停止です`,
  };
  return new Failure('suppressed', {
    detail: message,
    members: { suppression_id },
    ...(path !== null && { errors: [{ in: 'body', path, code: 'suppressed', message }] }),
  });
}
