import { column, type Exporter } from '../../platform/exports/exporter.ts';
import { companyList } from '../companies/queries.ts';
import { customColumns } from './custom-columns.ts';
import { ofReferred, ownerEmail, tagNames } from './reference.ts';

const table = 'crm_companies';

const term = (name: string) =>
  column(table, `payment_terms.${name}`, 'text', `"${table}".payment_terms ->> '${name}'`);

/** Companies as a file. */
export const companyExport: Exporter = {
  name: 'crm.companies',
  scope: 'crm:read',
  title: '会社',
  columns: [
    column(table, 'id', 'text'),
    column(table, 'external_id', 'text'),
    column(table, 'name', 'text'),
    column(table, 'name_kana', 'text'),
    column(table, 'corporate_number', 'text'),
    column(table, 'invoice_registration_number', 'text'),
    column(table, 'domain', 'text'),
    column(table, 'website', 'text'),
    column(table, 'phone', 'text'),
    column(table, 'fax', 'text'),
    column(table, 'email', 'text'),
    column(table, 'postal_code', 'text'),
    column(table, 'prefecture', 'text'),
    column(table, 'city', 'text'),
    column(table, 'address_line', 'text'),
    column(table, 'building', 'text'),
    column(table, 'industry', 'text'),
    column(table, 'employee_count', 'number'),
    column(table, 'capital', 'number'),
    column(table, 'fiscal_month', 'number'),
    term('closing_day'),
    term('months_later'),
    term('pay_day'),
    column(table, 'honorific', 'text'),
    column(table, 'parent_id', 'text'),
    column(table, 'parent_external_id', 'text', ofReferred(table, 'parent_id', table, 'external_id')),
    column(table, 'owner_id', 'text'),
    ownerEmail(table),
    tagNames(table, 'company'),
    column(table, 'note', 'text'),
    column(table, 'open_deals', 'number'),
    column(table, 'open_amount', 'number'),
    column(table, 'created_at', 'time'),
    column(table, 'updated_at', 'time'),
  ],
  keyed: customColumns(table, 'company'),
  list: companyList,
};
