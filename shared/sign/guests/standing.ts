import { Failure } from '../../kernel/failure.ts';
import type { Text } from '../../kernel/language.ts';
import type { cancelReasons, DocumentStatus, SignerStatus } from '../documents/words.ts';

/** What decides what a guest may do. */
export type Standing = {
  document_status: DocumentStatus;
  cancel_reason: (typeof cancelReasons)[number] | null;
  expires_at: string | null;
  /** Whether somebody has to sign yet. */
  is_open: boolean;
  /** The guest's own status. */
  status: SignerStatus;
  has_access: boolean;
};

/** What a guest asks for: a code or access; to read; to fill in, sign, decline or forward. */
export type GuestCall = 'open' | 'read' | 'act';

/**
 * Refuses what a guest may not do now, whatever the request says. In this order, errors: `signing_expired`, `not_your_turn`,
 * `access_required`, `invalid_transition`.
 */
export function requireStanding(standing: Standing, call: GuestCall, now: Date): void {
  const refusal = refusalOf(standing, call, now);
  if (refusal) throw refusal;
}

/** Whether a guest may fill in, sign, decline or forward now. */
export function mayAct(standing: Standing, now: Date): boolean {
  return refusalOf(standing, 'act', now) === null;
}

function refusalOf(standing: Standing, call: GuestCall, now: Date): Failure | null {
  const { document_status, status, has_access } = standing;
  if (hasExpired(standing, now)) return new Failure('signing_expired');
  if (document_status === 'sent' && status === 'waiting') return new Failure('not_your_turn');
  if (call !== 'open' && !has_access) return new Failure('access_required');
  if (document_status !== 'sent' && (document_status !== 'signed' || call === 'act')) {
    return refused(document_status, {
      en: `The document is ${document_status}`,
      ja: `書類の状態は ${document_status} です`,
    });
  }
  if (call === 'act' && status !== 'viewed') {
    return refused(status, { en: `Your part is ${status}`, ja: `お客様の状態は ${status} です` });
  }
  return null;
}

function refused(current_status: string, detail: Text): Failure {
  return new Failure('invalid_transition', { detail, members: { current_status } });
}

/** Whether the document's time is over while somebody had to sign, also before that is noted. */
export function hasExpired(
  { document_status, cancel_reason, expires_at, is_open }: Standing,
  now: Date,
): boolean {
  if (cancel_reason === 'expired') return true;
  return document_status === 'sent' && is_open && expires_at !== null && expires_at <= now.toISOString();
}
