import { rowsOf } from '../../db/one-of.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { RequestKind } from '../requests/transitions.ts';

/** Where requests stand, and their first and last days. */
const TABLES: readonly { kind: RequestKind; table: string; start: string; end: string }[] = [
  { kind: 'leave_request', table: 'attendance_leave_requests', start: 'start_date', end: 'end_date' },
  { kind: 'correction', table: 'attendance_corrections', start: 'work_date', end: 'work_date' },
  { kind: 'overtime_request', table: 'attendance_overtime_requests', start: 'work_date', end: 'work_date' },
];

/** A request that waits for a decision. */
export type OpenRequest = {
  id: string;
  kind: RequestKind;
  start_date: string;
  end_date: string;
  created_at: string;
};

/** So many requests are shown of a member. */
const SHOWN = 100;

/** The requests of a member that wait for a decision, the oldest first. */
export function openRequestsOf(
  { connection, organization_id }: Reader,
  member_id: string,
): Promise<OpenRequest[]> {
  const open = TABLES.map(
    ({ kind, table, start, end }) => `
      SELECT id, '${kind}' AS kind, ${start} AS start_date, ${end} AS end_date, created_at FROM ${table}
       WHERE organization_id = $1 AND member_id = $2 AND status = 'pending'`,
  );
  return connection.query<OpenRequest>(
    `SELECT * FROM (${open.join(' UNION ALL ')}) AS request ORDER BY created_at, id LIMIT ${SHOWN}`,
    [organization_id, member_id],
  );
}

/**
 * How many requests of members wait for a decision, by kind. Those that wait are few, whatever was decided before: they are
 * read first, of all members. Without OFFSET the planner takes the list for ten members, and reads all their requests.
 */
export async function pendingCounts(
  { connection, organization_id }: Reader,
  member_ids: readonly string[],
): Promise<Record<RequestKind, number>> {
  const counts = TABLES.map(
    ({ kind, table }) => `
      SELECT '${kind}' AS kind, count(*)::integer AS count
        FROM (SELECT member_id FROM ${table} WHERE organization_id = $1 AND status = 'pending' OFFSET 0) AS waiting
       WHERE member_id IN (SELECT ${rowsOf('$2')})`,
  );
  const rows = await connection.query<{ kind: RequestKind; count: number }>(counts.join(' UNION ALL '), [
    organization_id,
    member_ids,
  ]);
  const found = new Map(rows.map(({ kind, count }) => [kind, count]));
  return {
    leave_request: found.get('leave_request') ?? 0,
    correction: found.get('correction') ?? 0,
    overtime_request: found.get('overtime_request') ?? 0,
  };
}
