import type { documentKinds } from '../../invoicing/documents/kinds.ts';
import type { Reader } from '../../kernel/reader.ts';
import { allows } from '../../kernel/scope.ts';
import type { TimelineItem } from './record.ts';

type Row = {
  id: string;
  document_id: string;
  kind: (typeof documentKinds)[number];
  number: string | null;
  subject: string | null;
  total: number;
  action: 'create' | 'update';
  actor_type: TimelineItem['actor']['type'];
  actor_id: string;
  status: [string | null, string];
  created_at: string;
};

/**
 * When documents made out to a company, or naming a contact, were made and changed their status, the latest first:
 * for those who may read documents. `audit_id` is where it goes on; `subjects` are CTEs, among them the `survivor`.
 */
export async function documentItems(
  reader: Reader,
  { column, subjects, id }: { column: 'company_id' | 'contact_id'; subjects: string; id: string },
  { limit, audit_id }: { limit: number; audit_id: string },
): Promise<TimelineItem[]> {
  if (!allows(reader.actor.grants, 'invoicing:read')) return [];
  const rows = await reader.connection.query<Row>(
    `WITH ${subjects}
     SELECT entry.*, document.id AS document_id, document.kind, document.number, document.subject, document.total
       FROM invoicing_documents AS document CROSS JOIN LATERAL (
         SELECT id, action, actor_type, actor_id, changes->'status' AS status, created_at FROM audit_logs
          WHERE organization_id = $1 AND entity_id = document.id AND id < $4 AND changes->'status' IS NOT NULL
          ORDER BY id DESC LIMIT $3
       ) AS entry
      WHERE document.organization_id = $1 AND document.${column} = (SELECT id FROM survivor)
      ORDER BY entry.id DESC LIMIT $3`,
    [reader.organization_id, id, limit, audit_id],
  );
  return rows.map(itemOf);
}

function itemOf(row: Row): TimelineItem {
  const { id, document_id, kind, action, number, subject, total, created_at } = row;
  const [status_before, status] = row.status;
  return {
    type: 'document',
    id,
    occurred_at: created_at,
    actor: { type: row.actor_type, id: row.actor_id },
    data: {
      entity_type: kind,
      entity_id: document_id,
      action,
      number,
      subject,
      total,
      status,
      status_before,
    },
  };
}
