import { retentionUntil } from '../../accounting/documents/retention.ts';
import { allYears } from '../../accounting/years/queries.ts';
import type { Reader } from '../../kernel/reader.ts';
import { signSettingsOf } from '../settings/queries.ts';
import type { DocumentRow } from './rows.ts';

/** The day until which a document that has ended is kept: by the fiscal year of its transaction, else of its end. */
export async function retentionOf(
  reader: Reader,
  { transaction_date, ended_on }: Pick<DocumentRow, 'transaction_date'> & { ended_on: string },
): Promise<string> {
  const [{ retention_years }, years] = await Promise.all([signSettingsOf(reader), allYears(reader)]);
  return retentionUntil(years, transaction_date ?? ended_on, retention_years);
}
