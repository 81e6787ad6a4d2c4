import { personSortName } from '../../../shared/crm/names.ts';
import { fullName } from '../../../shared/kernel/full-name.ts';
import { newId } from '../../../shared/kernel/id.ts';
import { gramsOf } from '../../../shared/platform/search/grams.ts';
import { personSearchText } from '../../../shared/platform/search/lines.ts';

/** The row of a new contact, as all three servers must write it to serve search and order. */
export function newContactRow(
  key: { organization_id: string; created_by: string },
  body: { first_name: string; last_name: string; email?: string },
) {
  const now = new Date();
  const search_text = personSearchText(body);
  return {
    organization_id: key.organization_id,
    id: newId('cont', now),
    first_name: body.first_name,
    last_name: body.last_name,
    first_name_kana: null,
    last_name_kana: null,
    full_name: fullName(body),
    email: body.email ?? null,
    phone: null,
    position: null,
    company_id: null,
    owner_id: key.created_by,
    note: null,
    external_id: null,
    custom_fields: {},
    sort_name: personSortName(body),
    email_key: body.email?.toLowerCase() ?? null,
    phone_digits: null,
    search_text,
    search_grams: gramsOf(search_text),
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
  };
}
