import { isFiltered, pageOf } from '../../db/list.ts';
import type { LookUps } from '../../db/look-ups.ts';
import { oneOf } from '../../db/one-of.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { searchTerm } from '../../platform/search/grams.ts';
import type { EventTypeMember } from './fields.ts';
import { type EventType, EventTypeModel, eventTypeFieldNames, eventTypeKind } from './record.ts';

const columns = [
  'id',
  ...eventTypeFieldNames,
  'external_id',
  'metadata',
  'created_at',
  'updated_at',
] as const;

type EventTypeRow = Omit<EventType, 'object' | 'members'>;

/** A row and its members as the API shows them, less the address. */
function eventTypeOf(row: EventTypeRow, members: EventTypeMember[]): EventType {
  const { id, external_id, metadata, created_at, updated_at, ...fields } = row;
  const object = 'scheduler.event_type' as const;
  return { id, object, ...fields, members, external_id, metadata, created_at, updated_at };
}

const SHOWN = columns.map((column) => `type.${column}`).join(', ');

/** The members of an event type as one value, in their order: so a type and its members are one statement. */
const MEMBERS = `(
  SELECT coalesce(json_agg(json_build_object('user_id', member.user_id, 'role', member.role,
      'priority', member.priority, 'availability_id', member.availability_id) ORDER BY member.position), '[]')
    FROM scheduler_event_type_members AS member
   WHERE member.organization_id = type.organization_id AND member.event_type_id = type.id) AS members`;

const FOUND = `SELECT ${SHOWN}, ${MEMBERS} FROM scheduler_event_types AS type WHERE type.organization_id = $1`;

type Found = EventTypeRow & { members: EventTypeMember[] };

async function one(
  { connection, organization_id }: Reader,
  condition: string,
  value: string,
): Promise<EventType> {
  const [row] = await connection.query<Found>(`${FOUND} AND ${condition}`, [organization_id, value]);
  if (!row) throw notFound();
  const { members, ...fields } = row;
  return eventTypeOf(fields, members);
}

/** An event type with its members. Errors: `not_found`, also for a deleted one. */
export function eventTypeById(reader: Reader, id: string): Promise<EventType> {
  return one(reader, 'type.id = $2 AND type.deleted_at IS NULL', id);
}

/**
 * The event type of a booking, also where it was deleted since: then it has no members any more, and no booking of it lies
 * ahead. Errors: `not_found`.
 */
export function eventTypeOfBooking(reader: Reader, id: string): Promise<EventType> {
  return one(reader, 'type.id = $2', id);
}

/** The event type that has a slug, be it active or not, with its members. Errors: `not_found`. */
export function livingEventTypeBySlug(reader: Reader, slug: string): Promise<EventType> {
  return one(reader, 'type.slug = $2 AND type.deleted_at IS NULL', slug);
}

/** An event type with its members, locked until the work commits. Errors: `not_found`. */
export async function lockEventType(
  reader: Reader,
  id: string,
  lock: 'FOR NO KEY UPDATE' | 'FOR UPDATE' = 'FOR NO KEY UPDATE',
): Promise<EventType> {
  const [locked] = await reader.connection.query(
    `SELECT id FROM scheduler_event_types WHERE organization_id = $1 AND id = $2 AND deleted_at IS NULL ${lock}`,
    [reader.organization_id, id],
  );
  if (!locked) throw notFound();
  // The members as they are now that the lock is held.
  return eventTypeById(reader, id);
}

/** The event types that somebody hosts, by their IDs after one, locked until the work commits. */
export async function lockHostedTypes(
  { connection, organization_id }: Reader,
  user_id: string,
  { after, limit }: { after: string; limit: number },
): Promise<EventType[]> {
  const locked = await connection.query<{ id: string }>(
    `SELECT type.id FROM scheduler_event_type_members AS member
       JOIN scheduler_event_types AS type
         ON type.organization_id = member.organization_id AND type.id = member.event_type_id
      WHERE member.organization_id = $1 AND member.user_id = $2 AND member.event_type_id > $3
      ORDER BY member.event_type_id LIMIT $4 FOR NO KEY UPDATE OF type`,
    [organization_id, user_id, after, limit],
  );
  const rows = await connection.query<Found>(`${FOUND} AND type.id = ${oneOf('$2')} ORDER BY type.id`, [
    organization_id,
    locked.map(({ id }) => id),
  ]);
  return rows.map(({ members, ...row }) => eventTypeOf(row, members));
}

export type EventTypeFilters = LookUps & { is_active?: boolean; user_id?: string; search?: string };

/** A window of the event types that the filters leave, each with its members. */
export async function eventTypePage(
  reader: Reader,
  filters: EventTypeFilters,
  window: Window,
): Promise<Page<EventType>> {
  const { is_active, user_id, search } = filters;
  const { organization_id, connection } = reader;
  const query = EventTypeModel.table(reader).whereNull(`${TABLE}.deleted_at`);
  if (is_active !== undefined) query.where(`${TABLE}.is_active`, is_active);
  if (user_id) {
    const hosted = connection.from('scheduler_event_type_members').where({ organization_id, user_id });
    query.whereIn(`${TABLE}.id`, hosted.select('event_type_id'));
  }
  const page = await pageOf<EventTypeRow>(reader, {
    query,
    table: TABLE,
    columns,
    prefix: 'etype',
    window,
    is_filtered: isFiltered(filters),
    look_ups: { kind: eventTypeKind, asked: filters },
    search: search === undefined ? null : searchTerm(search, { phones: false }),
  });
  const membersOf = await membersOfTypes(
    reader,
    page.rows.map(({ id }) => id),
  );
  return { ...page, rows: page.rows.map((row) => eventTypeOf(row, membersOf(row.id))) };
}

const TABLE = EventTypeModel.tableName;

/** The members of event types, in their order. */
async function membersOfTypes(
  { connection, organization_id }: Reader,
  ids: readonly string[],
): Promise<(id: string) => EventTypeMember[]> {
  const rows = await connection.query<EventTypeMember & { event_type_id: string }>(
    `SELECT event_type_id, user_id, role, priority, availability_id FROM scheduler_event_type_members
      WHERE organization_id = $1 AND event_type_id = ${oneOf('$2')} ORDER BY event_type_id, position`,
    [organization_id, ids],
  );
  const byType = Map.groupBy(rows, ({ event_type_id }) => event_type_id);
  return (id) => (byType.get(id) ?? []).map(({ event_type_id, ...member }) => member);
}
