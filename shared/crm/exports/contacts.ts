import { column, type Exporter } from '../../platform/exports/exporter.ts';
import { fieldColumns } from '../../platform/exports/field-columns.ts';
import { commonHeaders } from '../../platform/exports/headers.ts';
import { labelsOf } from '../../platform/imports/reading/field.ts';
import { contactList } from '../contacts/queries.ts';
import { contactSchemas } from '../contacts/record.ts';
import { contactFields } from '../imports/contacts/fields.ts';
import { customColumns } from './custom-columns.ts';
import { ofReferred, ownerEmail, tagNames } from './reference.ts';

const table = 'crm_contacts';

const company = (name: string) => ofReferred(table, 'company_id', 'crm_companies', name);

/** Fields with a column of another kind, or in another place: last names come first. */
const placed = [
  'last_name',
  'first_name',
  'last_name_kana',
  'first_name_kana',
  'company_id',
  'owner_id',
  'note',
] as const;

const japanese = { ...commonHeaders, ...labelsOf(contactFields) };

/** Contacts as a file. */
export const contactExport: Exporter = {
  name: 'crm.contacts',
  scope: 'crm:read',
  title: '連絡先',
  columns: [
    column(table, 'id', 'text'),
    column(table, 'external_id', 'text'),
    column(table, 'last_name', 'text'),
    column(table, 'first_name', 'text'),
    column(table, 'last_name_kana', 'text'),
    column(table, 'first_name_kana', 'text'),
    column(table, 'full_name', 'text'),
    ...fieldColumns(table, contactSchemas, { except: placed }),
    column(table, 'company_id', 'text'),
    column(table, 'company_external_id', 'text', company('external_id')),
    column(table, 'company_name', 'text', company('name')),
    column(table, 'owner_id', 'text'),
    ownerEmail(table),
    tagNames(table, 'contact'),
    column(table, 'note', 'text'),
    column(table, 'metadata', 'text'),
    column(table, 'created_at', 'time'),
    column(table, 'updated_at', 'time'),
  ],
  japanese,
  keyed: customColumns(table, 'contact', contactFields, japanese),
  list: contactList,
};
