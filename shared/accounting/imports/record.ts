import { z } from 'zod';
import { type ImportRecord, importResource, shownImport } from '../../platform/imports/record.ts';

/** An import of entries, as the API shows it. */
export const JournalImport = importResource({
  prefix: 'jimp',
  object: 'accounting.import',
  name: 'JournalImport',
  more: {
    journal_count: z
      .int()
      .describe(
        'Entries that were made. All other counts are of rows; skipped rows are those of closing entries.',
      )
      .meta({ examples: [240] }),
  },
});

/** The row as the API shows it. */
export function journalImportOf(row: ImportRecord) {
  return {
    id: row.id,
    object: 'accounting.import' as const,
    journal_count: row.record_count,
    ...shownImport(row),
  };
}
