import { column, type ExportColumn } from '../../platform/exports/exporter.ts';

/** SQL for the name of the company that a row of a table names, as it is now. */
export function companyNow(table: string): string {
  return `(SELECT company.name FROM crm_companies AS company
    WHERE company.organization_id = "${table}".organization_id AND company.id = "${table}".company_id)`;
}

/** The name of a document's company: as it was on issue, or as it is now on a draft. */
export function companyName(table: string): ExportColumn {
  return column(
    table,
    'company_name',
    'text',
    `coalesce("${table}".company_snapshot ->> 'name', ${companyNow(table)})`,
  );
}
