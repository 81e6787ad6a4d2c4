import { z } from 'zod';
import { attendanceDay } from '../../shared/attendance/dates.ts';
import { writeRoster } from '../../shared/attendance/roster/operations.ts';
import { rosterPage } from '../../shared/attendance/roster/queries.ts';
import { RosterDay, RosterItem } from '../../shared/attendance/roster/record.ts';
import { write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { LeftJob, whose } from './org.ts';
import { requireSpan } from './span.ts';

const PATH = '/api/v1/attendance/roster';

export const roster = [
  list({
    id: 'attendance.roster.list',
    path: PATH,
    scope: 'attendance:read',
    summary: 'List the roster',
    description:
      'What dates are for members, whatever the calendar says: those whose days you may read. `from` and `to` are at most 366 days apart.',
    item: RosterDay,
    filters: z.object({
      from: attendanceDay().optional(),
      to: attendanceDay().optional(),
      ...whose,
    }),
    sorts: ['date'],
    handle: ({ filters, window }, reader) => {
      requireSpan(filters);
      return rosterPage(reader, filters, window);
    },
  }),
  write({
    id: 'attendance.roster.write',
    method: 'put',
    path: PATH,
    scope: 'attendance:write',
    summary: 'Write days of the roster',
    description:
      'All or none. Days that are there are changed, others made; `day_type` null takes a day out. Managers do this for their team, owners and admins for everybody. The answer has the days that are there afterwards.',
    body: z.strictObject({ items: z.array(RosterItem).min(1).max(1_000) }),
    reply: z.strictObject({ items: z.array(RosterDay), job: LeftJob }),
    raises: ['role_required', 'unknown_reference', 'month_locked'],
    handle: ({ body }, work) => writeRoster(work, body.items),
  }),
];
