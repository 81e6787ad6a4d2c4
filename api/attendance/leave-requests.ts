import { z } from 'zod';
import { leaveStatuses, leaveTypes } from '../../shared/attendance/leave/kinds.ts';
import { leaveRequestActions, leaveRequestBatch } from '../../shared/attendance/leave/requests/batches.ts';
import {
  cancelLeaveRequest,
  createLeaveRequest,
  updateLeaveRequest,
} from '../../shared/attendance/leave/requests/operations.ts';
import { leaveRequestById, leaveRequestPage } from '../../shared/attendance/leave/requests/queries.ts';
import {
  LeaveRequest,
  LeaveRequestInput,
  LeaveRequestPatch,
  leaveRequestKind,
} from '../../shared/attendance/leave/requests/record.ts';
import { refusalsOf } from '../../shared/attendance/requests/transitions.ts';
import { byId, day, id } from '../../shared/kernel/schema.ts';
import { batchOf } from '../http/batches.ts';
import { read, write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { manyOf } from '../http/look-ups.ts';
import { resource } from '../http/resource.ts';

const PATH = '/api/v1/attendance/leave-requests';

const request = resource({
  id: 'attendance.leave_requests',
  path: PATH,
  domain: 'attendance',
  one: 'a leave request',
  prefix: 'lreq',
});

const LeaveRequestReply = z.strictObject({ leave_request: LeaveRequest });

/** A call that does something to one request; the action is the last word of its path. */
const action = <const Name extends 'approve' | 'reject' | 'cancel'>(name: Name) =>
  ({
    id: `attendance.leave_requests.${name}`,
    method: 'post',
    path: `${PATH}/:id/${name}`,
    params: byId('lreq'),
    reply: LeaveRequestReply,
  }) as const;

const requestList = list({
  ...request.list,
  summary: 'List leave requests',
  description:
    'Of members whose days you may read: all for owners and admins, the departments that they manage for managers, and your own. `from` and `to` leave requests that touch these days.',
  item: LeaveRequest,
  looked_up: leaveRequestKind,
  filters: z.object({
    status: manyOf(z.enum(leaveStatuses))
      .describe('Several with commas.')
      .meta({ examples: ['pending,approved'] })
      .optional(),
    type: manyOf(z.enum(leaveTypes))
      .describe('Several with commas.')
      .meta({ examples: ['paid_annual'] })
      .optional(),
    from: day().optional(),
    to: day().optional(),
    member_id: id('mem').optional(),
    department_id: id('dept').describe('A department with all below it.').optional(),
  }),
  sorts: ['start_date'],
  handle: ({ filters, window }, reader) => leaveRequestPage(reader, filters, window),
});

export const leaveRequests = [
  requestList,
  batchOf(requestList, leaveRequestBatch),
  read({
    ...request.get,
    description:
      '`days` and `consumed` follow from the working days and grants as they are now; `available_actions` says what you can do to it.',
    reply: LeaveRequestReply,
    handle: async ({ params }, reader) => ({ leave_request: await leaveRequestById(reader, params.id) }),
  }),
  write({
    ...request.create,
    summary: 'Ask for leave',
    description:
      'For yourself, or as manager, admin or owner for somebody else. Only workdays count; for shifts days without a roster count until it comes. `paid_annual`, `compensatory` and `special` are taken at once from the oldest grant that holds on each day, whole or not at all.',
    body: LeaveRequestInput,
    reply: LeaveRequestReply,
    raises: [
      'role_required',
      'unknown_reference',
      'already_exists',
      'month_locked',
      'not_employed',
      'no_working_day',
      'overlapping_request',
      'hourly_leave_cap_exceeded',
      'insufficient_balance',
    ],
    handle: async ({ body }, work) => ({ leave_request: await createLeaveRequest(work, body) }),
  }),
  write({
    ...request.update,
    description: 'Your own IDs alone: a request itself is cancelled and filed anew.',
    body: LeaveRequestPatch,
    reply: LeaveRequestReply,
    raises: ['already_exists'],
    handle: async ({ params, body }, work) => ({
      leave_request: await updateLeaveRequest(work, params.id, body),
    }),
  }),
  write({
    ...action('approve'),
    scope: leaveRequestActions.approve.scope,
    summary: 'Approve a leave request',
    description:
      'Not your own, but as the only owner or with `allow_self_approval`. The member is told by mail. The call asks for `attendance:write` too.',
    body: leaveRequestActions.approve.body!.optional(),
    raises: [...refusalsOf('leave_request', 'approve'), 'month_locked', 'insufficient_balance'],
    handle: async ({ params, body = { comment: null }, ...given }, work) => ({
      leave_request: await leaveRequestActions.approve.act(work, params.id, body, given),
    }),
  }),
  write({
    ...action('reject'),
    scope: leaveRequestActions.reject.scope,
    summary: 'Reject a leave request',
    description: 'The member is told by mail, with the comment. The call asks for `attendance:write` too.',
    body: leaveRequestActions.reject.body!,
    raises: refusalsOf('leave_request', 'reject'),
    handle: async ({ params, body, ...given }, work) => ({
      leave_request: await leaveRequestActions.reject.act(work, params.id, body, given),
    }),
  }),
  write({
    ...action('cancel'),
    scope: 'attendance:write',
    summary: 'Take a leave request back',
    description:
      'A pending one by the member or who filed it; an approved one by the member before its first day, and by who decides at any time. Its days return.',
    raises: [...refusalsOf('leave_request', 'cancel'), 'month_locked'],
    handle: async ({ params }, work) => ({ leave_request: await cancelLeaveRequest(work, params.id) }),
  }),
];
