import { z } from 'zod';
import { uniqueKey } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { ownKeys, ownKeysInput } from '../../kernel/own-keys.ts';
import { recordKind } from '../../kernel/record-kind.ts';
import { id, text, timestamp } from '../../kernel/schema.ts';
import { clockTime } from '../settings/fields.ts';

const Span = z.strictObject({ start: clockTime(), end: clockTime() });

const HalfDay = z.strictObject({ am_end: clockTime(), pm_start: clockTime() });

const times = {
  start: clockTime(),
  end: clockTime()
    .describe('Not after `start`: on the next day.')
    .meta({ examples: ['18:00'] }),
  breaks: z
    .array(Span)
    .max(20)
    .meta({ examples: [[{ start: '12:00', end: '13:00' }]] }),
  minutes: z
    .int()
    .min(1)
    .max(1_440)
    .describe(
      'What the day is for: the time from `start` to `end` less the breaks, unless said. Over 480 only for variable hours of a month.',
    )
    .meta({ examples: [480] }),
  half_day: HalfDay.describe(
    'Where halves of a day end and begin: at the first break unless said, else in the middle.',
  ),
  core: Span.nullable()
    .describe('When everybody is there, for flexible hours.')
    .meta({ examples: [null] }),
};

const fields = {
  name: text(100).meta({ examples: ['標準'] }),
  ...times,
  is_default: z.boolean().describe('One schedule is: that of terms which name none.'),
};

/** The times of a working day, as the API shows them. */
export const Schedule = z
  .strictObject({
    id: id('wsch'),
    object: z.literal('attendance.schedule'),
    ...fields,
    ...ownKeys,
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'AttendanceSchedule' });

export type Schedule = z.output<typeof Schedule>;

/** The times alone, as they are sent. */
export const ScheduleTimes = z.strictObject({
  start: times.start,
  end: times.end,
  breaks: times.breaks.default([]),
  minutes: times.minutes.nullable().optional(),
  half_day: times.half_day.nullable().optional(),
  core: times.core.optional(),
});

export const ScheduleInput = z
  .strictObject({
    name: fields.name,
    ...ScheduleTimes.shape,
    is_default: fields.is_default.default(false),
    external_id: ownKeysInput.external_id.optional(),
    metadata: ownKeysInput.metadata.optional(),
  })
  .meta({ id: 'AttendanceScheduleInput' });

export type ScheduleInput = z.output<typeof ScheduleInput>;

export const SchedulePatch = z
  .strictObject({
    ...fields,
    minutes: times.minutes.nullable().describe('null: as much as the times allow.'),
    half_day: times.half_day.nullable().describe('null: as it follows from the times.'),
    ...ownKeysInput,
  })
  .partial()
  .meta({ id: 'AttendanceSchedulePatch' });

export type SchedulePatch = z.output<typeof SchedulePatch>;

export class ScheduleModel extends TenantModel {
  static override tableName = 'attendance_schedules';
  static override jsonAttributes = ['metadata', 'breaks', 'half_day', 'core'];
}

/** What schedules are looked up by. */
export const scheduleKind = recordKind({ table: ScheduleModel.tableName, prefix: 'wsch' });

export const scheduleFacts = factsOf({ domain: 'attendance', entity_type: 'schedule' });

uniqueKey('attendance_schedules_external_id_once', {
  table: ScheduleModel.tableName,
  read_by: 'attendance:read',
  columns: ['external_id'],
  path: '/external_id',
  message: {
    en: 'Another schedule has this external_id',
    ja: 'この external_id はほかの勤務時間が使っています',
  },
});
