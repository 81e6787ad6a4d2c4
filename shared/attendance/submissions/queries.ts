import { isFiltered, pageOf } from '../../db/list.ts';
import type { LookUps } from '../../db/look-ups.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { membersSeen, type Whose } from '../sight/sight.ts';
import {
  type Submission,
  SubmissionModel,
  type SubmissionRow,
  submissionColumns,
  submissionKind,
} from './record.ts';
import { seenSubmission } from './rows.ts';
import { shownSubmissions } from './shown.ts';
import type { KeptStatus } from './transitions.ts';

/** A submission of a member whose days the caller may read. Errors: `not_found`. */
export async function submissionById(reader: Reader, id: string): Promise<Submission> {
  return (await shownSubmissions(reader, [await seenSubmission(reader, id)]))[0]!;
}

export type SubmissionFilters = LookUps & Whose & { month?: string; status?: readonly KeptStatus[] };

/** A window of the submissions of members whose days the caller may read. */
export async function submissionPage(
  reader: Reader,
  filters: SubmissionFilters,
  window: Window,
): Promise<Page<Submission>> {
  const { month, status, member_id, department_id, ...look_ups } = filters;
  const table = SubmissionModel.tableName;
  const seen = await membersSeen(reader, {
    ...(member_id !== undefined && { member_id }),
    ...(department_id !== undefined && { department_id }),
  });
  const query = SubmissionModel.table(reader);
  if (seen) query.whereRaw(`${table}.member_id = ANY (?)`, [seen]);
  if (month !== undefined) query.where(`${table}.month`, month);
  if (status !== undefined) query.whereIn(`${table}.status`, [...status]);
  const page = await pageOf<SubmissionRow>(reader, {
    query,
    table,
    columns: submissionColumns,
    prefix: 'msub',
    sorts: { month: 'month' },
    window,
    is_filtered: isFiltered(filters) || seen !== null,
    look_ups: { kind: submissionKind, asked: look_ups },
  });
  return { ...page, rows: await shownSubmissions(reader, page.rows) };
}
