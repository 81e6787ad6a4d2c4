import { retentionUntil, YEARS_MORE } from '../../accounting/documents/retention.ts';
import { allYears } from '../../accounting/years/queries.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
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

/**
 * Keeps every signed document for as long as more years ask for, counted as `retentionUntil` counts; none is kept for a shorter time
 * than was said. One statement, whatever there is: the days follow from the settings, and move no `updated_at`.
 */
export async function keepAllFor(work: Work, retention_years: number): Promise<void> {
  const years = (await allYears(work)).map(({ start_date, end_date }) => ({
    start_date,
    end_date,
    until: retentionUntil([{ start_date, end_date }], end_date, retention_years),
  }));
  work.run(KEEP_FOR, [work.organization_id, JSON.stringify(years), retention_years + YEARS_MORE]);
}

const KEEP_FOR = `
  UPDATE sign_documents AS document SET retention_until = asked.until
    FROM (
      SELECT signed.id, coalesce(year.until, least((signed.day + make_interval(years => $3::integer))::date, '9999-12-31')) AS until
        FROM (SELECT id, coalesce(transaction_date, ended_on) AS day FROM sign_documents
               WHERE organization_id = $1 AND status = 'signed' AND erased_at IS NULL) AS signed
        LEFT JOIN jsonb_to_recordset($2::jsonb) AS year (start_date date, end_date date, until date)
          ON signed.day BETWEEN year.start_date AND year.end_date
    ) AS asked
   WHERE document.organization_id = $1 AND document.id = asked.id AND document.retention_until < asked.until`;
