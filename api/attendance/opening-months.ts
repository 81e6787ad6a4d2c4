import { putOpeningMonths } from '../../shared/attendance/months/opening/operations.ts';
import { openingMonths as openingMonthsOf } from '../../shared/attendance/months/opening/queries.ts';
import { OpeningMonths } from '../../shared/attendance/months/opening/record.ts';
import { byId } from '../../shared/kernel/schema.ts';
import { read, write } from '../http/endpoint.ts';

const PATH = '/api/v1/attendance/members/:id/opening-months';

export const openingMonths = [
  read({
    id: 'attendance.opening_months.get',
    method: 'get',
    path: PATH,
    scope: 'attendance:read',
    summary: 'Read the opening months of a member',
    description:
      'What the system before recorded: they count in the limits of article 36 as recorded months do, in the year as in the averages.',
    params: byId('mem'),
    reply: OpeningMonths,
    handle: async ({ params }, reader) => ({ items: await openingMonthsOf(reader, params.id) }),
  }),
  write({
    id: 'attendance.opening_months.replace',
    method: 'put',
    path: PATH,
    scope: 'attendance:write',
    summary: 'Replace the opening months of a member',
    description:
      'All of them: a month that is left out is taken back. Owners and admins do this. A month with records is 409 `already_recorded`. One that gets records later, by whatever call, counts by these alone as soon as somebody was there on one of its days: no minute counts twice.',
    params: byId('mem'),
    body: OpeningMonths,
    reply: OpeningMonths,
    raises: ['role_required', 'month_locked', 'already_recorded'],
    handle: async ({ params, body }, work) => ({
      items: await putOpeningMonths(work, params.id, body.items),
    }),
  }),
];
