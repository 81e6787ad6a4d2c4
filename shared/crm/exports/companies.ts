import { column, type Exporter } from '../../platform/exports/exporter.ts';
import { fieldColumns } from '../../platform/exports/field-columns.ts';
import { commonHeaders } from '../../platform/exports/headers.ts';
import { labelsOf } from '../../platform/imports/reading/field.ts';
import { companyList } from '../companies/queries.ts';
import { companySchemas } from '../companies/record.ts';
import { companyFields } from '../imports/companies/fields.ts';
import { customColumns } from './custom-columns.ts';
import { ofReferred, ownerEmail, tagNames } from './reference.ts';
import { companyWords } from './words.ts';

const table = 'crm_companies';

const term = (name: string) =>
  column(table, `payment_terms.${name}`, 'text', `"${table}".payment_terms ->> '${name}'`);

/** Fields with a column of another kind, or in another place. */
const placed = ['payment_terms', 'honorific', 'parent_id', 'owner_id', 'note'] as const;

const japanese = {
  ...commonHeaders,
  ...labelsOf(companyFields),
  open_deals: '進行中の案件数',
  open_amount: '進行中の案件金額',
};

/** Companies as a file. */
export const companyExport: Exporter = {
  name: 'crm.companies',
  scope: 'crm:read',
  title: '会社',
  columns: [
    column(table, 'id', 'text'),
    column(table, 'external_id', 'text'),
    ...fieldColumns(table, companySchemas, { except: placed }),
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
    column(table, 'metadata', 'text'),
    column(table, 'created_at', 'time'),
    column(table, 'updated_at', 'time'),
  ],
  japanese,
  words: companyWords,
  keyed: customColumns(table, 'company', companyFields, japanese),
  list: companyList,
};
