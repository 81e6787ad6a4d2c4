import { createHash } from 'node:crypto';
import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import type { InboundEvent } from './event.ts';
import { readInboundJob } from './jobs.ts';
import type { InboundSource } from './record.ts';

/** What came in: its text, what it tells, and what tells it from every other one. */
export type Inbound = { content: Buffer; event: InboundEvent; identity: string | Uint8Array };

/** How many of a request are to be applied, and how many tell nothing. One that came before counts as it did then. */
export type Taken = { accepted: number; ignored: number };

/** Keeps what came in, each once whatever brings it, and has a worker apply it. */
export async function keepInbound(
  work: Work,
  source: InboundSource,
  messages: readonly Inbound[],
): Promise<Taken> {
  const at = work.now.toISOString();
  const rows = messages.map(({ content, event, identity }) => ({
    id: newId('minb', work.now),
    digest: createHash('sha256').update(identity).digest('hex'),
    content,
    event: event.kind === 'ignored' ? null : JSON.stringify(event),
  }));
  const added = await work.connection.query<{ id: string; waits: boolean }>(
    `INSERT INTO mail_inbound_messages
       (organization_id, id, source, digest, content, event, result, applied_at, received_at, created_at, updated_at)
     SELECT $1, id, $2, digest, content, event, CASE WHEN event IS NULL THEN 'ignored' END,
       CASE WHEN event IS NULL THEN $3::timestamptz END, $3, $3, $3
       FROM unnest($4::text[], $5::text[], $6::bytea[], $7::jsonb[]) AS message (id, digest, content, event)
     ON CONFLICT ON CONSTRAINT mail_inbound_messages_once DO NOTHING
     RETURNING id, applied_at IS NULL AS waits`,
    [
      work.organization_id,
      source,
      at,
      rows.map(({ id }) => id),
      rows.map(({ digest }) => digest),
      rows.map((row) => row.content),
      rows.map(({ event }) => event),
    ],
  );
  const inbound_message_ids = added.filter(({ waits }) => waits).map(({ id }) => id);
  if (inbound_message_ids.length > 0) work.enqueue(readInboundJob, { inbound_message_ids });
  const ignored = rows.filter(({ event }) => event === null).length;
  return { accepted: rows.length - ignored, ignored };
}
