import type { Condition } from '../../db/keyset.ts';
import { expectingFew, hasLetters, hasText, type SearchTerm } from '../../db/search-term.ts';
import type { Work } from '../../kernel/work.ts';
import { gramsOf } from '../../platform/search/grams.ts';

/** Milliseconds after which what an import left unindexed is due: so its own later chunks are not slowed down by it. */
const PATIENCE = 20_000;

/** Contacts that an import wrote without their letters: new ones by the range of their IDs, changed ones one by one. */
export type Unindexed = { first_contact_id: string; last_contact_id: string } | { contact_ids: string[] };

/** Writes the letters of one contact at once. */
export function indexContact(work: Work, id: string, search_text: string): void {
  work.run(INDEX, [work.organization_id, [id], [gramsLiteral(search_text)]]);
}

/** Leaves the letters of many contacts to the sweep; searches find them meanwhile by their text. */
export function leaveUnindexed(work: Work, unindexed: Unindexed): void {
  const range = 'contact_ids' in unindexed ? null : unindexed;
  const contact_ids = 'contact_ids' in unindexed ? unindexed.contact_ids : null;
  work.run(
    `INSERT INTO mail_contacts_unindexed
       (organization_id, first_contact_id, last_contact_id, contact_ids, due_at) VALUES ($1, $2, $3, $4, $5)`,
    [
      work.organization_id,
      range?.first_contact_id ?? null,
      range?.last_contact_id ?? null,
      contact_ids,
      unindexedDue(work.now),
    ],
  );
}

/** When the letters of contacts are due that are written `now` without them. */
export function unindexedDue(now: Date): string {
  return new Date(now.getTime() + PATIENCE).toISOString();
}

/** Writes the letters of contacts: $1 organization, $2 their IDs, $3 the letters of each as a literal of int4[]. */
export const INDEX = `
  INSERT INTO mail_contact_grams (organization_id, contact_id, search_grams)
  SELECT $1, id, grams::int4[] FROM unnest($2::text[], $3::text[]) AS row (id, grams)
  ON CONFLICT (organization_id, contact_id) DO UPDATE SET search_grams = excluded.search_grams`;

/** The letters of a searched text as PostgreSQL reads an array. */
export function gramsLiteral(search_text: string): string {
  return `{${gramsOf(search_text).join(',')}}`;
}

/**
 * The IDs of contacts that may match a term: those with its letters, and all that are not indexed yet or have other
 * letters by now. SQL with `?` for its values; what it names still has to be LIKE the pattern.
 */
export function contactCandidates(organization_id: string, term: SearchTerm): Condition {
  const letters = expectingFew(hasLetters('search_grams', term));
  const told = hasText('contact.search_text', term);
  const text = `
    SELECT contact_id FROM mail_contact_grams WHERE organization_id = ? AND ${letters.text}
    UNION ALL
    SELECT contact.id FROM mail_contacts_unindexed AS range
      JOIN mail_contacts AS contact ON contact.organization_id = range.organization_id
       AND contact.id >= range.first_contact_id AND contact.id <= range.last_contact_id
     WHERE range.organization_id = ? AND ${told.text}
    UNION ALL
    SELECT unnest(contact_ids) FROM mail_contacts_unindexed
     WHERE organization_id = ? AND contact_ids IS NOT NULL`;
  return {
    text,
    values: [organization_id, ...letters.values, organization_id, ...told.values, organization_id],
  };
}
