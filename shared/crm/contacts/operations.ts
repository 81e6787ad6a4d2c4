import { requireMember } from '../../access/members.ts';
import { requireRecord } from '../../db/reference.ts';
import { fullName } from '../../full-name.ts';
import type { Fact } from '../../kernel/fact.ts';
import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import { gramsOf } from '../../search/grams.ts';
import { personSearchText } from '../../search/lines.ts';
import { digitsOf } from '../../search/normalise.ts';
import { relinkActivities } from '../activities/links.ts';
import { customFieldsAfter } from '../custom-fields/queries.ts';
import { lockDealsOf, relinkDealContacts } from '../deals/links.ts';
import { personSortName } from '../names.ts';
import { type ContactRow, contactOf, lockContact } from './queries.ts';
import { type Contact, type ContactInput, ContactModel, type ContactPatch, contactFacts } from './record.ts';

const COMPANIES = { tableName: 'crm_companies' };

/** Makes a contact. Errors: `validation_failed`, `unknown_reference`, `already_exists` for an external_id in use. */
export async function createContact(work: Work, input: ContactInput): Promise<Contact> {
  const [custom_fields] = await Promise.all([
    customFieldsAfter(work, 'contact', {}, input.custom_fields),
    requireReferences(work, input),
  ]);
  const created_at = work.now.toISOString();
  const row: ContactRow = {
    id: newId('cont', work.now),
    first_name: input.first_name,
    last_name: input.last_name,
    first_name_kana: input.first_name_kana ?? null,
    last_name_kana: input.last_name_kana ?? null,
    full_name: fullName(input),
    email: input.email ?? null,
    phone: input.phone ?? null,
    position: input.position ?? null,
    company_id: input.company_id ?? null,
    owner_id: input.owner_id === undefined ? work.actor.user_id : input.owner_id,
    note: input.note ?? null,
    external_id: input.external_id ?? null,
    custom_fields,
    created_at,
    updated_at: created_at,
  };
  const contact = contactOf(row, []);
  work.insert(ContactModel, { ...row, ...derived(row) });
  work.record(contactFacts.created, { before: null, after: contact });
  return contact;
}

/** Changes the fields sent. Errors: `not_found`, `precondition_failed`, those of making one. */
export async function updateContact(work: Work, id: string, patch: ContactPatch): Promise<Contact> {
  const before = await lockContact(work, id);
  const [custom_fields] = await Promise.all([
    customFieldsAfter(work, 'contact', before.custom_fields, patch.custom_fields),
    requireReferences(work, patch),
  ]);
  work.precondition(before);
  return writeContact(work, before, { ...before, ...patch, custom_fields });
}

/**
 * Writes what a change made of a locked contact and says so; a change that changes nothing leaves no trace, unless
 * the fact is always told.
 */
export function writeContact(
  work: Work,
  before: Contact,
  changed: Contact,
  fact: Fact = contactFacts.updated,
): Contact {
  if (!fact.always && work.isSame(fact, before, changed)) return before;
  const after: Contact = { ...changed, full_name: fullName(changed), updated_at: work.touch(before) };
  const { id, object, tags, created_at, ...columns } = after;
  work.update(ContactModel, id, { ...columns, ...derived(after) });
  work.record(fact, { before, after });
  return after;
}

/** Removes a contact; what referred to it keeps its text and loses the link. Errors: `not_found`, `precondition_failed`. */
export async function deleteContact(work: Work, id: string): Promise<void> {
  await lockDealsOf(work, { contact_id: id });
  const before = await lockContact(work, id, 'removal');
  work.precondition(before);
  await relinkDealContacts(work, id, null);
  await relinkActivities(work, 'contact_id', id, null);
  work.remove(ContactModel, id);
  work.record(contactFacts.deleted, { before, after: null });
}

async function requireReferences(
  work: Work,
  input: { company_id?: string | null; owner_id?: string | null },
) {
  await Promise.all([
    requireRecord(work, COMPANIES, input.company_id, '/company_id'),
    requireMember(work, input.owner_id, '/owner_id'),
  ]);
}

/** The columns that search, order and the hunt for duplicates are served from. */
function derived(contact: ContactRow) {
  const search_text = personSearchText(contact);
  return {
    sort_name: personSortName(contact),
    email_key: contact.email?.toLowerCase() ?? null,
    phone_digits: digitsOf(contact.phone ?? '') || null,
    search_text,
    search_grams: gramsOf(search_text),
  };
}
