import { z } from 'zod';
import { attendanceDay } from '../../shared/attendance/dates.ts';
import { balanceOf, balancePage, ownBalance } from '../../shared/attendance/leave/balances/queries.ts';
import { LeaveBalance, LeaveBalanceOfMember } from '../../shared/attendance/leave/balances/record.ts';
import {
  createLeaveGrant,
  deleteLeaveGrant,
  updateLeaveGrant,
} from '../../shared/attendance/leave/grants/operations.ts';
import {
  GrantToCome,
  LeaveGrant,
  LeaveGrantInput,
  LeaveGrantPatch,
} from '../../shared/attendance/leave/grants/record.ts';
import { leaveGrantById } from '../../shared/attendance/leave/grants/shown.ts';
import { balanceTypes } from '../../shared/attendance/leave/kinds.ts';
import { grantStatutory } from '../../shared/attendance/leave/statutory/operations.ts';
import { StatutoryGranting } from '../../shared/attendance/leave/statutory/record.ts';
import { id } from '../../shared/kernel/schema.ts';
import { read, write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { deleting, resource } from '../http/resource.ts';

const PATH = '/api/v1/attendance/leave-balances';

const balance = resource({
  id: 'attendance.leave_balances',
  path: PATH,
  domain: 'attendance',
  one: 'a leave grant',
  prefix: 'lgrant',
});

const LeaveGrantReply = z.strictObject({ leave_grant: LeaveGrant });

const asked = {
  type: z.enum(balanceTypes).describe('`paid_annual` unless said.').optional(),
  as_of: attendanceDay().describe('Today unless said. Later requests are taken off what is left.').optional(),
};

export const leaveBalances = [
  list({
    ...balance.list,
    summary: 'List leave balances',
    description:
      'An item a member whose days you may read, under the ID of the member, by `employee_code`. `at_risk=five_day` leaves those who must take five days and have not yet.',
    item: LeaveBalanceOfMember,
    filters: z.object({
      ...asked,
      member_id: id('mem').optional(),
      department_id: id('dept').describe('A department with all below it.').optional(),
      at_risk: z.enum(['five_day']).optional(),
    }),
    sorts: ['employee_code'],
    handle: ({ filters, window }, reader) => balancePage(reader, filters, window),
  }),
  read({
    id: 'attendance.leave_balances.me',
    method: 'get',
    path: `${PATH}/me`,
    scope: 'attendance:read',
    summary: 'Read your own leave balance',
    description: 'Of the member that you are: 404 for who is none.',
    query: z.strictObject(asked),
    reply: z.strictObject({ leave_balance: LeaveBalance }),
    raises: ['not_found'],
    handle: async ({ query }, reader) => ({ leave_balance: await ownBalance(reader, query) }),
  }),
  write({
    ...balance.create,
    summary: 'Grant leave by hand',
    description:
      'Owners and admins do this. Annual leave of ten days or more brings the duty to have five of them taken.',
    body: LeaveGrantInput,
    reply: z.strictObject({ leave_grant: LeaveGrant, leave_balance: LeaveBalance }),
    raises: ['role_required', 'unknown_reference', 'already_exists'],
    async handle({ body }, work) {
      const leave_grant = await createLeaveGrant(work, body);
      const { member_id, type } = leave_grant;
      return { leave_grant, leave_balance: await balanceOf(work, member_id, { type }) };
    },
  }),
  write({
    id: 'attendance.leave_balances.grant_statutory',
    method: 'post',
    path: `${PATH}/grant-statutory`,
    scope: 'attendance:write',
    summary: 'Grant annual leave by law',
    description:
      'Makes the grants of article 39 that are missing, of one member or of all who have `hired_on`: after 6, 18, 30 months and so on, by the table of their terms, if 80 % of the workdays since the grant before were attended. A day has one grant, so the call may be repeated. The service does this every day at 00:30 local time, unless `leave.auto_grant` is off. A grant that was deleted is missing, too: change its days to 0 to keep it from coming back.',
    body: StatutoryGranting,
    reply: z.strictObject({ grants: z.array(GrantToCome) }),
    raises: ['role_required', 'unknown_reference'],
    handle: async ({ body }, work) => ({ grants: await grantStatutory(work, body) }),
  }),
  read({
    ...balance.get,
    description: 'As of today.',
    reply: LeaveGrantReply,
    handle: async ({ params }, reader) => ({ leave_grant: await leaveGrantById(reader, params.id) }),
  }),
  write({
    ...balance.update,
    description: 'Owners and admins do this. What was taken must still fit: else 409 `in_use`.',
    body: LeaveGrantPatch,
    reply: LeaveGrantReply,
    raises: ['role_required', 'already_exists', 'in_use'],
    handle: async ({ params, body }, work) => ({
      leave_grant: await updateLeaveGrant(work, params.id, body),
    }),
  }),
  write({
    ...balance.delete,
    description: 'Owners and admins do this. One that leave was taken of is 409 `in_use`.',
    raises: ['role_required', 'in_use'],
    handle: deleting(deleteLeaveGrant),
  }),
];
