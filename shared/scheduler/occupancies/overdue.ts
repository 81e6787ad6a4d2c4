import { oneOf } from '../../db/one-of.ts';
import type { Work } from '../../kernel/work.ts';
import { expireBookings } from '../bookings/expiry.ts';
import { expireProposals } from '../proposals/expiry.ts';
import { release } from './occupy.ts';
import type { OccupancyKind } from './record.ts';

type Overdue = { kind: OccupancyKind; record_id: string };

/**
 * Settles what has ended by its time and still takes time of these hosts, as its sweep would: pending bookings expire with
 * their event and mail, as proposals do, holds go. To be called when the hosts are locked, before free time is looked for: who is refused by
 * the database because of a row that has ended would be refused for nothing. Its rows are gone for later reads of the work.
 *
 * It locks bookings and proposals behind hosts, against the order of all other work. That is safe: who locks one of them first sees that it
 * has ended, and asks for no host.
 */
export async function settleOverdue(work: Work, user_ids: readonly string[]): Promise<void> {
  const overdue = await work.connection.query<Overdue>(
    `SELECT DISTINCT kind, record_id FROM scheduler_occupancies
      WHERE organization_id = $1 AND user_id = ${oneOf('$2')} AND expires_at <= $3 ORDER BY record_id`,
    [work.organization_id, [...user_ids], work.now.toISOString()],
  );
  if (overdue.length === 0) return;
  const of = (kind: OccupancyKind) => overdue.flatMap((one) => (one.kind === kind ? [one.record_id] : []));
  await expireBookings(work, of('booking'));
  await expireProposals(work, of('proposal'));
  removeHolds(work, of('hold'));
  await work.flush();
}

/** Ends holds: used up, or over. */
export function removeHolds(work: Work, ids: readonly string[]): void {
  if (ids.length === 0) return;
  release(work, ids);
  work.run('DELETE FROM scheduler_holds WHERE organization_id = $1 AND id = ANY ($2)', [
    work.organization_id,
    [...ids],
  ]);
}
