import { oneOf } from '../../db/one-of.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Limits } from '../days/limits.ts';
import type { PeriodTotals } from '../days/types.ts';
import type { SubmissionStatus } from './record.ts';

/** How far the closing of a member's month has come; `frozen` null: the month is open. */
export type Closing = {
  submission_id: string;
  status: SubmissionStatus;
  frozen: { totals: PeriodTotals; limits: Limits | null } | null;
};

type Row = {
  member_id: string;
  submission_id: string;
  status: SubmissionStatus;
  totals: PeriodTotals | null;
  limits: Limits | null;
};

/** The closings of a month (`YYYY-MM`), by member; who has not submitted it has none. */
export async function closingsOf(
  { connection, organization_id }: Reader,
  member_ids: readonly string[],
  month: string,
): Promise<Map<string, Closing>> {
  const rows = await connection.query<Row>(
    `SELECT submission.member_id, submission.id AS submission_id, submission.status, revision.totals, revision.limits
       FROM attendance_submissions AS submission
       LEFT JOIN attendance_period_revisions AS revision
         ON revision.organization_id = submission.organization_id AND revision.submission_id = submission.id
        AND revision.revision = submission.frozen_revision
      WHERE submission.organization_id = $1 AND submission.member_id = ${oneOf('$2')} AND submission.month = $3`,
    [organization_id, member_ids, month],
  );
  return new Map(
    rows.map(({ member_id, submission_id, status, totals, limits }) => [
      member_id,
      { submission_id, status, frozen: totals && { totals, limits } },
    ]),
  );
}
