import type { Audience, AudienceCounts } from '../../shared/mail/campaigns/audience.ts';
import type { SkipReason } from '../../shared/mail/campaigns/words.ts';
import type { SegmentFilter } from '../../shared/mail/segments/filter.ts';

/** A mail contact with all that an audience asks about. */
export type AudienceContact = {
  id: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
  attributes: Record<string, string>;
  status: 'active' | 'unsubscribed' | 'bounced';
  consent: { basis: string; tracking: boolean } | null;
  created_at: string;
  is_suppressed: boolean;
  memberships: readonly { list_id: string; added_at: string; has_left: boolean }[];
};

const ADDRESS = /^[a-z0-9.]{1,64}@[a-z0-9.]+$/;

/** Whether a filter finds a contact: of conditions `first_name equals` and `list_id any_of` alone. */
function isFound(
  filter: SegmentFilter,
  contact: AudienceContact,
  memberships: AudienceContact['memberships'],
): boolean {
  if ('all' in filter) return filter.all.every((each) => isFound(each, contact, memberships));
  if ('any' in filter) return filter.any.some((each) => isFound(each, contact, memberships));
  if ('not' in filter) return !isFound(filter.not, contact, memberships);
  if (filter.field === 'first_name') return contact.first_name === filter.value;
  const list_ids = filter.value as readonly string[];
  return memberships.some(({ list_id }) => list_ids.includes(list_id));
}

/** Whether a contact is in an audience, said without SQL. */
export function isInAudience(audience: Audience, contact: AudienceContact, began: string | null): boolean {
  const { list_ids, exclude_list_ids, filter } = audience;
  if (began !== null && contact.created_at > began) return false;
  if (contact.memberships.some(({ list_id }) => exclude_list_ids.includes(list_id))) return false;
  if (filter && !isFound(filter, contact, contact.memberships)) return false;
  if (list_ids.length === 0) return filter !== null;
  return contact.memberships.some(
    ({ list_id, added_at }) => list_ids.includes(list_id) && (began === null || added_at <= began),
  );
}

/** The first reason why a contact gets no mail; null where it gets one. */
export function reasonFor(audience: Audience, contact: AudienceContact): SkipReason | null {
  const { purpose, mail_order, list_ids, filter, needed } = audience;
  const own = contact.memberships.filter(({ list_id }) => list_ids.includes(list_id));
  const hasLeft = own.length > 0 && own.every(({ has_left }) => has_left);
  const living = contact.memberships.filter(({ has_left }) => !has_left);
  const isLeft = filter !== null && !isFound(filter, contact, living);
  if (contact.status === 'unsubscribed' || hasLeft || isLeft) return 'unsubscribed';
  if (contact.status === 'bounced') return 'bounced';
  if (contact.is_suppressed) return 'suppressed';
  const wanted = mail_order ? ['consent'] : ['consent', 'address_notified', 'relationship', 'published'];
  if (purpose === 'advertisement' && !wanted.includes(contact.consent?.basis ?? '')) return 'no_consent';
  const { first_name, last_name, attributes } = contact;
  const values: Record<string, string | null> = {
    first_name,
    last_name,
    full_name: first_name || last_name,
    ...Object.fromEntries(Object.entries(attributes).map(([key, value]) => [`attributes.${key}`, value])),
  };
  const isMissing = (name: string) =>
    name in values || name.startsWith('attributes.') ? !values[name] : false;
  if (needed.some(isMissing)) return 'missing_value';
  return ADDRESS.test(contact.email) ? null : 'invalid_address';
}

/** What an audience comes to. */
export function countsOfModel(audience: Audience, contacts: readonly AudienceContact[]): AudienceCounts {
  const matched = contacts.filter((contact) => isInAudience(audience, contact, null));
  const reasons = Map.groupBy(matched, (contact) => reasonFor(audience, contact));
  const skipped = [...reasons].flatMap(([reason, all]) =>
    reason === null ? [] : [[reason, all.length] as const],
  );
  return {
    matched: matched.length,
    eligible: reasons.get(null)?.length ?? 0,
    skipped_by: Object.fromEntries(skipped),
  };
}
