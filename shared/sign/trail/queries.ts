import { type ListQuery, pageOf } from '../../db/list.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import type { TrailEvent, TrailType } from './record.ts';

type TrailRow = Omit<TrailEvent, 'object'>;

const columns = [
  'id',
  'document_id',
  'seq',
  'type',
  'actor',
  'ip_address',
  'user_agent',
  'at',
  'data',
  'prev_hash',
  'hash',
] as const;

/** All events of a document's trail, in their order. */
export async function trailOf(
  { connection, organization_id }: Pick<Reader, 'connection' | 'organization_id'>,
  document_id: string,
): Promise<TrailEvent[]> {
  const rows = await connection.query<TrailRow>(
    `SELECT ${columns.join(', ')} FROM sign_trail WHERE organization_id = $1 AND document_id = $2 ORDER BY seq`,
    [organization_id, document_id],
  );
  return rows.map(shownEvent);
}

export type TrailFilters = { type?: readonly TrailType[] };

/** A window of the events of a document that the reader sees, which the caller has made sure of; in their order unless said. */
export async function trailPage(
  reader: Reader,
  document_id: string,
  { type }: TrailFilters,
  window: Window,
): Promise<Page<TrailEvent>> {
  const { knex } = reader.connection;
  const query = knex('sign_trail').where({
    'sign_trail.organization_id': reader.organization_id,
    'sign_trail.document_id': document_id,
  });
  if (type !== undefined) query.whereIn('sign_trail.type', type);
  const list: ListQuery = {
    query,
    table: 'sign_trail',
    columns,
    prefix: 'sevt',
    sorts: { seq: 'seq', created_at: 'at', updated_at: 'at' },
    window: window.sort.length > 0 ? window : { ...window, sort: [{ field: 'seq', direction: 'asc' }] },
    across: true,
  };
  const page = await pageOf<TrailRow>(reader, list);
  return { ...page, rows: page.rows.map(shownEvent) };
}

function shownEvent(row: TrailRow): TrailEvent {
  return { ...row, object: 'sign.event' };
}
