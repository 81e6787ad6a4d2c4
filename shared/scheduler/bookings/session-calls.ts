import { z } from 'zod';
import { factsOf } from '../../kernel/fact.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import { id, timestamp } from '../../kernel/schema.ts';
import type { Work } from '../../kernel/work.ts';
import { peopleByIds } from '../../platform/access/members/queries.ts';
import { boundLockWaits } from '../occupancies/hosts.ts';
import type { Cancellation } from './input.ts';
import { type BookingRecord, bookingColumns } from './record.ts';
import { quoted } from './rows.ts';
import { changeTaken, lockSession, type SessionRow } from './sessions.ts';
import { cancelSeats } from './settle.ts';

/** A start that guests share, as the API shows it. */
export const BookingSession = z
  .strictObject({
    id: id('bsess'),
    object: z.literal('scheduler.session'),
    event_type_id: id('etype'),
    start: timestamp(),
    end: timestamp(),
    hosts: z.array(
      z.strictObject({ user_id: id('usr'), name: z.string().meta({ examples: ['山田 太郎'] }) }),
    ),
    seats: z.int().meta({ examples: [10] }),
    taken: z.int().meta({ examples: [3] }),
    status: z.enum(['confirmed', 'cancelled']),
    ics_sequence: z
      .int()
      .describe("SEQUENCE of the hosts' last iCalendar mail.")
      .meta({ examples: [0] }),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'SchedulerSession' });

export type BookingSession = z.output<typeof BookingSession>;

const sessionFacts = factsOf({ domain: 'scheduler', entity_type: 'session' });

/**
 * Cancels a session with all its bookings, in one commit. Errors: `not_found`, `precondition_failed`, `invalid_transition` when
 * it was cancelled or is over.
 */
export async function cancelSession(work: Work, id: string, asked: Cancellation): Promise<BookingSession> {
  boundLockWaits(work);
  // Bookings come before their session: who cancels a single one locks them so. One that joins meanwhile is among the second.
  await seatsOf(work, id);
  const session = await lockSession(work, id);
  work.precondition(session);
  const current_status = session.status;
  if (current_status === 'cancelled' || session.end <= work.now.toISOString()) {
    throw new Failure('invalid_transition', { members: { current_status, available_actions: [] } });
  }
  const bookings = await seatsOf(work, id);
  changeTaken(work, session, 0);
  await cancelSeats(work, bookings, { ...asked, by: 'staff' });
  await work.flush();
  // With the number of the mail that tells the hosts.
  const after = await lockSession(work, id);
  const [before, shown] = [await shownSession(work, session), await shownSession(work, after)];
  work.record(sessionFacts.updated, { before, after: shown });
  return shown;
}

/** The bookings that have a seat, locked in the order of their IDs. */
function seatsOf({ connection, organization_id }: Work, session_id: string): Promise<BookingRecord[]> {
  return connection.query<BookingRecord>(
    `SELECT ${quoted(bookingColumns)} FROM scheduler_bookings
      WHERE organization_id = $1 AND session_id = $2 AND status IN ('pending', 'confirmed')
      ORDER BY id FOR NO KEY UPDATE`,
    [organization_id, session_id],
  );
}

async function shownSession(reader: Reader, row: SessionRow): Promise<BookingSession> {
  const { user_ids, ...shown } = row;
  const personOf = await peopleByIds(reader, user_ids);
  const hosts = user_ids.map((user_id) => ({ user_id, name: personOf(user_id).name }));
  return { ...shown, object: 'scheduler.session', hosts };
}
