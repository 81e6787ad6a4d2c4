import type { Work } from '../../kernel/work.ts';
import { boundLockWaits } from '../occupancies/hosts.ts';
import type { EventType } from './record.ts';

/** What a transaction fails with that may simply be run again. */
const SERIALIZATION_FAILURE = '40001';

/**
 * Locks an event type against changes while something is booked by it. Bookings that count what others left (limits, seats, whose
 * turn it is) hold it alone, others side by side. A type that was changed since it was read has the transaction run again.
 * Locked behind the booking or proposal, before the hosts. Errors: `unavailable` after 3 s.
 */
export async function lockEventType(work: Work, event_type: EventType): Promise<void> {
  const { connection, organization_id } = work;
  boundLockWaits(work);
  const [found] = await connection.query<{ updated_at: string }>(
    `SELECT updated_at FROM scheduler_event_types
      WHERE organization_id = $1 AND id = $2 FOR ${countsOthers(event_type) ? 'NO KEY UPDATE' : 'SHARE'}`,
    [organization_id, event_type.id],
  );
  if (found?.updated_at === event_type.updated_at) return;
  throw Object.assign(new Error('The event type was changed meanwhile'), { code: SERIALIZATION_FAILURE });
}

function countsOthers({ limits, seats_per_slot, members }: EventType): boolean {
  return (
    seats_per_slot > 1 ||
    Object.values(limits).some((limit) => limit !== null) ||
    members.some(({ role }) => role === 'rotating')
  );
}
