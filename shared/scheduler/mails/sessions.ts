import { oneOf } from '../../db/one-of.ts';
import type { Work } from '../../kernel/work.ts';
import type { BookingChange } from '../bookings/change.ts';
import type { SessionTold } from './told.ts';

/** The number rises with each mail after the first. */
const TELL = `UPDATE scheduler_sessions AS session
    SET ics_sequence = session.ics_sequence + (EXISTS (
      SELECT FROM scheduler_mails AS said
       WHERE said.organization_id = session.organization_id AND said.record_id = session.id))::integer
  WHERE session.organization_id = $1 AND session.id = ${oneOf('$2')}
  RETURNING session.id, session."start", session."end", session.user_ids, session.seats, session.taken,
    session.status, session.ics_sequence`;

/**
 * The sessions whose seats the changes took or gave back, as they are after them, with the number of the mail that tells of
 * it. Their rows are locked before; what changed them is sent first.
 */
export async function sessionsTold(work: Work, changes: readonly BookingChange[]): Promise<SessionTold[]> {
  const ids = changes
    .filter(({ before, after }) => takesSeat(before) !== takesSeat(after))
    .flatMap(({ before, after }) => [before?.session_id, after.session_id])
    .filter((id) => id != null);
  if (ids.length === 0) return [];
  await work.flush();
  return work.connection.query<SessionTold>(TELL, [work.organization_id, [...new Set(ids)].sort()]);
}

/** The session that a booking has a seat of; null for none. */
function takesSeat(booking: BookingChange['before']): string | null {
  return booking?.status === 'confirmed' || booking?.status === 'no_show' ? booking.session_id : null;
}
