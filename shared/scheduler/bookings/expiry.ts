import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import { inWork } from '../../db/in-work.ts';
import { systemActor } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { eachDue } from '../../platform/sweeps/each-due.ts';
import { release } from '../occupancies/occupy.ts';
import { bookingsChanged } from './changes.ts';
import { BookingModel, type BookingRecord, bookingColumns } from './record.ts';
import { quoted } from './rows.ts';
import { leaveSession } from './sessions.ts';

/** Bookings that one look takes. */
const LOOK = 200;

type Due = { organization_id: string; id: string; pending_expires_at: string };

/**
 * Expires pending bookings whose time is over, of these; the others are left. The service itself does it, whoever's request
 * found them. Locks their rows in the order of their IDs.
 */
export async function expireBookings(work: Work, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const overdue = await work.connection.query<BookingRecord>(
    `SELECT ${quoted(bookingColumns)} FROM scheduler_bookings
      WHERE organization_id = $1 AND id = ANY ($2) AND status = 'pending' AND pending_expires_at <= $3
      ORDER BY id FOR NO KEY UPDATE`,
    [work.organization_id, [...ids], work.now.toISOString()],
  );
  const system = work.onBehalfOf(systemActor, work.request_id);
  const changes = overdue.map((before) => ({
    action: 'expired' as const,
    before,
    after: {
      ...before,
      status: 'expired' as const,
      is_counted: false,
      pending_expires_at: null,
      updated_at: work.touch(before),
    },
    notify: true,
  }));
  for (const { before, after } of changes) {
    if (before.session_id !== null) await leaveSession(work, before.session_id);
    const { id, status, is_counted, pending_expires_at, updated_at } = after;
    work.update(BookingModel, id, { status, is_counted, pending_expires_at, updated_at });
  }
  release(
    work,
    overdue.map(({ id }) => id),
  );
  await bookingsChanged(system, changes);
  return overdue.length;
}

/** Expires every pending booking whose time is over, each in its own transaction, and answers how many. */
export function expireDueBookings(database: Database, now: Date, signal: AbortSignal): Promise<number> {
  return eachDue(
    {
      look: (after: Due | undefined) => dueBookings(database, now, after),
      size: LOOK,
      signal,
      fault: 'bookings could not be expired',
    },
    ({ organization_id, id }) =>
      database.withConnection(organization_id, (connection) =>
        inWork(
          { connection, organization_id, actor: systemActor, now, request_id: null, ip_address: null },
          async (work) => (await expireBookings(work, [id])) > 0,
          { may_change_nothing: true },
        ),
      ),
  );
}

function dueBookings(database: Database, now: Date, after: Due | undefined): Promise<Due[]> {
  return database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query<Due>(
      `SELECT organization_id, id, pending_expires_at::text AS pending_expires_at FROM scheduler_bookings
        WHERE status = 'pending' AND pending_expires_at <= $1
          AND (pending_expires_at, id) > ($2::timestamptz, $3)
        ORDER BY scheduler_bookings.pending_expires_at, id LIMIT ${LOOK}`,
      [now.toISOString(), after?.pending_expires_at ?? '-infinity', after?.id ?? ''],
    ),
  );
}
