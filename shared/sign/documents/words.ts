/** The words that documents for signing are told by. */

export const documentStatuses = ['draft', 'sent', 'signed', 'cancelled'] as const;

export type DocumentStatus = (typeof documentStatuses)[number];

export const cancelReasons = ['by_sender', 'declined', 'expired'] as const;

export const sealingStatuses = ['none', 'pending', 'done', 'failed'] as const;

export const signerStatuses = [
  'waiting',
  'notified',
  'viewed',
  'signed',
  'declined',
  'expired',
  'cancelled',
] as const;

export type SignerStatus = (typeof signerStatuses)[number];

export const signerRoles = ['signer', 'approver', 'cc'] as const;

/** How a signer shows who they are. */
export const signerAuths = ['none', 'access_code', 'email_otp', 'access_code_and_otp'] as const;

export type SignerAuth = (typeof signerAuths)[number];

export const deliveries = ['none', 'queued', 'sending', 'sent', 'failed', 'unknown'] as const;

export const fieldTypes = [
  'signature',
  'initials',
  'stamp',
  'name',
  'text',
  'date',
  'number',
  'checkbox',
  'radio',
  'select',
] as const;

export type FieldType = (typeof fieldTypes)[number];

/** What staff can do to a document: the last words of the paths, and `delete` and `update`. */
export const documentActions = [
  'send',
  'cancel',
  'remind',
  'seal',
  'replace',
  'unlock',
  'update',
  'delete',
] as const;

export type DocumentAction = (typeof documentActions)[number];

/** Whether a signer asks for a code of their own before the document is opened. */
export function hasAccessCode(auth: SignerAuth): boolean {
  return auth === 'access_code' || auth === 'access_code_and_otp';
}
