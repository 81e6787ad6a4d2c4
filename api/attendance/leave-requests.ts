import { z } from 'zod';
import { leaveTypes } from '../../shared/attendance/leave/kinds.ts';
import { leaveRequestBatch } from '../../shared/attendance/leave/requests/batches.ts';
import { createLeaveRequest } from '../../shared/attendance/leave/requests/operations.ts';
import { LeaveRequest, LeaveRequestInput } from '../../shared/attendance/leave/requests/record.ts';
import { leaveRequestType } from '../../shared/attendance/leave/requests/type.ts';
import { manyOf } from '../http/look-ups.ts';
import { requestCalls } from './requests.ts';

export const leaveRequests = requestCalls({
  type: leaveRequestType,
  batch: leaveRequestBatch,
  schema: LeaveRequest,
  one: 'a leave request',
  list: {
    description: '`from` and `to` leave requests that touch these days.',
    filters: {
      type: manyOf(z.enum(leaveTypes))
        .describe('Several with commas.')
        .meta({ examples: ['paid_annual'] })
        .optional(),
    },
  },
  get: {
    description:
      '`days` and `consumed` follow from the working days and grants as they are now; `available_actions` says what you can do to it.',
  },
  create: {
    summary: 'Ask for leave',
    description:
      'For yourself, or as manager, admin or owner for somebody else. Only workdays count; for shifts days without a roster count until it comes. `paid_annual`, `compensatory` and `special` are taken at once from the oldest grant that holds on each day, whole or not at all.',
    body: LeaveRequestInput,
    raises: [
      'not_employed',
      'no_working_day',
      'overlapping_request',
      'hourly_leave_cap_exceeded',
      'insufficient_balance',
    ],
    make: createLeaveRequest,
  },
  approve: { description: 'The member is told by mail.', raises: ['insufficient_balance'] },
  cancel: {
    description:
      'A pending one by the member or who filed it; an approved one by the member before its first day, and by who decides at any time. Its days return.',
  },
});
