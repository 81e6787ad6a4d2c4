import { instantOf } from '../../kernel/local-time.ts';
import type { Reader } from '../../kernel/reader.ts';
import { MOST_DAYS } from './requests/record.ts';
import { type LiveRequest, spanColumns } from './requests/rows.ts';
import { awayDuring } from './rules/intervals.ts';
import { workingDaysOf } from './working-days.ts';

/** When somebody is away: from `start_at` until before `end_at`, instants in ISO 8601. */
export type LeaveInterval = { user_id: string; request_id: string; start_at: string; end_at: string };

/**
 * The approved leave of users that touches the days from one to another, both within, as intervals of the organization's
 * clock: whole days from midnight to midnight, workdays or not. For who plans their time.
 */
export async function leaveIntervals(
  reader: Reader,
  user_ids: readonly string[],
  from: string,
  to: string,
): Promise<LeaveInterval[]> {
  const { connection, organization_id } = reader;
  const requests = await connection.query<LiveRequest & { user_id: string }>(
    `SELECT member.user_id, ${spanColumns.map((column) => `request.${column}`).join(', ')}
       FROM attendance_members AS member
       JOIN attendance_leave_requests AS request
         ON request.organization_id = member.organization_id AND request.member_id = member.id
      WHERE member.organization_id = $1 AND member.user_id = ANY ($2) AND request.status = 'approved'
        AND request.start_date BETWEEN $3::date - ${MOST_DAYS} AND $4 AND request.end_date >= $3
      ORDER BY member.user_id, request.start_date, request.id`,
    [organization_id, user_ids, from, to],
  );
  const first = requests.map(({ start_date }) => start_date).toSorted()[0] ?? from;
  const last =
    requests
      .map(({ end_date }) => end_date)
      .toSorted()
      .at(-1) ?? to;
  const member_ids = [...new Set(requests.map(({ member_id }) => member_id))];
  const workingOf = await workingDaysOf(reader, member_ids, { from: first, to: last });
  return requests.flatMap((request) => {
    const { timesOn, zoneOn } = workingOf(request.member_id);
    const away = awayDuring(request, timesOn, zoneOn(request.start_date));
    if (!away) return [];
    const { user_id, id: request_id } = request;
    return [{ user_id, request_id, start_at: instantOf(away.start), end_at: instantOf(away.end) }];
  });
}
