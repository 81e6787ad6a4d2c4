import { z } from 'zod';
import { type ImportRecord, importResource, shownImport } from '../../platform/imports/record.ts';

/** An import of entries, as the API shows it; an entry is made anew each time, so there are no conflicts. */
export const JournalImport = importResource({
  prefix: 'jimp',
  object: 'accounting.import',
  name: 'JournalImportBase',
  more: {
    journal_count: z
      .int()
      .describe(
        'Entries that were made. All other counts are of rows; skipped rows are those of closing entries.',
      )
      .meta({ examples: [240] }),
  },
})
  .omit({ on_conflict: true })
  .meta({ id: 'JournalImport' });

/** The row as the API shows it. */
export function journalImportOf(row: ImportRecord) {
  const { on_conflict, ...shown } = shownImport(row);
  return {
    id: row.id,
    object: 'accounting.import' as const,
    journal_count: row.record_count,
    ...shown,
  };
}
