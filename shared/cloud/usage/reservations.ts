import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import type { Work } from '../../kernel/work.ts';
import { quotaOf, reserveUpTo, takeRoom, takeRoomAtEnd } from './quota.ts';

/** Milliseconds after its last beat in which the reservation of an upload stays. */
const SILENCE = 2 * 60_000;

/** Bytes that are taken at a time for what comes without an announced length. */
const STEP = 8 * 1024 * 1024;

/** Room that was taken for bytes which are arriving. */
export type Reservation = { id: string; bytes: number };

/**
 * Takes room for an upload, until it is kept, given back, or silent for two minutes. `bytes` are those that the sender
 * announces: where there is no announcement none are taken, and `extend` takes them as they arrive. Errors:
 * `quota_exceeded`.
 */
export async function reserve(
  work: Work,
  reservation: Reservation,
  installation_bytes: number,
): Promise<Reservation> {
  return reserveUntil(work, reservation, installation_bytes, dueAt(work.now));
}

/** The same for what has a time of its own: until it is kept or given back. Errors: `quota_exceeded`. */
export async function reserveUntilEnded(
  work: Work,
  reservation: Reservation,
  installation_bytes: number,
): Promise<Reservation> {
  return reserveUntil(work, reservation, installation_bytes, 'infinity');
}

async function reserveUntil(
  work: Work,
  { id, bytes }: Reservation,
  installation_bytes: number,
  due_at: string,
): Promise<Reservation> {
  await Promise.all([
    work.connection.query(
      `INSERT INTO cloud_reservations (organization_id, id, bytes, due_at, created_at) VALUES ($1, $2, $3, $4, $5)`,
      [work.organization_id, id, bytes, due_at, work.now.toISOString()],
    ),
    takeRoom(work, { reserved: bytes }, installation_bytes),
  ]);
  return { id, bytes };
}

/**
 * Lets a work that does nothing but reserve commit without waiting for the disk. A database that loses its power may forget
 * the reservation with the room that it took: `settle` asks the quota again then.
 */
export function mayBeForgotten(work: Work): void {
  work.run('SET LOCAL synchronous_commit = off', []);
}

/**
 * Takes more room for what has arrived without being announced, `bytes` by now: a step of 8 MiB, or what is left. Answers
 * how many bytes are reserved then. Errors: `quota_exceeded`.
 */
export async function extend(
  work: Work,
  reservation: Reservation,
  { bytes, installation_bytes, now }: { bytes: number; installation_bytes: number; now: Date },
): Promise<number> {
  const quota = await quotaOf(work, installation_bytes);
  const taken = await reserveUpTo(work, { least: bytes - reservation.bytes, most: STEP }, quota);
  await work.connection.query(
    `INSERT INTO cloud_reservations (organization_id, id, bytes, due_at, created_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (organization_id, id) DO UPDATE SET bytes = cloud_reservations.bytes + excluded.bytes, due_at = excluded.due_at`,
    [work.organization_id, reservation.id, taken, dueAt(now), now.toISOString()],
  );
  return reservation.bytes + taken;
}

/** Says that bytes still arrive. */
export async function prolong(work: Work, id: string, now: Date): Promise<void> {
  await work.connection.query(
    'UPDATE cloud_reservations SET due_at = $3 WHERE organization_id = $1 AND id = $2',
    [work.organization_id, id, dueAt(now)],
  );
}

/** Gives up what was reserved; nothing where that has happened already. */
export async function giveBack(work: Work, id: string): Promise<void> {
  const bytes = await endReservation(work, id);
  if (bytes > 0) await takeRoom(work, { reserved: -bytes }, 0);
}

/**
 * Makes what was reserved bytes that are kept: `size` of them, which may be fewer, or more where the reservation was
 * freed meanwhile. Where nothing was reserved, takes their room now. Errors: `quota_exceeded`.
 */
export async function settle(
  work: Work,
  reservation: Pick<Reservation, 'id'> | null,
  size: number,
  installation_bytes: number,
): Promise<void> {
  if (!reservation) return takeRoomAtEnd(work, size, installation_bytes);
  const { id } = reservation;
  const [settled] = await work.connection.query<{ bytes: number; is_enough: boolean }>(
    `WITH ended AS (
       DELETE FROM cloud_reservations WHERE organization_id = $1 AND id = $2 RETURNING bytes
     ), reserved AS (SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM ended)
     , settled AS (
       UPDATE cloud_usage SET used_bytes = used_bytes + $3::bigint, reserved_bytes = reserved_bytes - reserved.bytes
         FROM reserved WHERE organization_id = $1 AND reserved.bytes >= $3::bigint RETURNING 1
     )
     SELECT bytes, EXISTS (SELECT FROM settled) AS is_enough FROM reserved`,
    [work.organization_id, id, size],
  );
  const { bytes, is_enough } = settled!;
  if (!is_enough) {
    await takeRoom(work, { used: size, reserved: -bytes }, installation_bytes);
  }
}

async function endReservation(work: Work, id: string): Promise<number> {
  const [ended] = await work.connection.query<{ bytes: number }>(
    'DELETE FROM cloud_reservations WHERE organization_id = $1 AND id = $2 RETURNING bytes',
    [work.organization_id, id],
  );
  return ended?.bytes ?? 0;
}

/** Gives up reservations whose uploads have been silent, and answers how many. */
export async function freeSilentReservations(database: Database, now: Date): Promise<number> {
  const freed = await database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query<{ count: number }>(
      `WITH ended AS (
         DELETE FROM cloud_reservations WHERE due_at < $1 RETURNING organization_id, bytes
       ), freed AS (
         UPDATE cloud_usage AS usage SET reserved_bytes = reserved_bytes - ended.bytes
           FROM (SELECT organization_id, sum(bytes)::bigint AS bytes FROM ended GROUP BY organization_id) AS ended
          WHERE usage.organization_id = ended.organization_id
       )
       SELECT count(*)::int AS count FROM ended`,
      [now.toISOString()],
    ),
  );
  return freed[0]!.count;
}

function dueAt(now: Date): string {
  return new Date(now.getTime() + SILENCE).toISOString();
}
