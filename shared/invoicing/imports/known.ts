import type { Work } from '../../kernel/work.ts';
import type { WrittenKind } from '../documents/kinds.ts';
import type { DocumentRecord } from '../documents/record.ts';
import { lockDocuments } from '../documents/rows.ts';
import type { Read } from './read.ts';

/** What is there of the documents of a chunk. */
export type Known = {
  /** Locked, by their external IDs. */
  documents: ReadonlyMap<string, DocumentRecord>;
  /** The IDs of the documents that have the numbers which rows give by hand. */
  numbers: ReadonlyMap<string, string>;
  contacts: ReadonlySet<string>;
};

const BY_KEYS = `
  SELECT id, external_id, NULL AS number FROM invoicing_documents
   WHERE organization_id = $1 AND kind = $2 AND external_id = ANY ($3)
   UNION ALL
  SELECT id, NULL, number FROM invoicing_documents
   WHERE organization_id = $1 AND kind = $2 AND number = ANY ($4)`;

const CONTACTS = `
  SELECT id FROM crm_contacts WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id FOR KEY SHARE`;

/** Looks up what the documents of a chunk name, and locks those that it may change, before anything else is. */
export async function knownOf(work: Work, kind: WrittenKind, read: readonly Read[]): Promise<Known> {
  const { connection, organization_id } = work;
  const texts = (name: string) =>
    read.flatMap(({ fields }) => (typeof fields[name] === 'string' ? [fields[name]] : []));
  const found = await connection.query<{ id: string; external_id: string | null; number: string | null }>(
    BY_KEYS,
    [organization_id, kind, texts('external_id'), texts('number')],
    { prepared: false },
  );
  const ids = found.flatMap(({ id, external_id }) => (external_id === null ? [] : [id]));
  const contact_ids = texts('contact_id');
  const [locked, contacts] = await Promise.all([
    ids.length === 0 ? [] : lockDocuments(work, kind, ids),
    contact_ids.length === 0
      ? []
      : connection.query<{ id: string }>(CONTACTS, [organization_id, contact_ids], { prepared: false }),
  ]);
  return {
    // By what they have now: one that lost its key while its lock was waited for is not meant any more.
    documents: new Map(locked.flatMap((one) => (one.external_id === null ? [] : [[one.external_id, one]]))),
    numbers: new Map(found.flatMap(({ id, number }) => (number === null ? [] : [[number, id]]))),
    contacts: new Set(contacts.map(({ id }) => id)),
  };
}
