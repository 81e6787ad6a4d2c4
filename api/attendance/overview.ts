import { z } from 'zod';
import { memberStatuses } from '../../shared/attendance/members/record.ts';
import { yearMonth } from '../../shared/attendance/months/month.ts';
import { dashboardOf } from '../../shared/attendance/overview/dashboard.ts';
import { memberOverviewPage } from '../../shared/attendance/overview/members.ts';
import { ownOverview } from '../../shared/attendance/overview/own.ts';
import {
  AttendanceDashboard,
  AttendanceOverview,
  MemberOverview,
} from '../../shared/attendance/overview/record.ts';
import { punchStates } from '../../shared/attendance/punches/record.ts';
import { id } from '../../shared/kernel/schema.ts';
import { read } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { manyOf } from '../http/look-ups.ts';

const department_id = id('dept').describe('A department with all below it.').optional();

export const overview = [
  read({
    id: 'attendance.overview.get',
    method: 'get',
    path: '/api/v1/attendance/overview',
    scope: 'attendance:read',
    summary: 'Read how you stand',
    description:
      'Of the member that you are, 404 for who is none: what you do now, the month with its limits, the leave that is left, requests that wait, and days that lack something.',
    query: z.strictObject({
      month: yearMonth().describe('The month whose period runs unless said.').optional(),
    }),
    reply: z.strictObject({ overview: AttendanceOverview }),
    raises: ['not_found'],
    handle: async ({ query }, reader) => ({ overview: await ownOverview(reader, query.month) }),
  }),
  read({
    id: 'attendance.dashboard.get',
    method: 'get',
    path: '/api/v1/attendance/dashboard',
    scope: 'attendance:read',
    summary: 'Read how your people stand, in numbers',
    description:
      'Of all members for owners and admins, of their team for managers. Each of `working`, `on_break`, `not_in` and `on_leave` counts other members; who has gone home is in none of them.',
    query: z.strictObject({ department_id }),
    reply: z.strictObject({ dashboard: AttendanceDashboard }),
    raises: ['role_required'],
    handle: async ({ query }, reader) => ({ dashboard: await dashboardOf(reader, query.department_id) }),
  }),
  list({
    id: 'attendance.members.overview',
    path: '/api/v1/attendance/members/overview',
    scope: 'attendance:read',
    summary: 'List how members stand',
    description:
      'An item a member whose days you may read, under the ID of the member, by `employee_code`: what they do now, the day that it counts for, and the totals of the period that runs.',
    item: MemberOverview,
    filters: z.object({
      search: z.string().max(200).optional(),
      department_id,
      status: manyOf(z.enum(memberStatuses))
        .describe('Several with commas; `active` unless said.')
        .meta({ examples: ['active,invited'] })
        .optional(),
      state: manyOf(z.enum(punchStates)).describe('Several with commas.').optional(),
    }),
    sorts: ['employee_code', 'name'],
    handle: ({ filters, window }, reader) => memberOverviewPage(reader, filters, window),
  }),
];
