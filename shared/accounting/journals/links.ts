import type { Reference } from '../../platform/references.ts';

/**
 * Lines keep the ID of a company that was merged into another: what was posted stays as it was, and reports count it as the
 * survivor's. So the column is no foreign key, a merge moves nothing, and a company with lines cannot be removed.
 */
export const accountingReferences: readonly Reference[] = [
  {
    to: 'crm_companies',
    table: 'accounting_lines',
    column: 'company_id',
    keeps_imported: true,
    keeps_id: true,
    follows: {
      removal: 'refused',
      kind: `'journal_line'`,
      lock: async () => 0,
      relink: async () => {},
    },
  },
];
