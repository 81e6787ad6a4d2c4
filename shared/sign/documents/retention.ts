import { retentionUntil } from '../../accounting/documents/retention.ts';
import { allYears } from '../../accounting/years/queries.ts';
import type { Reader } from '../../kernel/reader.ts';
import { signSettingsOf } from '../settings/queries.ts';
import type { DocumentRow } from './rows.ts';

/**
 * The day until which a signed document is kept: as accounting counts it, by the years of the settings, from
 * `transaction_date`, else from the day on which it was signed; null for one that is not signed. A day that was said once
 * does not come earlier: a shorter time in the settings counts for what is signed later.
 */
export async function retentionOf(
  reader: Reader,
  {
    status,
    transaction_date,
    ended_on,
    retention_until,
  }: Pick<DocumentRow, 'status' | 'transaction_date' | 'ended_on' | 'retention_until'>,
): Promise<string | null> {
  const from = transaction_date ?? ended_on;
  if (status !== 'signed' || from === null) return null;
  const until = await retentionFrom(reader, from);
  return retention_until !== null && retention_until > until ? retention_until : until;
}

/** The same of a day. */
export async function retentionFrom(reader: Reader, from: string): Promise<string> {
  const [settings, years] = await Promise.all([signSettingsOf(reader), allYears(reader)]);
  return retentionUntil(years, from, settings.retention_years);
}
