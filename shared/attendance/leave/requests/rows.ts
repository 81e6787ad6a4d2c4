import { oneOf } from '../../../db/one-of.ts';
import type { Reader } from '../../../kernel/reader.ts';
import { requestColumns } from '../../requests/record.ts';
import type { LeaveSpan } from '../rules/span.ts';
import { type LeaveRequest, MOST_DAYS } from './record.ts';

/** The columns of a request for leave. */
export const leaveRequestColumns = [
  'type',
  'unit',
  'start_date',
  'end_date',
  'start_unit',
  'end_unit',
  'start_time',
  'hours',
  ...requestColumns,
] as const;

/** A request as it is kept. */
export type LeaveRequestRow = Pick<LeaveRequest, (typeof leaveRequestColumns)[number]>;

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
   WHERE organization_id = $1 AND member_id = ${oneOf('$2')} AND status IN ('pending', 'approved')
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
      WHERE organization_id = $1 AND member_id = ${oneOf('$2')} AND status IN ('pending', 'approved')
        AND status = 'approved' AND start_date BETWEEN $3::date - ${MOST_DAYS} AND $4 AND end_date >= $3
      ORDER BY member_id, start_date, id`,
    [organization_id, member_ids, from, to],
  );
}

/** The live requests for annual leave of members that touch a day or a later one, by the day of each member. */
export async function annualRequestsSince(
  { connection, organization_id }: Reader,
  days: ReadonlyMap<string, string>,
): Promise<LiveRequest[]> {
  if (days.size === 0) return [];
  return connection.query<LiveRequest>(
    `SELECT ${spanColumns.map((column) => `request.${column}`).join(', ')}
       FROM unnest($2::text[], $3::date[]) AS asked (member_id, since)
       JOIN attendance_leave_requests AS request ON request.member_id = asked.member_id
      WHERE request.organization_id = $1 AND request.status IN ('pending', 'approved') AND request.type = 'paid_annual'
        AND request.start_date >= asked.since - ${MOST_DAYS} AND request.end_date >= asked.since`,
    [organization_id, [...days.keys()], [...days.values()]],
  );
}
