import type { Reader } from '../../../kernel/reader.ts';
import type { Standing } from '../../requests/transitions.ts';
import type { LeaveSpan } from '../rules/span.ts';
import { type LeaveRequest, MOST_DAYS } from './record.ts';

export const requestColumns = [
  'id',
  'member_id',
  'type',
  'unit',
  'start_date',
  'end_date',
  'start_unit',
  'end_unit',
  'start_time',
  'hours',
  'reason',
  'status',
  'approver_id',
  'decided_at',
  'decision_comment',
  'created_by',
  'external_id',
  'metadata',
  'created_at',
  'updated_at',
] as const;

/** A request as it is kept. */
export type LeaveRequestRow = Pick<LeaveRequest, (typeof requestColumns)[number]>;

/** What computing leave needs of a request. */
export type LiveRequest = LeaveSpan & Pick<LeaveRequest, 'id' | 'member_id' | 'type' | 'status'>;

/** The columns of it. */
export const spanColumns = [
  'id',
  'member_id',
  'type',
  'status',
  'unit',
  'start_date',
  'end_date',
  'start_unit',
  'end_unit',
  'start_time',
  'hours',
] as const;

const LIVE = `
  SELECT ${spanColumns.join(', ')}
    FROM attendance_leave_requests
   WHERE organization_id = $1 AND member_id = ANY ($2) AND status IN ('pending', 'approved')
   ORDER BY member_id, start_date, id`;

/** The requests of members that hold their days. */
export async function liveRequestsOf(
  { connection, organization_id }: Reader,
  member_ids: readonly string[],
): Promise<LiveRequest[]> {
  if (member_ids.length === 0) return [];
  return connection.query<LiveRequest>(LIVE, [organization_id, member_ids]);
}

/** The approved requests of members that touch the days from one to another, by member and in the order of their dates. */
export async function approvedRequestsOf(
  { connection, organization_id }: Reader,
  member_ids: readonly string[],
  { from, to }: { from: string; to: string },
): Promise<LiveRequest[]> {
  return connection.query<LiveRequest>(
    `SELECT ${spanColumns.join(', ')} FROM attendance_leave_requests
      WHERE organization_id = $1 AND member_id = ANY ($2) AND status IN ('pending', 'approved')
        AND status = 'approved' AND start_date BETWEEN $3::date - ${MOST_DAYS} AND $4 AND end_date >= $3
      ORDER BY member_id, start_date, id`,
    [organization_id, member_ids, from, to],
  );
}

const BY_ID = `SELECT ${requestColumns.join(', ')} FROM attendance_leave_requests
  WHERE organization_id = $1 AND id = $2`;

/** A request by its ID. */
export async function requestRow(reader: Reader, id: string): Promise<LeaveRequestRow | undefined> {
  const [row] = await reader.connection.query<LeaveRequestRow>(BY_ID, [reader.organization_id, id]);
  return row;
}

/** The same, its row locked until the work commits. */
export async function lockRequestRow(reader: Reader, id: string): Promise<LeaveRequestRow | undefined> {
  const [row] = await reader.connection.query<LeaveRequestRow>(`${BY_ID} FOR NO KEY UPDATE`, [
    reader.organization_id,
    id,
  ]);
  return row;
}

/** What decides what can be done to a request. */
export function standingOf(
  { status, created_by, start_date }: LeaveRequestRow,
  member_user_id: string | null,
): Standing {
  return { kind: 'leave_request', status, member_user_id, created_by, first_day: start_date };
}

/** A request as facts tell it: without what is computed. */
export function toldOfRequest(row: LeaveRequestRow): { id: string } {
  return { ...row, object: 'attendance.leave_request' } as { id: string };
}
