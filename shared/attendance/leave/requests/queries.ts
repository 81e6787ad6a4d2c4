import { isFiltered, type ListQuery, pageOf } from '../../../db/list.ts';
import type { LookUps } from '../../../db/look-ups.ts';
import { notFound } from '../../../kernel/failure.ts';
import type { Reader } from '../../../kernel/reader.ts';
import type { Page, Window } from '../../../kernel/window.ts';
import { memberOfPath } from '../../sight/people.ts';
import { membersSeen, type Whose } from '../../sight/sight.ts';
import type { LeaveStatus, LeaveType } from '../kinds.ts';
import { type LeaveRequest, LeaveRequestModel, leaveRequestKind } from './record.ts';
import { type LeaveRequestRow, requestColumns, requestRow } from './rows.ts';
import { shownRequests } from './shown.ts';

/** A request of a member whose days the caller may read. Errors: `not_found`. */
export async function leaveRequestById(reader: Reader, id: string): Promise<LeaveRequest> {
  const row = await requestRow(reader, id);
  if (!row) throw notFound();
  await memberOfPath(reader, row.member_id);
  return (await shownRequests(reader, [row]))[0]!;
}

export type LeaveRequestFilters = LookUps &
  Whose & {
    status?: readonly LeaveStatus[];
    type?: readonly LeaveType[];
    /** Requests that touch these days, both within. */
    from?: string;
    to?: string;
  };

/** The query of the list: requests of members whose days the caller may read. */
export async function leaveRequestList(
  reader: Reader,
  filters: LeaveRequestFilters,
  window: Window,
): Promise<ListQuery> {
  const { status, type, from, to, member_id, department_id, ...look_ups } = filters;
  const seen = await membersSeen(reader, whose(member_id, department_id));
  const query = LeaveRequestModel.table(reader);
  if (seen) query.whereRaw('attendance_leave_requests.member_id = ANY (?)', [seen]);
  if (status !== undefined) query.whereIn('attendance_leave_requests.status', [...status]);
  if (type !== undefined) query.whereIn('attendance_leave_requests.type', [...type]);
  if (from !== undefined) {
    query.where('attendance_leave_requests.end_date', '>=', from);
    // A request has a year at most: so the index by its first day can begin there.
    query.whereRaw('attendance_leave_requests.start_date >= ?::date - 366', [from]);
  }
  if (to !== undefined) query.where('attendance_leave_requests.start_date', '<=', to);
  return {
    query,
    table: LeaveRequestModel.tableName,
    columns: requestColumns,
    prefix: 'lreq',
    sorts: { start_date: 'start_date' },
    window,
    is_filtered: isFiltered(filters) || seen !== null,
    look_ups: { kind: leaveRequestKind, asked: look_ups },
  };
}

function whose(member_id: string | undefined, department_id: string | undefined): Whose {
  return {
    ...(member_id !== undefined && { member_id }),
    ...(department_id !== undefined && { department_id }),
  };
}

/** A window of the requests. */
export async function leaveRequestPage(
  reader: Reader,
  filters: LeaveRequestFilters,
  window: Window,
): Promise<Page<LeaveRequest>> {
  const page = await pageOf<LeaveRequestRow>(reader, await leaveRequestList(reader, filters, window));
  return { ...page, rows: await shownRequests(reader, page.rows) };
}
