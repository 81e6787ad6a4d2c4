import type { SettingsInForce } from '../settings/queries.ts';
import type { DocumentRecord } from './record.ts';

/**
 * The issuer's registration number: that of an issued document was kept on issue, a draft has the one that it would be
 * issued with today.
 */
export function registrationNumber(
  { status, issuer_registration_number }: Pick<DocumentRecord, 'status' | 'issuer_registration_number'>,
  settings: Pick<SettingsInForce, 'issuer_registration_number'>,
): string | null {
  return status === 'draft' ? settings.issuer_registration_number : issuer_registration_number;
}
