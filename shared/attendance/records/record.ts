import { z } from 'zod';
import { refusesBy } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { factsOf } from '../../kernel/fact.ts';
import { Failure } from '../../kernel/failure.ts';
import { revisedByVersion } from '../../kernel/revision.ts';
import { computed, computedIn, day, freeText, id, timestamp } from '../../kernel/schema.ts';
import { attendanceTime } from '../dates.ts';
import { alertCodes } from '../days/alerts.ts';
import { summedMinutes } from '../days/totals.ts';
import { leaveTypes, leaveUnits } from '../leave/kinds.ts';
import { Punch } from '../punches/record.ts';
import { ScheduleTimes } from '../schedules/record.ts';
import { clockTime, dayTypes } from '../settings/fields.ts';

const minutes = () =>
  z
    .int()
    .min(0)
    .meta({ examples: [0] });

const minuteFields = Object.fromEntries(summedMinutes.map((name) => [name, minutes()])) as Record<
  (typeof summedMinutes)[number],
  ReturnType<typeof minutes>
>;

export const SessionShown = z.strictObject({
  clock_in_at: timestamp(),
  clock_out_at: timestamp().nullable().describe('null: it runs, or its end is missing.'),
  breaks: z.array(z.strictObject({ start_at: timestamp(), end_at: timestamp().nullable() })),
});

export type SessionShown = z.output<typeof SessionShown>;

/** The schedule of a day, as the API shows it. */
export const ScheduleOfDay = z.strictObject({
  id: id('wsch').describe('That of the schedule as it was when the day was computed.'),
  start: clockTime(),
  end: clockTime(),
  breaks: ScheduleTimes.shape.breaks.unwrap(),
  minutes: z.int().meta({ examples: [480] }),
});

/** Leave of a day, as the API shows it. */
export const LeaveShown = z.strictObject({
  request_id: id('lreq'),
  type: z.enum(leaveTypes).meta({ examples: ['paid_annual'] }),
  unit: z.enum(leaveUnits).meta({ examples: ['full'] }),
  start_time: clockTime()
    .nullable()
    .meta({ examples: [null] }),
  hours: z
    .int()
    .nullable()
    .meta({ examples: [null] }),
});

