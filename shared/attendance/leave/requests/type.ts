import type { Work } from '../../../kernel/work.ts';
import { refreshAround } from '../../records/figures.ts';
import type { RequestFilters, RequestType } from '../../requests/kind.ts';
import type { LeaveType } from '../kinds.ts';
import { leaveDecisionMail } from './decision-mail.ts';
import { type LeaveRequest, LeaveRequestModel, leaveRequestFacts, leaveRequestKind } from './record.ts';
import { type LeaveRequestRow, leaveRequestColumns } from './rows.ts';
import { shownRequests } from './shown.ts';
import { leaveOfRequest, requireFit } from './taking.ts';

/** Requests for leave. */
export const leaveRequestType: RequestType<LeaveRequestRow, LeaveRequest> = {
  kind: 'leave_request',
  model: LeaveRequestModel,
  columns: leaveRequestColumns,
  records: leaveRequestKind,
  facts: leaveRequestFacts,
  sorts: { start_date: 'start_date' },
  datesOf,
  narrow: (query, { type, from, to }: LeaveRequestFilters) => {
    if (type !== undefined) query.whereIn('attendance_leave_requests.type', [...type]);
    if (from !== undefined) {
      query.where('attendance_leave_requests.end_date', '>=', from);
      // A request has a year at most: so the index by its first day can begin there.
      query.whereRaw('attendance_leave_requests.start_date >= ?::date - 366', [from]);
    }
    if (to !== undefined) query.where('attendance_leave_requests.start_date', '<=', to);
  },
  show: shownRequests,
  requireApprovable: async (work, row) => requireFit(await leaveOfRequest(work, row), row),
  takeEffect: refreshLeave,
  loseEffect: refreshLeave,
  tell: leaveDecisionMail.queue,
};

type LeaveRequestFilters = RequestFilters & { type?: readonly LeaveType[] };

function datesOf({ start_date, end_date }: LeaveRequestRow) {
  return { from: start_date, to: end_date };
}

/** The figures of the days that approved leave came to or left, and of those after them that follow from them. */
function refreshLeave(work: Work, row: LeaveRequestRow): Promise<void> {
  return refreshAround(work, row.member_id, datesOf(row));
}
