import { Failure, notFound } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { consentRequired, hasAgreedSince } from '../contacts/consent.ts';
import { lockMailContact } from '../contacts/queries.ts';
import { changeCounts } from './counters.ts';
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

function told({ contact_id, ...membership }: MailMembership) {
  return { id: contact_id, ...membership };
}
