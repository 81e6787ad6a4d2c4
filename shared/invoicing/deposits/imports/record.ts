import { z } from 'zod';
import { type ImportRecord, importResource, shownImport } from '../../../platform/imports/record.ts';

/** An import of a bank's statement, as the API shows it. */
export const DepositImport = importResource({
  prefix: 'dimp',
  object: 'invoicing.deposit_import',
  name: 'DepositImport',
  more: {
    created_count: z.int().describe('Deposits that the file made.'),
    skipped_count: z.int().describe('Rows in which money goes out, or none comes in: they are left alone.'),
    duplicate_count: z
      .int()
      .describe('Rows whose deposit is there already, or whose `external_id` stands above in the file.'),
  },
});

/** The row as the API shows it. */
export function depositImportOf(row: ImportRecord) {
  return { id: row.id, object: 'invoicing.deposit_import' as const, ...shownImport(row) };
}
