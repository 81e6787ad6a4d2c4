import type { Work } from '../../../kernel/work.ts';
import type { Reference } from '../../../platform/references.ts';
import { type ContactRow, contactColumns, contactOf } from '../../contacts/queries.ts';
import { type Contact, ContactModel, contactFacts } from '../../contacts/record.ts';
import { changedContact, columnsOfContact } from '../../contacts/shape.ts';
import { tagsOf } from '../../tags/queries.ts';
import { customFieldsWith, keptByReferences, ownFields, presentIn, valuesBefore } from '../give-back.ts';
import type { Overwritten } from '../journal.ts';
import { type Made, type Reverter, valuesToGiveBack } from '../revert.ts';
import { tagsLeft, takeTags } from '../take-tags.ts';
import { keptOfContact } from './records.ts';

/** Undoes an import of contacts. */
export const contactReverter: Reverter = { restore, remove };

async function restore(work: Work, overwritten: ReadonlyMap<string, Overwritten>) {
  const contacts = await lockContacts(work, [...overwritten.keys()], 'FOR NO KEY UPDATE');
  const companies = await presentIn(
    work,
    'crm_companies',
    'id',
    valuesBefore(overwritten.values(), 'company_id'),
  );
  const taken = await presentIn(
    work,
    'crm_contacts',
    'external_id',
    valuesBefore(overwritten.values(), 'external_id'),
  );
  const allows = (field: string, value: unknown) => {
    if (field === 'company_id') return value === null || companies.has(value as string);
    return field !== 'external_id' || !taken.has(value as string);
  };
  const untagged = await takeTags(work, 'contact', overwritten);
  const counts = { restored_count: 0, left_count: 0 };
  const changed: Contact[] = [];
  for (const before of contacts) {
    const own = overwritten.get(before.id)!;
    const { values, left } = valuesToGiveBack(keptOfContact(before), own, allows);
    const custom_fields = customFieldsWith(before.custom_fields, values);
    const after = {
      ...before,
      ...ownFields(values),
      custom_fields,
      tags: tagsLeft(before, untagged),
    } as Contact;
    if (left > 0) counts.left_count += 1;
    if (Object.keys(values).length > 0 || untagged.has(before.id)) counts.restored_count += 1;
    if (work.isSame(contactFacts.updated, before, after)) continue;
    const contact = changedContact(work, before, after);
    work.record(contactFacts.updated, { before, after: contact });
    changed.push(contact);
  }
  work.updateAll(
    ContactModel,
    changed.map((contact) => {
      const { created_at, ...columns } = columnsOfContact(contact);
      return columns;
    }),
  );
  return counts;
}

async function remove(work: Work, made: Made, references: readonly Reference[]) {
  const contacts = await lockContacts(work, [...made.keys()], 'FOR UPDATE');
  const ids = contacts.map(({ id }) => id);
  const referred = await keptByReferences(work, references, 'crm_contacts', ids);
  const gone = contacts.filter(({ id, updated_at }) => made.get(id) === updated_at && !referred.has(id));
  for (const before of gone) work.record(contactFacts.deleted, { before, after: null });
  work.run('DELETE FROM crm_contacts WHERE organization_id = $1 AND id = ANY ($2)', [
    work.organization_id,
    gone.map(({ id }) => id),
  ]);
  return { deleted_count: gone.length, left_count: contacts.length - gone.length };
}

async function lockContacts(work: Work, ids: readonly string[], lock: string): Promise<Contact[]> {
  if (ids.length === 0) return [];
  const rows = await work.connection.query<ContactRow>(
    `SELECT ${contactColumns.join(', ')} FROM crm_contacts
      WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id ${lock}`,
    [work.organization_id, ids],
  );
  const tags = await tagsOf(work, 'contact', ids);
  return rows.map((row) => contactOf(row, tags(row.id)));
}
