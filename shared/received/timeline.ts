import { z } from 'zod';
import type { Reader } from '../kernel/reader.ts';
import {
  type TimelineEntry,
  type TimelinePlace,
  type TimelineSource,
  timelineItemFields,
} from '../platform/timeline.ts';
import { latestEntries } from '../platform/timeline-entries.ts';
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

async function receivedItems(
  reader: Reader,
  { id }: { id: string },
  window: { limit: number } & TimelinePlace,
): Promise<TimelineEntry[]> {
  return (await latestEntries<Row>(reader, changesOfStatus, id, window)).map(itemOf);
}

const changesOfStatus = {
  table: 'received_documents',
  column: 'company_id',
  aliases: 'crm_aliases',
  record: 'record.id AS document_id, record.kind, record.number, record.subject, record.total',
  entry: "action, actor_type, actor_id, changes->'status' AS status, created_at",
  condition: "changes->'status' IS NOT NULL",
} as const;

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
