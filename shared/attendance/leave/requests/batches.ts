import { recordAction } from '../../../platform/batches/action.ts';
import { batch } from '../../../platform/batches/batch.ts';
import { approveLeaveRequest, rejectLeaveRequest } from './operations.ts';
import { leaveRequestList } from './queries.ts';
import { Approval, Rejection } from './record.ts';

/** What is done to one leave request by its call, and to many by a batch. */
export const leaveRequestActions = {
  approve: recordAction({
    scope: 'approvals:write',
    body: Approval,
    act: (work, id, { comment }) => approveLeaveRequest(work, id, comment),
  }),
  reject: recordAction({
    scope: 'approvals:write',
    body: Rejection,
    act: (work, id, { comment }) => rejectLeaveRequest(work, id, comment),
  }),
};

/** What can be done to many leave requests by one call. */
export const leaveRequestBatch = batch({
  name: 'attendance.leave_requests',
  prefix: 'lreq',
  list: (reader, filters, window) => leaveRequestList(reader, filters, window),
  actions: leaveRequestActions,
});
