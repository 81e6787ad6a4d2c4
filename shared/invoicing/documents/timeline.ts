import { z } from 'zod';
import type { Reader } from '../../kernel/reader.ts';
import {
  type TimelineEntry,
  type TimelinePlace,
  type TimelineSource,
  timelineItemFields,
} from '../../platform/timeline.ts';
import { latestEntries } from '../../platform/timeline-entries.ts';
import { documentKinds } from './kinds.ts';
import { DocumentModel } from './record.ts';

const DocumentChange = z.strictObject({
  entity_type: z.enum(documentKinds),
  entity_id: z.string().meta({ examples: ['inv_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
  action: z.enum(['create', 'update']),
  number: z
    .string()
    .nullable()
    .describe('As it is now, as are subject and total.')
    .meta({ examples: ['INV-2026-0001'] }),
  subject: z
    .string()
    .nullable()
    .meta({ examples: ['4月分コーヒー豆'] }),
  total: z.int().meta({ examples: [11_000] }),
  status: z
    .string()
    .describe('What it became.')
    .meta({ examples: ['approved'] }),
  status_before: z
    .string()
    .nullable()
    .describe('What it was; null when it was made.')
    .meta({ examples: ['draft'] }),
});

/**
 * In the timelines of companies and contacts: when documents made out to them were made and changed their status, for
 * those who may read documents.
 */
export const documentTimeline: TimelineSource = {
  scope: 'invoicing:read',
  of: ['crm_companies', 'crm_contacts'],
  item: z.strictObject({ type: z.literal('document'), ...timelineItemFields, data: DocumentChange }),
  items: documentItems,
};

type Row = {
  id: string;
  document_id: string;
  kind: (typeof documentKinds)[number];
  number: string | null;
  subject: string | null;
  total: number;
  action: 'create' | 'update';
  actor_type: TimelineEntry['actor']['type'];
  actor_id: string;
  status: [string | null, string];
  created_at: string;
};

async function documentItems(
  reader: Reader,
  { table, id }: { table: string; id: string },
  window: { limit: number } & TimelinePlace,
): Promise<TimelineEntry[]> {
  const column = table === 'crm_companies' ? 'company_id' : 'contact_id';
  const source = { ...changesOfStatus, table: DocumentModel.tableName, column } as const;
  return (await latestEntries<Row>(reader, source, id, window)).map(itemOf);
}

const changesOfStatus = {
  aliases: 'crm_aliases',
  record: 'record.id AS document_id, record.kind, record.number, record.subject, record.total',
  entry: "action, actor_type, actor_id, changes->'status' AS status, created_at",
  condition: "changes->'status' IS NOT NULL",
};

function itemOf(row: Row): TimelineEntry {
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
