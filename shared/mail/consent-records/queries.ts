import { isFiltered, pageOf } from '../../db/list.ts';
import type { Reader } from '../../kernel/reader.ts';
import { pick } from '../../kernel/record-fields.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { emailKey, suppressionHash } from '../email-key.ts';
import { type ConsentRecord, ConsentRecordModel } from './record.ts';

const columns = ['id', 'contact_id', 'email', 'consent', 'created_at'] as const;

type ConsentRow = Pick<ConsentRecord, (typeof columns)[number]>;

export type ConsentFilters = { email?: string };

/** A window of the records of consent, of one address where asked. */
export async function consentRecordPage(
  reader: Reader,
  { email }: ConsentFilters,
  window: Window,
): Promise<Page<ConsentRecord>> {
  const query = ConsentRecordModel.table(reader);
  if (email !== undefined) {
    query.where('mail_consent_records.email_hash', suppressionHash(reader.organization_id, emailKey(email)));
  }
  const page = await pageOf<ConsentRow>(reader, {
    query,
    table: ConsentRecordModel.tableName,
    columns,
    prefix: 'mcons',
    // A record never changes.
    sorts: { updated_at: 'created_at' },
    window,
    is_filtered: isFiltered({ email }),
  });
  return {
    ...page,
    rows: page.rows.map((row) => ({ object: 'mail.consent_record', ...pick(row, columns) })),
  };
}
