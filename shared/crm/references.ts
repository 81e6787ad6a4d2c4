import type { Reference } from '../platform/references.ts';

/** Own columns that refer to companies and contacts. Labels and aliases go with their record; the operations move the rest. */
export const crmReferences: readonly Reference[] = [
  ...ownColumns('crm_companies', 'company_id', ['crm_contacts', 'crm_deals', 'crm_activities']),
  ...ownColumns('crm_contacts', 'contact_id', ['crm_deal_contacts', 'crm_activities']),
  // Branches are judged by the undoing itself: those of the same import are removed together with their company.
  { to: 'crm_companies', table: 'crm_companies', column: 'parent_id', keeps_imported: false },
  { to: 'crm_companies', table: 'crm_tag_assignments', column: 'company_id', keeps_imported: false },
  { to: 'crm_contacts', table: 'crm_tag_assignments', column: 'contact_id', keeps_imported: false },
  { to: 'crm_companies', table: 'crm_aliases', column: 'company_id', keeps_imported: false },
  { to: 'crm_contacts', table: 'crm_aliases', column: 'contact_id', keeps_imported: false },
];

function ownColumns(to: string, column: string, tables: readonly string[]): Reference[] {
  return tables.map((table) => ({ to, table, column, keeps_imported: true }));
}
