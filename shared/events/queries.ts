import { Failure, notFound } from '../kernel/failure.ts';
import type { Reader } from '../kernel/reader.ts';
import { placeEvents } from './positions.ts';
import type { Event } from './record.ts';

type EventRow = Omit<Event, 'object'>;

export type EventWindow = {
  type: string | null;
  limit: number;
  starting_after: string | null;
  order: 'asc' | 'desc';
};

const COLUMNS = 'id, type, organization_id, data, previous_attributes, request_id, created_at';

/**
 * Events in the order in which they became visible. With `asc` and the last event seen, a reader misses none and
 * sees none twice. Errors: `invalid_cursor`.
 */
export async function eventPage(
  reader: Reader,
  window: EventWindow,
): Promise<{ rows: Event[]; has_more: boolean }> {
  const { connection, organization_id } = reader;
  await placeEvents(connection, organization_id);
  const after = window.starting_after === null ? null : await positionOf(reader, window.starting_after);
  const values: unknown[] = [organization_id];
  const conditions = ['organization_id = $1', 'position IS NOT NULL'];
  const where = (text: string, value: unknown) =>
    conditions.push(text.replace('?', `$${values.push(value)}`));
  if (window.type !== null) where('type = ?', window.type);
  if (after !== null) where(`position ${window.order === 'asc' ? '>' : '<'} ?`, after);
  const rows = await connection.query<EventRow>(
    `SELECT ${COLUMNS} FROM events WHERE ${conditions.join(' AND ')}
      ORDER BY position ${window.order} LIMIT ${window.limit + 1}`,
    values,
  );
  return { rows: rows.slice(0, window.limit).map(eventOf), has_more: rows.length > window.limit };
}

/** One event, from the moment of its commit. Errors: `not_found`. */
export async function eventById(reader: Reader, id: string): Promise<Event> {
  const [row] = await reader.connection.query<EventRow>(
    `SELECT ${COLUMNS} FROM events WHERE organization_id = $1 AND id = $2`,
    [reader.organization_id, id],
  );
  if (!row) throw notFound();
  return eventOf(row);
}

async function positionOf(reader: Reader, id: string): Promise<number> {
  const [row] = await reader.connection.query<{ position: number }>(
    'SELECT position FROM events WHERE organization_id = $1 AND id = $2 AND position IS NOT NULL',
    [reader.organization_id, id],
  );
  if (!row) throw new Failure('invalid_cursor', { detail: 'starting_after must be the ID of an event' });
  return row.position;
}

function eventOf(row: EventRow): Event {
  return {
    id: row.id,
    object: 'event',
    type: row.type,
    organization_id: row.organization_id,
    data: row.data,
    previous_attributes: row.previous_attributes,
    request_id: row.request_id,
    created_at: row.created_at,
  };
}
