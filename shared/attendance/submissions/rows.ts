import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { lockMember } from '../members/queries.ts';
import type { MemberRow } from '../members/row.ts';
import { memberOfPath } from '../sight/people.ts';
import { type SubmissionRow, submissionColumns } from './record.ts';

const COLUMNS = submissionColumns.join(', ');

/** A submission of a member whose days the caller may read. Errors: `not_found`. */
export async function seenSubmission(reader: Reader, id: string): Promise<SubmissionRow> {
  const [row] = await rowsOf(reader, [id]);
  if (!row) throw notFound();
  await memberOfPath(reader, row.member_id);
  return row;
}

/** The same with its member, both locked until the work commits, the member first. Errors: `not_found`. */
export async function lockSubmission(
  work: Work,
  id: string,
): Promise<{ row: SubmissionRow; member: MemberRow }> {
  const { member_id } = await seenSubmission(work, id);
  const member = await lockMember(work, member_id);
  const [row] = await rowsOf(work, [id], 'FOR NO KEY UPDATE');
  return { row: row!, member };
}

/** Submissions by their IDs, in the order of these. */
export function rowsOf(
  { connection, organization_id }: Reader,
  ids: readonly string[],
  lock: '' | 'FOR NO KEY UPDATE' = '',
): Promise<SubmissionRow[]> {
  return connection.query<SubmissionRow>(
    `SELECT ${COLUMNS} FROM attendance_submissions WHERE organization_id = $1 AND id = ANY ($2) ORDER BY id ${lock}`,
    [organization_id, ids],
  );
}

/** What a locked member has submitted of a month. */
export async function submissionOfMonth(
  { connection, organization_id }: Reader,
  member_id: string,
  month: string,
): Promise<SubmissionRow | undefined> {
  const [row] = await connection.query<SubmissionRow>(
    `SELECT ${COLUMNS} FROM attendance_submissions
      WHERE organization_id = $1 AND member_id = $2 AND month = $3 FOR NO KEY UPDATE`,
    [organization_id, member_id, month],
  );
  return row;
}

/** Those of some submissions after whose period another one of their member is closed. */
export async function withLaterClosed(
  { connection, organization_id }: Reader,
  rows: readonly Pick<SubmissionRow, 'id'>[],
): Promise<ReadonlySet<string>> {
  const found = await connection.query<{ id: string }>(
    `SELECT id FROM attendance_submissions AS submission
      WHERE organization_id = $1 AND id = ANY ($2) AND EXISTS (
        SELECT FROM attendance_submissions AS later
         WHERE later.organization_id = $1 AND later.member_id = submission.member_id
           AND later.frozen_revision IS NOT NULL AND later.period_end > submission.period_end)`,
    [organization_id, rows.map(({ id }) => id)],
  );
  return new Set(found.map(({ id }) => id));
}

/** A submission as facts tell it: without what is computed. */
export function toldOf(row: SubmissionRow): { id: string } {
  return { ...row, object: 'attendance.submission' } as { id: string };
}
