import { z } from 'zod';
import { type ImportRecord, importResource, shownImport } from '../../platform/imports/record.ts';

const kinds = ['crm.companies', 'crm.contacts', 'crm.deals'] as const;

/** An import of companies, contacts or deals, as the API shows it. */
export const CrmImport = importResource({
  prefix: 'imp',
  object: 'crm.import',
  name: 'CrmImport',
  more: {
    kind: z.enum(kinds).describe('What is imported.'),
    match_by: z
      .enum(['external_id', 'corporate_number', 'email'])
      .describe('What rows find their records by.'),
    create_missing: z.boolean().describe('Whether companies that nobody knows are made.'),
  },
});

type CrmOptions = { match_by: 'external_id' | 'corporate_number' | 'email'; create_missing?: boolean };

/** The row as the API shows it. */
export function crmImportOf(row: ImportRecord) {
  const { match_by, create_missing = false } = row.options as ImportRecord['options'] & CrmOptions;
  return {
    id: row.id,
    object: 'crm.import' as const,
    kind: row.kind as (typeof kinds)[number],
    match_by,
    create_missing,
    ...shownImport(row),
  };
}
