import type { Reader } from '../../kernel/reader.ts';
import type { Span } from './asked.ts';

const APPROVERS = `
  SELECT submission.member_id, submission.period_start, submission.period_end, approver.name
    FROM attendance_submissions AS submission
    JOIN users AS approver ON approver.id = submission.confirmed_by
   WHERE submission.organization_id = $1 AND submission.member_id = ANY ($2) AND submission.month = ANY ($3)
     AND submission.status = 'confirmed'`;

type Approved = { member_id: string; period_start: string; period_end: string; name: string };

/** Who confirmed the days of members: the name, or nothing while they are open. */
export async function approversOf(
  { connection, organization_id }: Reader,
  member_ids: readonly string[],
  { months }: Pick<Span, 'months'>,
): Promise<(member_id: string, work_date: string) => string> {
  const rows = await connection.query<Approved>(APPROVERS, [
    organization_id,
    member_ids,
    months.map(({ month }) => month),
  ]);
  const own = Map.groupBy(rows, ({ member_id }) => member_id);
  return (member_id, work_date) =>
    own
      .get(member_id)
      ?.find(({ period_start, period_end }) => period_start <= work_date && work_date <= period_end)?.name ??
    '';
}
