import { leaveKeys } from '../../db/key-aliases.ts';
import { fullName } from '../../kernel/full-name.ts';
import type { Work } from '../../kernel/work.ts';
import {
  countReferring,
  foreignReferences,
  lockReferring,
  type Reference,
  relinkReferring,
} from '../../platform/references.ts';
import { countActivities, relinkActivities } from '../activities/links.ts';
import { countDealsOf, lockDealsOf, relinkDealContacts } from '../deals/links.ts';
import {
  leaveAlias,
  lockPair,
  type MergeInput,
  type Moved,
  moveTags,
  sumOf,
  tagsTogether,
} from '../merge.ts';
import { mergeFields } from '../merge-fields.ts';
import { writeContact } from './operations.ts';
import { lockContact } from './queries.ts';
import { type Contact, ContactModel, contactFacts, contactFields, contactKind } from './record.ts';

export type ContactMerge = { contact: Contact; moved: Moved; dry_run: boolean };

/**
 * Merges the loser into the contact: what refers to it refers to the survivor from now on, and its ID leads there.
 * `dry_run` counts what would move, and locks nothing but the two contacts.
 * Errors: `not_found`, `precondition_failed`, `unknown_reference` and `validation_failed` at /loser_id or
 * /fields/<field>.
 */
export async function mergeContacts(
  work: Work,
  id: string,
  input: MergeInput,
  references: readonly Reference[],
): Promise<ContactMerge> {
  const { loser_id, fields: choices, dry_run } = input;
  const foreign = foreignReferences(references, 'crm_contacts');
  const deals = dry_run
    ? await countDealsOf(work, { contact_id: loser_id })
    : await lockDeals(work, id, loser_id);
  const documents = dry_run
    ? sumOf(await countReferring(work, foreign, loser_id))
    : await lockReferring(work, foreign, loser_id);
  await lockPair(work, ContactModel, id, loser_id);
  const survivor = await lockContact(work, id);
  const loser = await lockContact(work, loser_id);
  const fields = mergeFields(survivor, loser, contactFields, choices);
  work.precondition(survivor);
  const merged: Contact = {
    ...fields,
    full_name: fullName(fields),
    tags: tagsTogether(survivor.tags, loser.tags),
  };
  const moved: Moved = {
    deals,
    activities: await countActivities(work, 'contact_id', loser_id),
    contacts: 0,
    tags: merged.tags.length - survivor.tags.length,
    documents,
  };
  if (dry_run) {
    work.nothingChanged();
    return { contact: merged, moved, dry_run };
  }
  await relinkDealContacts(work, loser_id, id);
  await relinkActivities(work, 'contact_id', loser_id, id);
  await relinkReferring(work, foreign, loser_id, id);
  moveTags(work, 'contact', id, loser_id);
  leaveAlias(work, 'contact', id, loser_id);
  leaveKeys(work, contactKind, { merged, survivor, loser });
  work.remove(ContactModel, loser_id);
  work.record(contactFacts.deleted, { before: loser, after: null });
  const contact = writeContact(work, survivor, merged, { ...contactFacts.updated, always: true });
  return { contact, moved, dry_run };
}

/** The deals of both, before the contacts, as every write of a deal does; answers how many the loser has. */
async function lockDeals(work: Work, id: string, loser_id: string): Promise<number> {
  await lockDealsOf(work, { contact_id: id });
  return lockDealsOf(work, { contact_id: loser_id });
}
