import { z } from 'zod';
import { type ImportRecord, importResource, shownImport } from '../../platform/imports/record.ts';

/** An import of documents, as the API shows it. */
export const DocumentImport = importResource({
  prefix: 'iimp',
  object: 'invoicing.import',
  name: 'DocumentImport',
  more: {
    document_count: z
      .int()
      .describe('Documents that were made. All other counts are of rows.')
      .meta({ examples: [300] }),
  },
});

/** The row as the API shows it. */
export function documentImportOf(row: ImportRecord) {
  return {
    id: row.id,
    object: 'invoicing.import' as const,
    document_count: row.record_count,
    ...shownImport(row),
  };
}
