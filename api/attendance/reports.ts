import { z } from 'zod';
import { attendanceDay } from '../../shared/attendance/dates.ts';
import { yearMonth } from '../../shared/attendance/months/month.ts';
import { limitsPage, monthlyPage } from '../../shared/attendance/months/pages.ts';
import { LimitsOfMember, limitLevels, MonthlyReport } from '../../shared/attendance/months/record.ts';
import { MonthInFull, monthInFull } from '../../shared/attendance/months/report.ts';
import { booleanParameter, id } from '../../shared/kernel/schema.ts';
import { read } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { manyOf } from '../http/look-ups.ts';
import { whose } from './org.ts';

const month = yearMonth().describe('The month whose period runs unless said.').optional();

export const reports = [
  read({
    id: 'attendance.reports.my_monthly',
    method: 'get',
    path: '/api/v1/attendance/reports/my-monthly',
    scope: 'attendance:read',
    summary: 'Read a month of a member with every day',
    description:
      'Yours unless `member_id` says whose. `explain=true` adds the `segments` of each day, which add up to its minutes. A confirmed month is as it was confirmed.',
    query: z.strictObject({
      month,
      member_id: id('mem').optional(),
      explain: booleanParameter().optional(),
    }),
    reply: z.strictObject({ report: MonthInFull }),
    raises: ['not_found'],
    handle: async ({ query }, reader) => ({ report: await monthInFull(reader, query) }),
  }),
  list({
    id: 'attendance.reports.monthly',
    path: '/api/v1/attendance/reports/monthly',
    scope: 'attendance:read',
    summary: 'List the months of members',
    description:
      'An item a member whose days you may read and who is employed in the period, under the ID of the member, by `employee_code`. Days to come count as workdays; limits are as of today.',
    item: MonthlyReport,
    filters: z.object({ month, ...whose }),
    sorts: ['employee_code', 'name'],
    handle: ({ filters, window }, reader) => monthlyPage(reader, filters, window),
  }),
  list({
    id: 'attendance.limits.list',
    path: '/api/v1/attendance/limits',
    scope: 'attendance:read',
    summary: 'List how members stand against article 36',
    description:
      'An item a member whose days you may read and who is employed in the period, under the ID of the member, by `employee_code`. Minutes count to `as_of`, with opening months; the forecast goes on at the pace of the workdays by then.',
    item: LimitsOfMember,
    filters: z.object({
      month,
      ...whose,
      as_of: attendanceDay().describe('Today unless said.').optional(),
      level: manyOf(z.enum(limitLevels)).describe('Several with commas.').optional(),
    }),
    sorts: ['employee_code', 'name'],
    handle: ({ filters, window }, reader) => limitsPage(reader, filters, window),
  }),
];
