import type { DocumentRow, SignerRow } from './rows.ts';

/** Whether wrong codes keep a signer out at the moment. */
export function isLocked(
  { is_locked, locked_until }: Pick<SignerRow, 'is_locked' | 'locked_until'>,
  now: Date,
): boolean {
  return is_locked || (locked_until !== null && new Date(locked_until) > now);
}

/**
 * Whether somebody has to look after a document: its sealing failed, or a signer who is asked, or who gets the sealed copy,
 * has not got the mail for certain, or was locked out and has not come in since.
 */
export function needsAttention(
  { status, sealing_status }: Pick<DocumentRow, 'status' | 'sealing_status'>,
  signers: readonly Pick<SignerRow, 'status' | 'delivery' | 'is_locked' | 'locked_until'>[],
): boolean {
  if (status !== 'sent' && status !== 'signed') return false;
  if (sealing_status === 'failed') return true;
  return signers.some(({ status: own, delivery, is_locked, locked_until }) => {
    const isAsked = own === 'notified' || own === 'viewed';
    const isUndelivered = delivery === 'failed' || delivery === 'unknown';
    if (status === 'signed') return isUndelivered;
    return isAsked && (isUndelivered || is_locked || locked_until !== null);
  });
}
