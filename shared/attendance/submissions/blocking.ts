import { Failure } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Period } from '../days/types.ts';
import type { Snapshot } from './freeze.ts';

/** What keeps a month from being closed; `id` is the record's or the request's, null for a day without record. */
export type Blocking = {
  code: 'session_open' | 'missing_clock_out' | 'open_break' | 'pending_request' | 'no_record';
  work_date: string;
  id: string | null;
};

/** A refusal names so many of the pending requests. */
const MOST_REQUESTS = 100;

/**
 * Sees that a period can be closed: every session has ended, no request waits, and nobody was absent unless that is
 * accepted. Errors: `submission_blocked`.
 */
export async function requireUnblocked(
  reader: Reader,
  member_id: string,
  { period, days }: Snapshot,
  accept_absences: boolean,
): Promise<void> {
  const blocking = [
    ...days.flatMap((one) => blockingOf(one, accept_absences)),
    ...(await pendingOf(reader, member_id, period)),
  ].toSorted((one, other) =>
    one.work_date < other.work_date ? -1 : one.work_date > other.work_date ? 1 : 0,
  );
  if (blocking.length === 0) return;
  const count = blocking.length;
  throw new Failure('submission_blocked', {
    detail: {
      en: `${count} ${count === 1 ? 'thing keeps' : 'things keep'} ${period.month} from being closed`,
      ja: `${period.month} を締められない項目が ${count} 件あります`,
    },
    members: { blocking },
  });
}

/** What a day keeps open. A session without end runs, or its end is missing. */
export function blockingOf({ day, alerts }: Snapshot['days'][number], accept_absences: boolean): Blocking[] {
  const { id, work_date } = day;
  const isMissing = alerts.includes('missing_clock_out');
  const isOpen = day.sessions.some(({ clock_out_at }) => clock_out_at === null) && !isMissing;
  const codes: Blocking['code'][] = [
    ...(isOpen ? (['session_open'] as const) : []),
    ...(isMissing ? (['missing_clock_out'] as const) : []),
    ...(alerts.includes('open_break') ? (['open_break'] as const) : []),
    ...(alerts.includes('no_record') && !accept_absences ? (['no_record'] as const) : []),
  ];
  return codes.map((code) => ({ code, work_date, id }));
}

/** The first of the requests of a member about days of a period that nobody has decided. */
async function pendingOf(
  { connection, organization_id }: Reader,
  member_id: string,
  { start, end }: Period,
): Promise<Blocking[]> {
  const rows = await connection.query<{ id: string; work_date: string }>(
    `(SELECT id, greatest(start_date, $3::date) AS work_date FROM attendance_leave_requests
       WHERE ${PENDING} AND start_date <= $4 AND end_date >= $3)
     UNION ALL
     (SELECT id, work_date FROM attendance_corrections WHERE ${PENDING} AND work_date BETWEEN $3 AND $4)
     UNION ALL
     (SELECT id, work_date FROM attendance_overtime_requests WHERE ${PENDING} AND work_date BETWEEN $3 AND $4)
     ORDER BY work_date, id LIMIT ${MOST_REQUESTS}`,
    [organization_id, member_id, start, end],
  );
  return rows.map((row) => ({ code: 'pending_request', ...row }));
}

const PENDING = `organization_id = $1 AND member_id = $2 AND status = 'pending'`;
