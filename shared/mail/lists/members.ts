import { oneOf } from '../../db/one-of.ts';
import { Failure, notFound } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { consentRequired, hasAgreedSince } from '../contacts/consent.ts';
import { lockMailContact } from '../contacts/queries.ts';
import type { MailContact } from '../contacts/record.ts';
import { changeCounts, lockMailLists } from './counters.ts';
import { lockMailList, membershipOf } from './queries.ts';
import { type MailList, type MailMembership, membershipFacts } from './record.ts';

export type Joined = { list: MailList; membership: MailMembership };

/**
 * Puts a contact into a list; one that is there already stays. A list that the person has left is joined again only
 * with the contact's consent of a later time. Errors: `not_found`, `precondition_failed`, `consent_required`.
 */
export async function joinMailList(work: Work, list_id: string, contact_id: string): Promise<Joined> {
  const { contact } = await lockMailContact(work, contact_id);
  const list = await lockMailList(work, list_id);
  work.precondition(list);
  const before = await membershipOf(work, list_id, contact_id);
  if (before && before.unsubscribed_at === null) {
    work.nothingChanged();
    return { list, membership: before };
  }
  if (before?.unsubscribed_at && !hasAgreedSince(contact.consent, before.unsubscribed_at)) {
    throw consentRequired(before.unsubscribed_at);
  }
  const isActive = contact.status === 'active';
  const membership = addMember(work, { list_id, contact_id, isActive }, before);
  return {
    list: {
      ...list,
      contact_count: list.contact_count + (before ? 0 : 1),
      active_count: list.active_count + (isActive ? 1 : 0),
    },
    membership,
  };
}

/** Writes a membership, new or taken up again, of a locked contact and a locked list, and counts it. */
export function addMember(
  work: Work,
  { list_id, contact_id, isActive }: { list_id: string; contact_id: string; isActive: boolean },
  before: MailMembership | null = null,
): MailMembership {
  const added_at = work.now.toISOString();
  const membership: MailMembership = { list_id, contact_id, added_at, unsubscribed_at: null };
  work.run(
    `INSERT INTO mail_list_members (organization_id, list_id, contact_id, added_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (organization_id, list_id, contact_id)
     DO UPDATE SET added_at = excluded.added_at, unsubscribed_at = NULL, import_id = NULL`,
    [work.organization_id, list_id, contact_id, added_at],
  );
  changeCounts(work, [{ list_id, contacts: before ? 0 : 1, active: isActive ? 1 : 0 }]);
  if (before) work.record(membershipFacts.updated, { before: told(before), after: told(membership) });
  else work.record(membershipFacts.created, { before: null, after: told(membership) });
  return membership;
}

/**
 * Takes a contact out of a list. A membership that the person has ended stays, as the record of it.
 * Errors: `not_found`, `precondition_failed`, `invalid_transition`.
 */
export async function leaveMailList(work: Work, list_id: string, contact_id: string): Promise<void> {
  const { contact } = await lockMailContact(work, contact_id);
  work.precondition(await lockMailList(work, list_id));
  const before = await membershipOf(work, list_id, contact_id);
  if (!before) throw notFound();
  if (before.unsubscribed_at !== null) {
    throw new Failure('invalid_transition', {
      detail: {
        en: `The person left this list at ${before.unsubscribed_at}; that stays on record`,
        ja: `ご本人が ${before.unsubscribed_at} にこのリストから脱退しています。その記録は削除できません`,
      },
    });
  }
  work.run('DELETE FROM mail_list_members WHERE organization_id = $1 AND list_id = $2 AND contact_id = $3', [
    work.organization_id,
    list_id,
    contact_id,
  ]);
  changeCounts(work, [{ list_id, contacts: -1, active: contact.status === 'active' ? -1 : 0 }]);
  work.record(membershipFacts.deleted, { before: told(before), after: null });
}

/**
 * The person leaves lists, which stays on record; of one that they have left already nothing changes. The contact is locked. Answers
 * the lists that they are not in; then nothing may be written.
 */
export async function endMemberships(
  work: Work,
  contact: Pick<MailContact, 'id' | 'status'>,
  list_ids: readonly string[],
): Promise<string[]> {
  await lockMailLists(work, list_ids);
  const memberships = await work.connection.query<MailMembership>(
    `SELECT list_id, contact_id, added_at, unsubscribed_at FROM mail_list_members
      WHERE organization_id = $1 AND contact_id = $2 AND list_id = ${oneOf('$3')} ORDER BY list_id`,
    [work.organization_id, contact.id, list_ids],
  );
  const unsubscribed_at = work.now.toISOString();
  const left = memberships.filter((membership) => membership.unsubscribed_at === null);
  work.run(
    `UPDATE mail_list_members SET unsubscribed_at = $4
      WHERE organization_id = $1 AND contact_id = $2 AND list_id = ${oneOf('$3')}`,
    [work.organization_id, contact.id, left.map(({ list_id }) => list_id), unsubscribed_at],
  );
  const active = contact.status === 'active' ? -1 : 0;
  changeCounts(
    work,
    left.map(({ list_id }) => ({ list_id, contacts: 0, active })),
  );
  for (const before of left) {
    work.record(membershipFacts.updated, {
      before: told(before),
      after: told({ ...before, unsubscribed_at }),
    });
  }
  const known = new Set(memberships.map(({ list_id }) => list_id));
  return list_ids.filter((list_id) => !known.has(list_id));
}

function told({ contact_id, ...membership }: MailMembership) {
  return { id: contact_id, ...membership };
}
