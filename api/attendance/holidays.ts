import { z } from 'zod';
import { createHoliday, deleteHoliday, updateHoliday } from '../../shared/attendance/holidays/operations.ts';
import { holidayPage } from '../../shared/attendance/holidays/queries.ts';
import {
  Holiday,
  HolidayInput,
  HolidayPatch,
  holidayKind,
  holidayKinds,
} from '../../shared/attendance/holidays/record.ts';
import { integerParameter } from '../../shared/kernel/schema.ts';
import { write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { FIELDS_SENT, resource } from '../http/resource.ts';
import { DeletedWithJob, LeftJob, SETTINGS } from './org.ts';

const holiday = resource({
  id: 'attendance.holidays',
  path: '/api/v1/attendance/settings/holidays',
  domain: 'attendance',
  one: 'a holiday',
  prefix: 'hol',
});

const Changed = z.strictObject({ holiday: Holiday, job: LeftJob });

export const holidays = [
  list({
    ...holiday.list,
    summary: 'List holidays',
    description:
      'National ones from 2015 to the last year whose days are gazetted, and those of the company, which overrule them.',
    item: Holiday,
    looked_up: holidayKind,
    filters: z.object({
      year: integerParameter(1, 9_999)
        .meta({ examples: [2026] })
        .optional(),
      kind: z.enum(holidayKinds).optional(),
    }),
    sorts: ['date'],
    handle: ({ filters, window }, reader) => holidayPage(reader, filters, window),
  }),
  write({
    ...holiday.create,
    ...SETTINGS,
    description:
      'One of the company, one a date. It overrules a national one of the same date, also as a workday. The days of open periods are computed again by `job`.',
    body: HolidayInput,
    reply: Changed,
    raises: ['already_exists'],
    handle: ({ body }, work) => createHoliday(work, body),
  }),
  write({
    ...holiday.update,
    ...SETTINGS,
    description: `${FIELDS_SENT} National ones stay as they are: 409 \`national_holiday\`.`,
    body: HolidayPatch,
    reply: Changed,
    raises: ['national_holiday', 'already_exists'],
    handle: ({ params, body }, work) => updateHoliday(work, params.id, body),
  }),
  write({
    ...holiday.delete,
    ...SETTINGS,
    description: 'One of the company. National ones stay: 409 `national_holiday`.',
    reply: DeletedWithJob,
    raises: ['national_holiday'],
    handle: async ({ params }, work) => ({
      success: true as const,
      ...(await deleteHoliday(work, params.id)),
    }),
  }),
];
