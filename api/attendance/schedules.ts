import { z } from 'zod';
import {
  createSchedule,
  deleteSchedule,
  updateSchedule,
} from '../../shared/attendance/schedules/operations.ts';
import { scheduleById, schedulePage } from '../../shared/attendance/schedules/queries.ts';
import {
  Schedule,
  ScheduleInput,
  SchedulePatch,
  scheduleKind,
} from '../../shared/attendance/schedules/record.ts';
import { read, write } from '../http/endpoint.ts';
import { list } from '../http/list.ts';
import { FIELDS_SENT, resource } from '../http/resource.ts';
import { DeletedWithJob, LeftJob, SETTINGS } from './org.ts';

const schedule = resource({
  id: 'attendance.schedules',
  path: '/api/v1/attendance/schedules',
  domain: 'attendance',
  one: 'a schedule',
  prefix: 'wsch',
});

const Reply = z.strictObject({ schedule: Schedule });
const Changed = z.strictObject({ schedule: Schedule, job: LeftJob });

export const schedules = [
  list({
    ...schedule.list,
    summary: 'List schedules',
    description: 'The times of working days. One is the default: that of terms which name none.',
    item: Schedule,
    looked_up: scheduleKind,
    sorts: ['name'],
    handle: ({ filters, window }, reader) => schedulePage(reader, filters, window),
  }),
  read({
    ...schedule.get,
    description: 'An `end` that is not after `start` is on the next day.',
    reply: Reply,
    handle: async ({ params }, reader) => ({ schedule: await scheduleById(reader, params.id) }),
  }),
  write({
    ...schedule.create,
    ...SETTINGS,
    description:
      '`minutes` and `half_day` follow from the times unless said. A new default takes the place of the one before.',
    body: ScheduleInput,
    reply: Changed,
    raises: ['already_exists'],
    handle: ({ body }, work) => createSchedule(work, body),
  }),
  write({
    ...schedule.update,
    ...SETTINGS,
    description: `${FIELDS_SENT} The days of open periods are computed again by \`job\`. More than 480 minutes are refused while terms of another system than \`variable_monthly\` name the schedule.`,
    body: SchedulePatch,
    reply: Changed,
    raises: ['already_exists'],
    handle: ({ params, body }, work) => updateSchedule(work, params.id, body),
  }),
  write({
    ...schedule.delete,
    ...SETTINGS,
    description: 'The default, and one that terms or rosters name, is 409 `in_use`.',
    reply: DeletedWithJob,
    raises: ['in_use'],
    handle: async ({ params }, work) => ({
      success: true as const,
      ...(await deleteSchedule(work, params.id)),
    }),
  }),
];
