import { z } from 'zod';
import { addFault, id, text } from '../../kernel/schema.ts';
import { attendanceDay, attendanceTime } from '../dates.ts';
import { punchTypes } from '../days/punch-states.ts';
import { leaveTypes, leaveUnits } from '../leave/kinds.ts';
import { AttendanceTotals } from '../months/record.ts';
import { AttendanceRecord, LeaveShown, ScheduleOfDay, SegmentShown } from '../records/record.ts';
import { ScheduleTimes } from '../schedules/record.ts';
import { clockTime, datedChange, dayTypes, plainChange } from '../settings/fields.ts';
import { TermsInput } from '../terms/record.ts';

/** So many days and punches one preview may have. */
export const MOST_DAYS = 62;
const MOST_PUNCHES = 1_000;

const Times = z.strictObject({ name: text(100).optional(), ...ScheduleTimes.shape });

const Leave = z
  .strictObject({
    type: z
      .enum(leaveTypes)
      .default('paid_annual')
      .meta({ examples: ['paid_annual'] }),
    unit: z.enum(leaveUnits).meta({ examples: ['half_am'] }),
    start_time: clockTime()
      .nullable()
      .default(null)
      .describe('With `hourly`.')
      .meta({ examples: [null] }),
    hours: z
      .int()
      .min(1)
      .max(24)
      .nullable()
      .default(null)
      .describe('With `hourly`.')
      .meta({ examples: [null] }),
  })
  .superRefine(({ unit, start_time, hours }, issues) => {
    for (const [field, value] of Object.entries({ start_time, hours })) {
      if (unit === 'hourly' && value === null) {
        addFault(issues, field, 'required', {
          en: 'is required with hourly',
          ja: 'は hourly のとき必須です',
        });
      }
      if (unit !== 'hourly' && value !== null) {
        addFault(issues, field, 'not_allowed', {
          en: 'is for hourly alone',
          ja: 'を指定できるのは hourly のときだけです',
        });
      }
    }
  });

const Day = z.strictObject({
  date: attendanceDay(),
  day_type: z.enum(dayTypes).describe('As rules and holidays have it unless said.').optional(),
  schedule: Times.nullable().default(null).describe('Times of this day alone.'),
  leave: Leave.nullable().default(null),
});

const PunchOfPreview = z.strictObject({
  type: z.enum(punchTypes).meta({ examples: ['clock_in'] }),
  occurred_at: attendanceTime(),
  work_date: attendanceDay().describe('Of a clock_in; unless said, the schedule says.').optional(),
});

const { work_system, schedule_id, deemed_minutes, flexible_limit } = TermsInput.shape;

/** What figures are asked for: rules that differ from the organization's, days and punches. */
export const PreviewInput = z
  .strictObject({
    settings: z
      .strictObject({ ...datedChange, max_session_hours: plainChange.max_session_hours })
      .partial()
      .describe("What differs from the organization's settings.")
      .default({}),
    schedule: Times.nullable()
      .default(null)
      .describe("In the place of the organization's default schedule.")
      .meta({ examples: [null] }),
    terms: z
      .strictObject({ work_system, schedule_id, deemed_minutes, flexible_limit })
      .partial()
      .default({})
      .describe('Fixed hours unless said.'),
    days: z
      .array(Day)
      .max(MOST_DAYS)
      .default([])
      .describe('What is known of single dates. Figures are made from the first date to the last one.'),
    week_prior_statutory_minutes: z
      .int()
      .min(0)
      .max(10_080)
      .default(0)
      .describe('What the earlier days of the first week add to its 40 hours: up to 480 each.')
      .meta({ examples: [0] }),
    punches: z.array(PunchOfPreview).max(MOST_PUNCHES).default([]),
  })
  .meta({ id: 'AttendancePreviewInput' });

export type PreviewInput = z.output<typeof PreviewInput>;

/** A day that is kept nowhere. */
export const PreviewRecord = AttendanceRecord.omit({
  id: true,
  object: true,
  member_id: true,
  locked: true,
  version: true,
  calc_version: true,
  created_at: true,
  updated_at: true,
})
  .extend({
    schedule: ScheduleOfDay.extend({
      id: id('wsch').nullable().describe("null: not one of the organization's."),
    }).nullable(),
    leave: z.array(LeaveShown.omit({ request_id: true })),
    segments: z.array(SegmentShown),
  })
  .meta({ id: 'AttendancePreviewRecord' });

export type PreviewRecord = z.output<typeof PreviewRecord>;

export const Preview = z.strictObject({ records: z.array(PreviewRecord), totals: AttendanceTotals });

export type Preview = z.output<typeof Preview>;
