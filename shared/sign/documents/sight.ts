import type { Actor, Reader } from '../../kernel/reader.ts';
import type { AuditSight } from '../../platform/audit/queries.ts';
import type { EventSight } from '../../platform/events/record.ts';

/** Who sees a document is decided by these. */
export type Seen = {
  visibility: 'private' | 'organization';
  viewers: readonly string[];
  created_by: string | null;
};

/** Whether who asks sees every document: owner and admins, and the service itself. A guest's link says which one it is for. */
export function seesAll({ type, role }: Actor): boolean {
  return type === 'system' || type === 'guest' || role === 'owner' || role === 'admin';
}

/** Whether who asks sees the document; who does not is told that there is none. */
export function sees(actor: Actor, { visibility, viewers, created_by }: Seen): boolean {
  if (seesAll(actor) || visibility === 'organization') return true;
  const { user_id } = actor;
  return user_id !== null && (created_by === user_id || viewers.includes(user_id));
}

/**
 * The documents that who asks sees, as a condition on a table that is called `document`: SQL with `?`; null where it is all
 * of them.
 */
export function sightOf(
  { actor }: Pick<Reader, 'actor'>,
  document: string,
): { text: string; values: unknown[] } | null {
  if (seesAll(actor)) return null;
  const { user_id } = actor;
  return {
    text: `(${document}.visibility = 'organization' OR ${document}.created_by = ? OR ${document}.viewers @> to_jsonb(?::text))`,
    values: [user_id, user_id],
  };
}

/** What the change history tells: of the settings, and of documents that are there and seen; of erased ones to who sees all. */
export const signAuditSight: AuditSight = async (reader) => {
  const seen = seenById(reader, 'audit_logs.entity_id');
  return seen && { ...seen, text: `(audit_logs.entity_type = 'settings' OR ${seen.text})` };
};

/** The events of documents and of their signers that are told: those of documents that are there and seen. */
export const signEventSight: EventSight = async (reader) =>
  seenById(reader, `coalesce(events.data ->> 'document_id', events.data ->> 'id')`);

/** That the document with an ID, `id` in SQL, is there and seen; null where all are told. */
function seenById(reader: Reader, id: string): { text: string; values: unknown[] } | null {
  const seen = sightOf(reader, 'document');
  if (!seen) return null;
  const text = `EXISTS (SELECT FROM sign_documents AS document
    WHERE document.organization_id = ? AND document.id = ${id}
      AND document.erased_at IS NULL AND ${seen.text})`;
  return { text, values: [reader.organization_id, ...seen.values] };
}

/** Whether who asks sees the document with that ID. */
export async function seesById({ connection, organization_id, actor }: Reader, id: string): Promise<boolean> {
  const [row] = await connection.query<Seen>(
    `SELECT visibility, viewers, created_by FROM sign_documents
      WHERE organization_id = $1 AND id = $2 AND erased_at IS NULL`,
    [organization_id, id],
  );
  return row !== undefined && sees(actor, row);
}
