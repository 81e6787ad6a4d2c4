import type { Work } from '../../../kernel/work.ts';
import { assertLocked } from '../../../platform/imports/overtaken.ts';
import { contactKind } from '../../contacts/record.ts';
import { aliasesIn } from '../aliases.ts';
import { contactIdsBy } from '../contact-ids.ts';
import { ambiguous, type Fault, type GoodRow, textsIn, unknown, type Values } from '../row.ts';

/** The contacts that a row names, in its order, undefined when it names none. Faults: `unknown_reference`, `ambiguous`. */
export type ContactReferences = (values: Values) => { ids: string[] | undefined } | Fault[];

type Named = { id: string; external_id: string | null; email_key: string | null };

/**
 * The contacts that rows of deals name by ID, or by external ID and e-mail; held until the work commits. IDs count
 * where all are known.
 */
export async function contactsNamed(work: Work, rows: readonly GoodRow[]): Promise<ContactReferences> {
  const ids = textsIn(rows, 'contact_ids');
  const external_ids = textsIn(rows, 'contact_external_ids');
  const emails = textsIn(rows, 'contact_emails').map((email) => email.toLowerCase());
  if (ids.length + external_ids.length + emails.length === 0) return () => ({ ids: undefined });
  const named_ids = await contactIdsBy(work, { external_ids, emails, ids });
  // After the contacts: one that is merged in between was found, and is missed when it is locked.
  const aliases = await aliasesIn(work, contactKind, { external_id: external_ids });
  const found = await holdContacts(work, [...new Set([...named_ids, ...aliases.ids])]);
  const byExternalId = Map.groupBy(found, ({ external_id }) => external_id);
  const byEmail = Map.groupBy(found, ({ email_key }) => email_key);
  const byId = Map.groupBy(found, ({ id }) => id);
  const byKey = (text: string) => byExternalId.get(text) ?? byId.get(aliases.find('external_id', text) ?? '');
  const known = new Set(found.map(({ id }) => id));
  return ({ contact_ids, contact_external_ids, contact_emails }) => {
    const lost = ((contact_ids ?? []) as string[]).filter((id) => !known.has(id));
    if (contact_ids !== undefined && lost.length === 0) return { ids: contact_ids as string[] };
    if (contact_external_ids === undefined && contact_emails === undefined) {
      return lost.length === 0 ? { ids: undefined } : lost.map((id) => unknown('contact_ids', id));
    }
    const ids = new Set<string>();
    const faults: Fault[] = [];
    const wanted = [
      ...named('contact_external_ids', contact_external_ids, byKey),
      ...named('contact_emails', contact_emails, (text) => byEmail.get(text.toLowerCase())),
    ];
    for (const { field, text, contacts } of wanted) {
      if (contacts.length === 0) faults.push(unknown(field, text));
      else if (contacts.length > 1) faults.push(ambiguous(field, text));
      else ids.add(contacts[0]!.id);
    }
    return faults.length > 0 ? faults : { ids: [...ids] };
  };
}

/** Held as they are referred to: they may change, but not vanish, until the work commits. */
async function holdContacts(work: Work, ids: readonly string[]): Promise<Named[]> {
  if (ids.length === 0) return [];
  const held = await work.connection.query<Named>(
    `SELECT id, external_id, email_key FROM crm_contacts
      WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR KEY SHARE`,
    [work.organization_id, ids],
    { prepared: false },
  );
  assertLocked(ids, held);
  return held;
}

function named(field: string, texts: unknown, find: (text: string) => Named[] | undefined) {
  return ((texts ?? []) as string[]).map((text) => ({ field, text, contacts: find(text) ?? [] }));
}
