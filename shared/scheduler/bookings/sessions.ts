import { refusesBy } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { Failure } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import { occupy, release } from '../occupancies/occupy.ts';
import { type OccupancyRow, slotTaken } from '../occupancies/record.ts';
import { quoted } from './rows.ts';

/** A start that guests share, as it is stored. */
export type SessionRow = {
  id: string;
  event_type_id: string;
  start: string;
  end: string;
  user_ids: string[];
  seats: number;
  /** Bookings of it that are pending or confirmed. */
  taken: number;
  status: 'confirmed' | 'cancelled';
  ics_sequence: number;
  created_at: string;
  updated_at: string;
};

export const sessionColumns = [
  'id',
  'event_type_id',
  'start',
  'end',
  'user_ids',
  'seats',
  'taken',
  'status',
  'ics_sequence',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof SessionRow)[];

export class SessionModel extends TenantModel {
  static override tableName = 'scheduler_sessions';
  static override jsonAttributes = ['user_ids'];
}

refusesBy('scheduler_sessions_once', () => slotTaken());
refusesBy('scheduler_bookings_guest_once_in_session', () => new Failure('already_booked'));

type Span = Pick<SessionRow, 'event_type_id' | 'start' | 'end'>;

/** Takes a seat of the session that a type has at that time. Errors: `slot_taken` without one that has a seat. */
export async function joinSession(work: Work, { event_type_id, start, end }: Span): Promise<SessionRow> {
  const [session] = await work.connection.query<SessionRow>(
    `SELECT ${quoted(sessionColumns)} FROM scheduler_sessions
      WHERE organization_id = $1 AND event_type_id = $2 AND "start" = $3 AND "end" = $4 AND status = 'confirmed'
      FOR NO KEY UPDATE`,
    [work.organization_id, event_type_id, start, end],
  );
  if (!session || session.taken >= session.seats) throw slotTaken('seats_full');
  return changeTaken(work, session, session.taken + 1);
}

/** A new session with one seat taken. It takes the time of its hosts once, whoever shares it. */
export function openSession(
  work: Work,
  span: Span & Pick<SessionRow, 'user_ids' | 'seats'>,
  buffers: Pick<OccupancyRow, 'buffer_before_minutes' | 'buffer_after_minutes'>,
): SessionRow {
  const at = work.now.toISOString();
  const session: SessionRow = {
    id: newId('bsess', work.now),
    ...span,
    taken: 1,
    status: 'confirmed',
    ics_sequence: 0,
    created_at: at,
    updated_at: at,
  };
  work.insert(SessionModel, session);
  const { event_type_id, start, end } = span;
  occupy(
    work,
    span.user_ids.map((user_id) => ({
      kind: 'session',
      record_id: session.id,
      position: 0,
      user_id,
      event_type_id,
      start,
      end,
      ...buffers,
      assigned_at: at,
      expires_at: null,
    })),
  );
  return session;
}

/**
 * Gives a seat back; the last one gives back the time of the hosts. Locks the session behind its booking. One that was
 * cancelled has none to be given back: a no-show of it may have been taken back since.
 */
export async function leaveSession(work: Work, id: string): Promise<SessionRow> {
  const session = await lockSession(work, id);
  return session.status === 'cancelled' ? session : changeTaken(work, session, session.taken - 1);
}

/** A session, locked. Errors: `not_found`. */
export async function lockSession(work: Work, id: string): Promise<SessionRow> {
  const [session] = await work.connection.query<SessionRow>(
    `SELECT ${quoted(sessionColumns)} FROM scheduler_sessions WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE`,
    [work.organization_id, id],
  );
  if (!session) throw new Failure('not_found');
  return session;
}

/** Writes how many seats of a locked session are taken; without any it is over. */
export function changeTaken(work: Work, session: SessionRow, taken: number): SessionRow {
  const status = taken > 0 ? ('confirmed' as const) : ('cancelled' as const);
  const after: SessionRow = { ...session, taken, status, updated_at: work.touch(session) };
  work.update(SessionModel, session.id, { taken, status, updated_at: after.updated_at });
  if (status === 'cancelled') release(work, [session.id]);
  return after;
}
