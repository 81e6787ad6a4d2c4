import { Model } from 'objection';
import { contactColumns, contactOf } from '../../../../shared/crm/contacts/queries.ts';
import { searchTerm } from '../../../../shared/platform/search/grams.ts';
import type { Any } from '../bare-server.ts';
import { idsOf, type List, pageAndTotal } from './page.ts';
import { tagsOf } from './tags.ts';

export class Contact extends Model {
  static override tableName = 'crm_contacts';
  static override idColumn = ['organization_id', 'id'];
  static override jsonAttributes = ['custom_fields'];
}

export async function withTags(organization_id: string, rows: Any[]) {
  const tags = await tagsOf('contact', organization_id, idsOf(rows));
  return rows.map((row) => contactOf(row, tags(row.id)));
}

export const contacts: List = async (asked) => {
  const { organization_id, query } = asked;
  const found = Contact.query().where({ organization_id });
  if (query.search) {
    const term = searchTerm(String(query.search))!;
    found.whereRaw('search_grams @> ?::int4[]', [term.grams]).whereLike('search_text', term.pattern);
  }
  const [rows, total] = await pageAndTotal(found, contactColumns, asked);
  return { items: await withTags(organization_id, rows), total };
};
