import { requireRecord } from '../../db/reference.ts';
import type { Fact } from '../../kernel/fact.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import type { Work } from '../../kernel/work.ts';
import { requireMember } from '../../platform/access/members.ts';
import {
  foreignReferences,
  lockReferring,
  type Reference,
  relinkReferring,
} from '../../platform/references.ts';
import { relinkActivities } from '../activities/links.ts';
import { customFieldsAfter } from '../custom-fields/queries.ts';
import { lockDealsOf, relinkDealContacts } from '../deals/links.ts';
import { refuseInUse } from '../in-use.ts';
import { lockContact } from './queries.ts';
import { type Contact, type ContactInput, ContactModel, type ContactPatch, contactFacts } from './record.ts';
import { changedContact, columnsOfContact, newContact } from './shape.ts';

const COMPANIES = { tableName: 'crm_companies' };

/** Makes a contact. Errors: `validation_failed`, `unknown_reference`, `already_exists` for an external_id in use. */
export async function createContact(work: Work, input: ContactInput): Promise<Contact> {
  const [custom_fields] = await Promise.all([
    customFieldsAfter(work, 'contact', {}, input.custom_fields),
    requireReferences(work, input),
  ]);
  const contact = newContact(work, input, custom_fields);
  work.insert(ContactModel, columnsOfContact(contact));
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
  const metadata = metadataAfter(before.metadata, patch.metadata);
  return writeContact(work, before, { ...before, ...patch, custom_fields, metadata });
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
  const after = changedContact(work, before, changed);
  const { id, created_at, ...columns } = columnsOfContact(after);
  work.update(ContactModel, before.id, columns);
  work.record(fact, { before, after });
  return after;
}

/**
 * Removes a contact; rows that refer to it keep their text and lose the link, unless their domain refuses. Errors:
 * `not_found`, `precondition_failed`, `in_use`.
 */
export async function deleteContact(work: Work, id: string, references: readonly Reference[]): Promise<void> {
  const cleared = foreignReferences(references, 'crm_contacts', 'cleared');
  await lockDealsOf(work, { contact_id: id });
  await lockReferring(work, cleared, id);
  const before = await lockContact(work, id, 'removal');
  work.precondition(before);
  await refuseInUse(work, references, 'crm_contacts', id);
  await relinkDealContacts(work, id, null);
  await relinkActivities(work, 'contact_id', id, null);
  await relinkReferring(work, cleared, id, null);
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
