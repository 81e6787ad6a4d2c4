import { z } from 'zod';
import type { Reader } from '../kernel/reader.ts';
import { type TimelineEntry, type TimelineSource, timelineItemFields } from '../platform/timeline.ts';
import { kinds, type ReceivedKind, receivedKinds } from './documents/kinds.ts';

const names = receivedKinds.map((kind) => kinds[kind].name);

const said = (example: string | null) =>
  z
    .string()
    .nullable()
    .meta({ examples: [example] });

const ReceivedChange = z.strictObject({
  entity_type: z.enum(names),
  entity_id: z.string().meta({ examples: ['rinv_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
  action: z.enum(['create', 'update']),
  number: said('2026-118').describe('As it is now, as are subject and total.'),
  subject: said('4月分コーヒー豆'),
  total: z.int().meta({ examples: [11_000] }),
  status: z
    .string()
    .describe('What it became.')
    .meta({ examples: ['approved'] }),
  status_before: said('pending').describe('What it was; null when it was registered.'),
});

/**
 * In the timelines of companies: when documents that they sent were registered and changed their status, for those who may
 * read them.
 */
export const receivedTimeline: TimelineSource = {
  scope: 'received:read',
  of: ['crm_companies'],
  item: z.strictObject({
    type: z.literal('received_document'),
    ...timelineItemFields,
    data: ReceivedChange,
  }),
  items: receivedItems,
};

type Row = {
  id: string;
  document_id: string;
  kind: ReceivedKind;
  number: string | null;
  subject: string | null;
  total: number;
  action: 'create' | 'update';
  actor_type: TimelineEntry['actor']['type'];
  actor_id: string;
  status: [string | null, string];
  created_at: string;
};

/** The ID of a company that was merged means its survivor. */
async function receivedItems(
  { connection, organization_id }: Reader,
  { id }: { id: string },
  { limit, audit_id }: { limit: number; audit_id: string },
): Promise<TimelineEntry[]> {
  const rows = await connection.query<Row>(
    `WITH survivor AS (
       SELECT coalesce((SELECT company_id FROM crm_aliases WHERE organization_id = $1 AND id = $2), $2) AS id
     )
     SELECT entry.*, document.id AS document_id, document.kind, document.number, document.subject, document.total
       FROM received_documents AS document CROSS JOIN LATERAL (
         SELECT id, action, actor_type, actor_id, changes->'status' AS status, created_at FROM audit_logs
          WHERE organization_id = $1 AND entity_id = document.id AND id < $4 AND changes->'status' IS NOT NULL
          ORDER BY id DESC LIMIT $3
       ) AS entry
      WHERE document.organization_id = $1 AND document.company_id = (SELECT id FROM survivor)
      ORDER BY entry.id DESC LIMIT $3`,
    [organization_id, id, limit, audit_id],
  );
  return rows.map(itemOf);
}

function itemOf(row: Row): TimelineEntry {
  const { id, document_id, kind, action, number, subject, total, created_at } = row;
  const [status_before, status] = row.status;
  return {
    type: 'received_document',
    id,
    occurred_at: created_at,
    actor: { type: row.actor_type, id: row.actor_id },
    data: {
      entity_type: kinds[kind].name,
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
