import { id } from '../../kernel/schema.ts';
import { type ImportRecord, importResource, shownImport } from '../../platform/imports/record.ts';

/** An import of mail contacts, as the API shows it. */
export const MailImport = importResource({
  prefix: 'mimp',
  object: 'mail.import',
  name: 'MailImport',
  more: { list_id: id('mlist').nullable().describe('The list that the contacts join.') },
});

/** The row as the API shows it. */
export function mailImportOf(row: ImportRecord) {
  return { id: row.id, object: 'mail.import' as const, list_id: row.list_id, ...shownImport(row) };
}
