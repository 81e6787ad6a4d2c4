import type { Reader } from '../../kernel/reader.ts';
import { standingAt } from '../days/punch-states.ts';
import { type SessionRow, sessionColumns } from '../records/rows.ts';

/** The session that a member is in, and what they do in it. */
export type Running = { session: SessionRow; state: 'working' | 'on_break' };

/** The sessions of some or all members that have no end: those that run, and those whose end is missing. */
export type OpenSessions = { running: ReadonlyMap<string, Running>; stale: readonly SessionRow[] };

/**
 * What members do now. Of the sessions without end only a member's newest can run, while it is within its most hours.
 * `member_ids` null: all of the organization.
 */
export async function openSessions(
  { connection, organization_id, now }: Reader,
  member_ids: readonly string[] | null,
  max_session_hours: number,
): Promise<OpenSessions> {
  const rows = await connection.query<SessionRow & { is_newest: boolean }>(
    `SELECT ${sessionColumns.join(', ')}, NOT EXISTS (
         SELECT FROM attendance_sessions AS later
          WHERE later.organization_id = $1 AND later.member_id = session.member_id
            AND later.clock_in_at > session.clock_in_at) AS is_newest
       FROM attendance_sessions AS session
      WHERE organization_id = $1 AND ($2::text[] IS NULL OR member_id = ANY ($2)) AND clock_out_at IS NULL
      ORDER BY member_id, clock_in_at`,
    [organization_id, member_ids],
  );
  const running = new Map<string, Running>();
  const stale: SessionRow[] = [];
  for (const { is_newest, ...session } of rows) {
    const { state } = standingAt(session, now.toISOString(), max_session_hours);
    if (is_newest && state !== 'off_duty') running.set(session.member_id, { session, state });
    else stale.push(session);
  }
  return { running, stale };
}
