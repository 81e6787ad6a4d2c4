import type { EventType } from '../../kernel/fact.ts';
import { Failure, notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { placeEvents } from './positions.ts';
import {
  type Event,
  type EventCondition,
  type EventDomains,
  type EventSights,
  requireReadableTypes,
} from './record.ts';

type EventRow = Omit<Event, 'object'>;

export type EventWindow = {
  /** The types asked for, null for all; one that nothing emits yet finds nothing. */
  types: readonly string[] | null;
  limit: number;
  starting_after: string | null;
  order: 'asc' | 'desc';
};

const COLUMNS = 'id, type, organization_id, data, previous_attributes, request_id, created_at';

/**
 * Bytes of JSON that a page holds before its last event. A change of large metadata may be 150 kB: a thousand of those would
 * hold the process for seconds, and all its other callers with it.
 */
const MOST_BYTES = 8_000_000;

/** Which domain a type is of, and which domains narrow theirs to some members. */
export type EventRights = { domains: EventDomains; sights: EventSights };

/**
 * Events in the order in which they became visible, those left out that are of domains that the reader may not read, or
 * about members whom they do not see. With `asc`
 * and the last event seen, a reader misses none and sees none twice; any event of the organization is a place to go on
 * from. Errors: `invalid_cursor`, `insufficient_scope` for who may read the events of no domain.
 */
export async function eventPage(
  reader: Reader,
  window: EventWindow,
  rights: EventRights,
): Promise<{ rows: Event[]; has_more: boolean }> {
  const { connection, organization_id, actor } = reader;
  const readable = requireReadableTypes(actor.grants, rights.domains);
  await placeEvents(connection, organization_id);
  const after = window.starting_after === null ? null : await positionOf(reader, window.starting_after);
  const asked = window.types?.filter((type) => isReadable(type, readable)) ?? readable;
  const narrowed = await narrowedBySight(reader, asked ?? [...rights.domains.keys()], rights);
  const types = narrowed.length > 0 ? (asked ?? [...rights.domains.keys()]) : asked;
  if (types?.length === 0) return { rows: [], has_more: false };
  const values: unknown[] = [organization_id, window.limit + 1];
  const given = (value: unknown) => `$${values.push(value)}`;
  const from = after === null ? '' : `AND position ${window.order === 'asc' ? '>' : '<'} ${given(after)}`;
  const places = `organization_id = $1 AND position IS NOT NULL ${from}`;
  const order = `ORDER BY position ${window.order} LIMIT $2`;
  const rows = await connection.query<EventRow & { found: string }>(
    boundedPage(
      types === null
        ? `SELECT ${COLUMNS}, position FROM events WHERE ${places} ${order}`
        : `SELECT ${COLUMNS}, position FROM events
            WHERE organization_id = $1 AND position IN (${positionsOf(types, narrowed, { given, places, order })}) ${order}`,
      window.order,
    ),
    values,
  );
  const shown = rows.slice(0, window.limit);
  return { rows: shown.map(eventOf), has_more: shown.length < Number(rows[0]?.found ?? 0) };
}

/** SQL: the first events of a page, as many as its bytes allow, at least one; `found` is how many there were. */
function boundedPage(page: string, order: EventWindow['order']): string {
  const bytes = (column: string) => `coalesce(octet_length(${column}::text), 0)`;
  return `SELECT ${COLUMNS}, found FROM (
            SELECT *, count(*) OVER () AS found, coalesce(sum(${bytes('data')} + ${bytes('previous_attributes')})
              OVER (ORDER BY position ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS bytes_before
              FROM (${page}) AS page
          ) AS measured
         WHERE bytes_before < ${MOST_BYTES} ORDER BY position ${order}`;
}

/** Types of a domain that are shown of some members or records alone. */
type Narrowed = { domain: string; types: string[]; seen: readonly string[] | EventCondition };

async function narrowedBySight(
  reader: Reader,
  types: readonly string[],
  { domains, sights }: EventRights,
): Promise<Narrowed[]> {
  const all = [...sights].map(([domain, sight]) => ({
    domain,
    sight,
    types: types.filter((type) => domains.get(type as EventType) === domain),
  }));
  const narrowed = await Promise.all(
    all.map(async ({ sight, ...of }) => ({
      ...of,
      seen: of.types.length > 0 ? await sight(reader) : null,
    })),
  );
  return narrowed.flatMap(({ seen, ...of }) => (seen === null ? [] : [{ ...of, seen }]));
}

type Places = { given: (value: unknown) => string; places: string; order: string };

/**
 * SQL: the first positions of several types, read from the index of types, and from that of members where the types are
 * shown of some alone: however rare they are among the others, no event of another type or member is looked at. Where a
 * condition says which records are seen, the events of its types are looked at one by one.
 */
function positionsOf(
  types: readonly string[],
  narrowed: readonly Narrowed[],
  { given, places, order }: Places,
): string {
  const whole = types.filter((type) => !narrowed.some((each) => each.types.includes(type)));
  const first = (condition: string) =>
    `CROSS JOIN LATERAL (SELECT position FROM events WHERE ${places} AND events.type = readable.type ${condition} ${order}) AS first`;
  const branches = [
    `SELECT first.position FROM unnest(${given(whole)}::text[]) AS readable (type) ${first('')}`,
    ...narrowed.map(({ domain, types: own, seen }) => {
      const readable = `SELECT first.position FROM unnest(${given(own)}::text[]) AS readable (type)`;
      if ('text' in seen) return `${readable} ${first(`AND ${conditionOf(seen, given)}`)}`;
      return `${readable} CROSS JOIN unnest(${given(seen)}::text[]) AS seen (member_id)
           ${first(`AND type LIKE '${domain}.%' AND data ->> 'member_id' = seen.member_id`)}`;
    }),
  ];
  return `SELECT position FROM (${branches.join(' UNION ALL ')}) AS found ${order}`;
}

/** The condition with the places of its values. */
function conditionOf({ text, values }: EventCondition, given: Places['given']): string {
  const parts = text.split('?');
  return parts.reduce((sql, part, index) => `${sql}${given(values[index - 1])}${part}`);
}

/**
 * One event, from the moment of its commit. Errors: `not_found`, also where the reader may not read its domain or does not
 * see its member; `insufficient_scope` as `eventPage`.
 */
export async function eventById(reader: Reader, id: string, rights: EventRights): Promise<Event> {
  const readable = requireReadableTypes(reader.actor.grants, rights.domains);
  const [row] = await reader.connection.query<EventRow>(
    `SELECT ${COLUMNS} FROM events WHERE organization_id = $1 AND id = $2`,
    [reader.organization_id, id],
  );
  if (!row || !isReadable(row.type, readable)) throw notFound();
  const [narrowed] = await narrowedBySight(reader, [row.type], rights);
  if (narrowed && !(await isSeen(reader, row, narrowed.seen))) throw notFound();
  return eventOf(row);
}

async function isSeen(
  { connection, organization_id }: Reader,
  { id, data }: EventRow,
  seen: Narrowed['seen'],
): Promise<boolean> {
  if (!('text' in seen)) return seen.includes(data['member_id'] as string);
  const values: unknown[] = [organization_id, id];
  const condition = conditionOf(seen, (value) => `$${values.push(value)}`);
  const found = await connection.query(
    `SELECT 1 FROM events WHERE organization_id = $1 AND id = $2 AND ${condition}`,
    values,
  );
  return found.length > 0;
}

function isReadable(type: string, readable: readonly string[] | null): boolean {
  return readable === null || readable.includes(type);
}

async function positionOf(reader: Reader, id: string): Promise<number> {
  const [row] = await reader.connection.query<{ position: number }>(
    'SELECT position FROM events WHERE organization_id = $1 AND id = $2 AND position IS NOT NULL',
    [reader.organization_id, id],
  );
  if (!row)
    throw new Failure('invalid_cursor', {
      detail: {
        en: 'starting_after must be the ID of an event',
        ja: 'starting_after にはイベントのIDを指定してください',
      },
    });
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
