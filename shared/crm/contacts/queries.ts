import { isFiltered, type ListQuery, pageOf } from '../../db/list.ts';
import type { LookUps } from '../../db/look-ups.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { searchTerm } from '../../platform/search/grams.ts';
import { isCompany, missing } from '../aliases.ts';
import { tagsOf } from '../tags/queries.ts';
import type { TagLabel } from '../tags/record.ts';
import { type Contact, ContactModel, contactFields, contactKind } from './record.ts';

export const contactColumns = ['id', ...contactFields, 'full_name', 'created_at', 'updated_at'] as const;

export type ContactRow = Omit<Contact, 'object' | 'tags'>;

/** A row as the API shows it. */
export function contactOf(row: ContactRow, tags: TagLabel[]): Contact {
  return {
    id: row.id,
    object: 'crm.contact',
    first_name: row.first_name,
    last_name: row.last_name,
    first_name_kana: row.first_name_kana,
    last_name_kana: row.last_name_kana,
    email: row.email,
    phone: row.phone,
    position: row.position,
    company_id: row.company_id,
    owner_id: row.owner_id,
    note: row.note,
    external_id: row.external_id,
    custom_fields: row.custom_fields,
    metadata: row.metadata,
    full_name: row.full_name,
    tags,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

const BY_ID = `SELECT ${contactColumns.join(', ')} FROM crm_contacts WHERE organization_id = $1 AND id = $2`;

/** One contact. Errors: `not_found`. */
export async function contactById(reader: Reader, id: string): Promise<Contact> {
  const [[row], tags] = await Promise.all([
    reader.connection.query<ContactRow>(BY_ID, [reader.organization_id, id]),
    tagsOf(reader, 'contact', [id]),
  ]);
  if (!row) throw notFound();
  return contactOf(row, tags(id));
}

/**
 * The same, its row locked until the work commits; for a removal nothing new can refer to it meanwhile.
 * Errors: `not_found`.
 */
export async function lockContact(
  reader: Reader,
  id: string,
  purpose: 'change' | 'removal' = 'change',
): Promise<Contact> {
  const lock = purpose === 'change' ? 'FOR NO KEY UPDATE' : 'FOR UPDATE';
  const [[row], tags] = await Promise.all([
    reader.connection.query<ContactRow>(`${BY_ID} ${lock}`, [reader.organization_id, id]),
    tagsOf(reader, 'contact', [id]),
  ]);
  if (!row) throw await missing(reader, id);
  return contactOf(row, tags(id));
}

export type ContactFilters = LookUps & {
  search?: string;
  company_id?: string;
  owner_id?: string;
  tag_id?: string;
};

/** The contacts that the filters leave. */
export function contactList(reader: Reader, filters: ContactFilters, window: Window): ListQuery {
  const query = ContactModel.table(reader);
  if (filters.company_id) query.whereRaw(...isCompany(reader, 'crm_contacts', filters.company_id));
  if (filters.owner_id) query.where('crm_contacts.owner_id', filters.owner_id);
  if (filters.tag_id) {
    const tagged = reader.connection
      .from('crm_tag_assignments')
      .where({ organization_id: reader.organization_id, tag_id: filters.tag_id })
      .select('contact_id');
    query.whereIn('crm_contacts.id', tagged);
  }
  return {
    query,
    table: ContactModel.tableName,
    columns: contactColumns,
    prefix: 'cont',
    sorts: {
      name: 'sort_name',
      first_name: 'first_name',
      last_name: 'last_name',
      email: { column: 'email_key', nullable: true },
    },
    window,
    is_filtered: isFiltered({ ...filters, search: undefined }),
    counted: { table: ContactModel.tableName },
    look_ups: { kind: contactKind, asked: filters },
    search: filters.search === undefined ? null : searchTerm(filters.search),
  };
}

/** A window of the contacts that the filters leave. */
export async function contactPage(
  reader: Reader,
  filters: ContactFilters,
  window: Window,
): Promise<Page<Contact>> {
  const page = await pageOf<ContactRow>(reader, contactList(reader, filters, window));
  const tags = await tagsOf(
    reader,
    'contact',
    page.rows.map(({ id }) => id),
  );
  return { ...page, rows: page.rows.map((row) => contactOf(row, tags(row.id))) };
}
