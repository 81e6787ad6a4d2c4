import { createHash } from 'node:crypto';
import { normalForm } from '../kernel/normal-form.ts';

/** An e-mail as it is compared: NFKC, lower case. One address has one key in an organization. */
export function emailKey(email: string): string {
  return normalForm(email, 'NFKC').toLowerCase();
}

/**
 * What stays of an address that must never be mailed again, and tells it again: SHA-256 of the organization, a line
 * end and the key. In SQL: `sha256(convert_to(organization_id || chr(10) || email_key, 'UTF8'))`.
 */
export function suppressionHash(organization_id: string, email_key: string): Buffer {
  return createHash('sha256').update(`${organization_id}\n${email_key}`).digest();
}
