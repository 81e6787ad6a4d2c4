import { oneOf } from '../../db/one-of.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Dates } from '../days/reach.ts';
import type { ApprovedOvertime } from '../days/types.ts';

/** The approved overtime of members on some work dates, by member and in order of time. */
export async function approvedOvertimeOf(
  { connection, organization_id }: Reader,
  member_ids: readonly string[],
  { from, to }: Dates,
): Promise<Map<string, ApprovedOvertime[]>> {
  const rows = await connection.query<ApprovedOvertime & { member_id: string }>(
    `SELECT member_id, kind, planned_start_at, planned_end_at FROM attendance_overtime_requests
      WHERE organization_id = $1 AND member_id = ${oneOf('$2')} AND status = 'approved' AND work_date BETWEEN $3 AND $4
      ORDER BY member_id, planned_start_at, id`,
    [organization_id, member_ids, from, to],
  );
  return Map.groupBy(rows, ({ member_id }) => member_id);
}
