import { fullName } from '../../kernel/full-name.ts';
import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import { sentOrNull } from '../../kernel/record-fields.ts';
import type { Row, Work } from '../../kernel/work.ts';
import { gramsOf } from '../../platform/search/grams.ts';
import { personSearchText } from '../../platform/search/lines.ts';
import { digitsOf } from '../../platform/search/normalise.ts';
import type { CustomFieldValues } from '../custom-fields/values.ts';
import { personSortName } from '../names.ts';
import { contactOf } from './queries.ts';
import { type Contact, type ContactInput, contactFields } from './record.ts';

/** A contact that is about to be made; what was not sent has its default. */
export function newContact(work: Work, input: ContactInput, custom_fields: CustomFieldValues): Contact {
  const created_at = work.now.toISOString();
  const row = {
    id: newId('cont', work.now),
    ...sentOrNull(input, contactFields),
    first_name: input.first_name,
    last_name: input.last_name,
    full_name: fullName(input),
    owner_id: input.owner_id === undefined ? work.actor.user_id : input.owner_id,
    custom_fields,
    metadata: metadataAfter({}, input.metadata),
    created_at,
    updated_at: created_at,
  };
  return contactOf(row, []);
}

/** What a change makes of a contact: with what follows from its fields, and the time of the change. */
export function changedContact(work: Work, before: Contact, changed: Contact): Contact {
  return { ...changed, full_name: fullName(changed), updated_at: work.touch(before) };
}

/** The columns that hold a contact, its ID and search included. */
export function columnsOfContact(contact: Contact): Row {
  const { object, tags, ...columns } = contact;
  const search_text = personSearchText(contact);
  return {
    ...columns,
    sort_name: personSortName(contact),
    email_key: contact.email?.toLowerCase() ?? null,
    phone_digits: digitsOf(contact.phone ?? '') || null,
    search_text,
    search_grams: gramsOf(search_text),
  };
}
