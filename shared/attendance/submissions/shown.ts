import type { Reader } from '../../kernel/reader.ts';
import { pick } from '../../kernel/record-fields.ts';
import type { Work } from '../../kernel/work.ts';
import { ownersOf } from '../requests/owners.ts';
import { askingAbout } from './deciding.ts';
import { type Submission, type SubmissionRow, submissionColumns } from './record.ts';
import { withLaterClosed } from './rows.ts';
import { actionsFor } from './transitions.ts';

/** Submissions as the API shows them, with what the caller can do to each. A fixed number of statements. */
export async function shownSubmissions(
  reader: Reader,
  rows: readonly SubmissionRow[],
): Promise<Submission[]> {
  if (rows.length === 0) return [];
  const [owners, about, later] = await Promise.all([
    ownersOf(reader, rows),
    askingAbout(reader),
    withLaterClosed(reader, rows),
  ]);
  return rows.map((row) => {
    const owner = owners(row.member_id);
    const standing = {
      kind: 'submission' as const,
      status: row.status,
      member_user_id: owner.user_id,
      has_later_closed: later.has(row.id),
    };
    const { frozen_revision, ...shown } = pick(row, submissionColumns);
    const { external_id, metadata, created_at, updated_at, ...fields } = shown;
    return {
      object: 'attendance.submission',
      ...fields,
      available_actions: actionsFor(standing, about(owner)),
      external_id,
      metadata,
      created_at,
      updated_at,
    };
  });
}

/** A submission as it is shown once the work's rows are there. */
export async function shownAfter(work: Work, row: SubmissionRow): Promise<Submission> {
  await work.flush();
  return (await shownSubmissions(work, [row]))[0]!;
}
