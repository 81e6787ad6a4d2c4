import type { Database } from '../../shared/db/database.ts';
import { fullName } from '../../shared/kernel/full-name.ts';
import { newId } from '../../shared/kernel/id.ts';
import { mailSearchText } from '../../shared/mail/contacts/search-text.ts';
import { FIRST, LAST } from './many-contacts.ts';
import { writtenGrams } from './many-records.ts';

export type SeedOptions = {
  /** Whether the letters are indexed, as by single writes, or left to the sweep, as by an import. */
  indexed?: boolean;
  /** From which number on contacts were changed, a day after they were made; none unless said. */
  changed_from?: number;
  /** A list that every contact is put into. */
  list_id?: string;
};

const CHUNK = 10_000;

const DAY = 24 * 3_600_000;

/**
 * Fills an organization with mail contacts one second apart, the newest last: common Japanese surnames, in every
 * ten-thousandth row a rare one, and every hundredth one bounced. Unindexed chunks are due an hour after they were
 * written.
 */
export async function seedMailContacts(
  database: Database,
  organization_id: string,
  count: number,
  { indexed = true, changed_from = count, list_id }: SeedOptions = {},
): Promise<void> {
  const start = Date.now() - count * 1_000;
  for (let from = 0; from < count; from += CHUNK) {
    const size = Math.min(CHUNK, count - from);
    const rows = Array.from({ length: size }, (_, n) => contactRow(from + n, start, changed_from));
    await database.withConnection(organization_id, async ({ query }) => {
      await query(
        `INSERT INTO mail_contacts (organization_id, id, email, email_key, first_name, last_name, full_name, status,
           attributes, search_text, created_at, updated_at)
         SELECT $1, id, email, email_key, first_name, last_name, full_name, status, '{}', search_text, created_at,
           updated_at FROM json_populate_recordset(null::mail_contacts, $2::json)`,
        [organization_id, JSON.stringify(rows)],
      );
      if (indexed) {
        await query(
          `INSERT INTO mail_contact_grams SELECT $1, contact_id, search_grams
             FROM json_populate_recordset(null::mail_contact_grams, $2::json)`,
          [
            organization_id,
            JSON.stringify(
              rows.map(({ id, search_text }) => ({
                contact_id: id,
                search_grams: writtenGrams(search_text),
              })),
            ),
          ],
        );
      } else {
        await query(
          `INSERT INTO mail_contacts_unindexed (organization_id, first_contact_id, last_contact_id, due_at)
           VALUES ($1, $2, $3, $4)`,
          [organization_id, rows[0]!.id, rows.at(-1)!.id, new Date(Date.now() + 3_600_000).toISOString()],
        );
      }
      if (list_id) {
        await query(
          `INSERT INTO mail_list_members (organization_id, list_id, contact_id, added_at)
           SELECT $1, $2, id, now() FROM unnest($3::text[]) AS id`,
          [organization_id, list_id, rows.map(({ id }) => id)],
        );
      }
    });
  }
}

function contactRow(n: number, start: number, changed_from: number) {
  const at = new Date(start + n * 1_000);
  const rare = n % 10_000 === 17 ? '勅使河原' : n % 10_000 === 18 ? '鰻田' : null;
  const person = {
    email: `person${n}@example${n % 97}.co.jp`,
    first_name: FIRST[n % FIRST.length]!,
    last_name: rare ?? LAST[(n * 5) % LAST.length]!,
  };
  return {
    id: newId('mcont', at),
    ...person,
    email_key: person.email,
    full_name: fullName(person),
    status: n % 100 === 0 ? 'bounced' : 'active',
    search_text: mailSearchText(person),
    created_at: at.toISOString(),
    updated_at: new Date(at.getTime() + (n < changed_from ? 0 : DAY)).toISOString(),
  };
}