const RevisionShown = z.strictObject({
  version: z
    .int()
    .describe('The version of the record that it made.')
    .meta({ examples: [3] }),
  source: z.enum(['put', 'correction', 'import', 'revert']).meta({ examples: ['put'] }),
  reason: z
    .string()
    .nullable()
    .meta({ examples: ['打刻忘れ'] }),
  correction_id: id('corr').nullable(),
  sessions: z.array(SessionShown).describe('What it made of the day.'),
  sessions_before: z.array(SessionShown),
  actor: z.strictObject({
    type: z.enum(['user', 'api_key', 'guest', 'system']).meta({ examples: ['user'] }),
    id: z.string().meta({ examples: ['usr_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
  }),
  created_at: timestamp(),
});

export type RevisionShown = z.output<typeof RevisionShown>;

/** A piece of a day, as the API shows it. */
export const SegmentShown = z.strictObject({
  start_at: timestamp(),
  end_at: timestamp(),
  class: z
    .enum([
      'scheduled',
      'non_statutory_overtime',
      'prescribed_holiday',
      'statutory_overtime',
      'legal_holiday',
      'break',
      'gap',
      'ignored',
    ])
    .meta({ examples: ['scheduled'] }),
  night: z.boolean().describe('Between 22:00 and 05:00 local.'),
});

/** A member's work date with its figures, as the API shows it. */
export const AttendanceRecord = z
  .strictObject({
    id: id('arec').nullable().describe('null while nothing was recorded for the day.'),
    object: z.literal('attendance.record'),
    member_id: id('mem'),
    work_date: day(),
    day_type: z.enum(dayTypes).meta({ examples: ['workday'] }),
    schedule: ScheduleOfDay.nullable(),
    sessions: z.array(SessionShown).describe('Effective times, not rounded, in their order.'),
    ...minuteFields,
    leave: z.array(LeaveShown),
    alerts: z
      .array(z.enum(alertCodes))
      .describe('As of now.')
      .meta({ examples: [[]] }),
    locked: z.boolean().describe('Its period is submitted or confirmed.'),
    version: z
      .int()
      .describe('Counts the changes of `sessions`; the revision part of the ETag.')
      .meta({ examples: [1] }),
    calc_version: z
      .int()
      .describe('Counts the changes of figures.')
      .meta({ examples: [1] }),
    created_at: timestamp().nullable(),
    updated_at: timestamp().nullable(),
  })
  .meta({ id: 'AttendanceRecord' });

export type AttendanceRecord = z.output<typeof AttendanceRecord>;

/** A record with all that its figures come from. */
export const AttendanceRecordInFull = AttendanceRecord.extend({
  punches: computed(z.array(Punch)).describe('As they were punched, also those that a revision replaced.'),
  revisions: computed(z.array(RevisionShown)),
  segments: computed(z.array(SegmentShown)).describe(
    'The day piece by piece; its minutes add up to the record (of discretionary work to `presence_minutes`).',
  ),
}).meta({ id: 'AttendanceRecordInFull' });

export type AttendanceRecordInFull = z.output<typeof AttendanceRecordInFull>;

const BreakInput = z.strictObject({
  start_at: attendanceTime(),
  end_at: attendanceTime().nullable(),
});

export const SessionInput = z
  .strictObject({
    clock_in_at: attendanceTime(),
    clock_out_at: attendanceTime()
      .nullable()
      .describe('null: it runs; only the newest session of the member may.'),
    breaks: z.array(BreakInput).max(50).default([]),
  })
  .meta({ id: 'AttendanceSessionInput' });

export type SessionInput = z.output<typeof SessionInput>;

/** The most sessions of one work date. */
export const MOST_SESSIONS = 50;

/** What a day becomes: all of its sessions. */
export const RecordInput = z
  .strictObject({
    sessions: z.array(SessionInput).max(MOST_SESSIONS),
    reason: freeText(500)
      .nullable()
      .default(null)
      .meta({ examples: ['打刻忘れ'] }),
  })
  .meta({ id: 'AttendanceRecordInput' });

export type RecordInput = z.output<typeof RecordInput>;

export class RecordModel extends TenantModel {
  static override tableName = 'attendance_records';
  static override jsonAttributes = ['schedule', 'leave'];
}

export class SessionModel extends TenantModel {
  static override tableName = 'attendance_sessions';
  static override jsonAttributes = ['breaks'];
}

export class DayRevisionModel extends TenantModel {
  static override tableName = 'attendance_day_revisions';
  static override jsonAttributes = ['sessions_before', 'sessions', 'actor'];
}

/** What is told of a day: its sessions. Figures follow from them, and are told by no entry of their own. */
export const recordFacts = factsOf({
  domain: 'attendance',
  entity_type: 'record',
  computed: computedIn(AttendanceRecordInFull),
});

/** As the audit log tells a day. */
export type DayTold = {
  id: string;
  object: 'attendance.record';
  member_id: string;
  work_date: string;
  sessions: SessionShown[];
  version: number;
};

revisedByVersion('attendance.record');

/** The last judge of sessions that two requests write at a time. */
refusesBy('attendance_sessions_do_not_overlap', () => overlappingSession(null));

/** The record of a day is another one than a correction of it was made from. */
export function staleDay(version: number): Failure {
  return new Failure('stale_day', { members: { version } });
}

/** A session of another work date has a part of the time. */
export function overlappingSession(work_date: string | null): Failure {
  return new Failure('overlapping_session', {
    ...(work_date !== null && {
      detail: {
        en: `A session of ${work_date} has a part of this time`,
        ja: `${work_date} の勤務と時間が重なっています`,
      },
    }),
    members: { work_date },
  });
}
