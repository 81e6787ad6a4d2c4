import { Failure } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import type { SecretKeys } from '../../platform/secrets/keys.ts';
import { keepSecret } from '../../platform/secrets/store.ts';
import { lockPresentMember } from '../members/locks.ts';
import { fillCalendarJob } from './entries/jobs.ts';
import { claimLeft } from './entries/left.ts';
import { retryEntries } from './entries/want.ts';
import { NO_LEASE } from './google/lease.ts';
import type { CalendarProvider } from './provider.ts';
import { type CalendarConnection, ConnectionModel, connectionFacts, type ListedCalendar } from './record.ts';
import { type ConnectionRow, connectionById, connectionColumns } from './rows.ts';
import { connectionSecret } from './secrets.ts';
import { requestSync } from './sync/request.ts';

/** An account that its owner has just proved to hold. */
export type ProvedAccount = {
  user_id: string;
  provider: CalendarProvider;
  /** As the owner knows it. */
  account: string;
  /** What tells it from others of the provider, however it is written. */
  account_key: string;
  calendars: readonly ListedCalendar[];
  /** What opens it from now on; kept encrypted. */
  secret: string;
};

/**
 * Keeps a connection and asks for its first sync. The same account again renews its connection: what was decided about its
 * calendars stays. Of a new one the primary calendar checks conflicts, and takes bookings unless another one does; what an
 * earlier connection of the account has written is its own.
 * Locks: the connection, or of a new one its owner. Errors: `in_use` beyond 20 connections of a
 * member, `unknown_reference` for one who has left.
 */
export async function keepConnection(
  work: Work,
  keys: SecretKeys,
  proved: ProvedAccount,
): Promise<CalendarConnection> {
  const known = await lockLiving(work, proved);
  const before = known ? await connectionById(work, known.id) : null;
  const connection_id = known?.id ?? newId('ccon', work.now);
  const at = work.now.toISOString();
  if (known) {
    work.update(ConnectionModel, known.id, {
      account: proved.account,
      status: 'active',
      status_reason: null,
      ...NO_LEASE,
      updated_at: work.touch(known),
    });
  } else {
    await requireRoom(work, proved.user_id);
    // Somebody may connect the same account at the same moment: then it is renewed.
    work.repeatOn('scheduler_connections_account_once');
    work.insert(ConnectionModel, {
      id: connection_id,
      user_id: proved.user_id,
      provider: proved.provider.name,
      account: proved.account,
      account_key: proved.account_key,
      status: 'active',
      created_at: at,
      updated_at: at,
    });
  }
  await keepCalendars(work, connection_id, proved);
  keepSecret(work, keys, connectionSecret(connection_id), proved.secret);
  await work.flush();
  await requestSync(work, connection_id);
  if (known) await retryEntries(work, connection_id);
  if (proved.provider.writes) {
    await claimLeft(work, connection_id);
    work.enqueue(fillCalendarJob, { connection_id });
  }
  const after = await connectionById(work, connection_id);
  if (before) work.record(connectionFacts.updated, { before, after });
  else work.record(connectionFacts.created, { before, after });
  work.nothingChanged();
  return after;
}

/** As many connections as a member may have at a time. */
const MOST_CONNECTIONS = 20;

/** Locks the member, so that of several connections made at once each counts those before it. Errors: `in_use`,
 * `unknown_reference`. */
async function requireRoom(work: Work, user_id: string): Promise<void> {
  await lockPresentMember(work, user_id);
  const living = await work.connection.query(
    `SELECT FROM scheduler_connections WHERE organization_id = $1 AND user_id = $2 AND status <> 'disconnected'
      LIMIT ${MOST_CONNECTIONS}`,
    [work.organization_id, user_id],
  );
  if (living.length < MOST_CONNECTIONS) return;
  throw new Failure('in_use', {
    detail: {
      en: `A member has ${MOST_CONNECTIONS} connected calendars at most; disconnect one first`,
      ja: `連携できるカレンダーは1人${MOST_CONNECTIONS}件までです。先に1件解除してください`,
    },
  });
}

async function lockLiving(
  { connection, organization_id }: Work,
  { user_id, provider, account_key }: ProvedAccount,
): Promise<ConnectionRow | undefined> {
  const [row] = await connection.query<ConnectionRow>(
    `SELECT ${connectionColumns.join(', ')} FROM scheduler_connections
      WHERE organization_id = $1 AND user_id = $2 AND provider = $3 AND account_key = $4 AND status <> 'disconnected'
        FOR NO KEY UPDATE`,
    [organization_id, user_id, provider.name, account_key],
  );
  return row;
}

/** New calendars of a known connection are there, and decide nothing until its owner says so. */
async function keepCalendars(work: Work, connection_id: string, proved: ProvedAccount): Promise<void> {
  const { organization_id, connection } = work;
  const { user_id, provider, calendars } = proved;
  const [target] = await connection.query<{ there: boolean }>(
    `SELECT EXISTS (SELECT FROM scheduler_calendars AS calendar JOIN scheduler_connections AS connection
         ON connection.organization_id = calendar.organization_id AND connection.id = calendar.connection_id
      WHERE connection.organization_id = $1 AND connection.user_id = $2 AND connection.status <> 'disconnected'
        AND calendar.is_write_target) AS there`,
    [organization_id, user_id],
  );
  const isNew = !(await hasCalendars(work, connection_id));
  const takesBookings = isNew && provider.writes && !target!.there;
  work.run(
    `INSERT INTO scheduler_calendars AS known (organization_id, connection_id, id, name, time_zone, is_primary, position,
       checks_conflicts, is_write_target)
     SELECT $1, $2, listed.id, listed.name, listed.time_zone, listed.is_primary, listed.position,
            listed.is_primary AND $3, listed.is_primary AND $4
       FROM jsonb_to_recordset($5::jsonb)
         AS listed (id text, name text, time_zone text, is_primary boolean, position integer)
     ON CONFLICT (organization_id, connection_id, id) DO UPDATE
        SET name = excluded.name, time_zone = excluded.time_zone, is_primary = excluded.is_primary,
            position = excluded.position`,
    [
      organization_id,
      connection_id,
      isNew,
      takesBookings,
      JSON.stringify(calendars.slice(0, MOST_CALENDARS).map((one, position) => ({ ...one, position }))),
    ],
  );
}

/** Calendars of one connection that are kept; Google lists 250 on a page. */
const MOST_CALENDARS = 250;

async function hasCalendars({ connection, organization_id }: Work, id: string): Promise<boolean> {
  const found = await connection.query(
    'SELECT FROM scheduler_calendars WHERE organization_id = $1 AND connection_id = $2 LIMIT 1',
    [organization_id, id],
  );
  return found.length > 0;
}
