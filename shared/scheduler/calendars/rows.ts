import { oneOf } from '../../db/one-of.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { CalendarConnection, ConnectionStatus, ListedCalendar, ProviderName } from './record.ts';

export const connectionColumns = [
  'id',
  'user_id',
  'provider',
  'account',
  'status',
  'status_reason',
  'last_synced_at',
  'created_at',
  'updated_at',
] as const;

export type ConnectionRow = {
  id: string;
  user_id: string;
  provider: ProviderName;
  account: string;
  status: ConnectionStatus;
  status_reason: string | null;
  last_synced_at: string | null;
  created_at: string;
  updated_at: string;
};

/** A calendar of a connection, as it is stored. */
export type CalendarRow = ListedCalendar & {
  connection_id: string;
  checks_conflicts: boolean;
  is_write_target: boolean;
};

type Channels = { connection_id: string; expires_at: string };

/** Rows as the API shows them, with the calendars of each: two statements, however many they are. */
export async function connectionsOf(
  reader: Reader,
  rows: readonly ConnectionRow[],
): Promise<CalendarConnection[]> {
  const { connection, organization_id, now } = reader;
  const ids = rows.map(({ id }) => id);
  const [calendars, channels] = await Promise.all([
    connection.query<CalendarRow>(
      `SELECT connection_id, id, name, time_zone, is_primary, checks_conflicts, is_write_target
         FROM scheduler_calendars WHERE organization_id = $1 AND connection_id = ${oneOf('$2')}
        ORDER BY connection_id, position, id`,
      [organization_id, ids],
    ),
    connection.query<Channels>(
      `SELECT connection_id, min(expires_at) AS expires_at FROM scheduler_channels
        WHERE organization_id = $1 AND connection_id = ${oneOf('$2')} AND expires_at > $3 GROUP BY connection_id`,
      [organization_id, ids, now.toISOString()],
    ),
  ]);
  const owned = Map.groupBy(calendars, ({ connection_id }) => connection_id);
  const ends = new Map(channels.map(({ connection_id, expires_at }) => [connection_id, expires_at]));
  return rows.map((row) => connectionOf(row, owned.get(row.id) ?? [], ends.get(row.id) ?? null, now));
}

function connectionOf(
  row: ConnectionRow,
  calendars: readonly CalendarRow[],
  expires_at: string | null,
  now: Date,
): CalendarConnection {
  const { id, created_at, updated_at, last_synced_at, ...fields } = row;
  return {
    id,
    object: 'scheduler.calendar_connection',
    ...fields,
    calendars: calendars.map(({ connection_id: _, ...calendar }) => calendar),
    push: { active: expires_at !== null, expires_at },
    last_synced_at,
    lag_seconds: last_synced_at === null ? null : secondsBetween(Date.parse(last_synced_at), now.getTime()),
    created_at,
    updated_at,
  };
}

function secondsBetween(from: number, to: number): number {
  return Math.max(0, Math.floor((to - from) / 1_000));
}

const BY_ID = `SELECT ${connectionColumns.join(', ')} FROM scheduler_connections WHERE organization_id = $1 AND id = $2`;

/** The row of one connection, locked until the work commits where it is to be changed. Errors: `not_found`. */
export async function connectionRow(
  { connection, organization_id }: Reader,
  id: string,
  lock: '' | 'FOR NO KEY UPDATE' = '',
): Promise<ConnectionRow> {
  const [row] = await connection.query<ConnectionRow>(`${BY_ID} ${lock}`, [organization_id, id]);
  if (!row) throw notFound();
  return row;
}

/** One connection as the API shows it. Errors: `not_found`. */
export async function connectionById(reader: Reader, id: string): Promise<CalendarConnection> {
  const [shown] = await connectionsOf(reader, [await connectionRow(reader, id)]);
  return shown!;
}
