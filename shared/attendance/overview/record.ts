import { z } from 'zod';
import { day, id, timestamp } from '../../kernel/schema.ts';
import { LeaveBalance } from '../leave/balances/record.ts';
import { AttendanceMember } from '../members/record.ts';
import { yearMonth } from '../months/month.ts';
import { AttendanceLimits, AttendanceTotals, limitLevels, submissionStatuses } from '../months/record.ts';
import { PunchStatus } from '../punches/status.ts';
import { AttendanceRecord } from '../records/record.ts';

/** What makes a day one that its member should put right. */
export const correctableAlerts = ['missing_clock_out', 'open_break', 'no_record'] as const;

const OpenRequest = z.strictObject({
  id: z.string().meta({ examples: ['lreq_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
  kind: z.enum(['leave_request', 'correction', 'overtime_request']).meta({ examples: ['leave_request'] }),
  start_date: day(),
  end_date: day(),
  created_at: timestamp(),
});

const DayToCorrect = z.strictObject({
  work_date: day(),
  alerts: z.array(z.enum(correctableAlerts)).meta({ examples: [['missing_clock_out']] }),
});

/** How somebody stands, as the API shows it. */
export const AttendanceOverview = z
  .strictObject({
    member_id: id('mem'),
    month: yearMonth(),
    status: PunchStatus,
    record: AttendanceRecord.describe('That of the session which runs, else of today.'),
    totals: AttendanceTotals,
    limits: AttendanceLimits.nullable().describe('Null for exempt people.'),
    leave_balance: LeaveBalance.describe('Annual leave as of today.'),
    open_requests: z.array(OpenRequest).describe('Those that wait for a decision, the oldest first.'),
    days_to_correct: z.array(DayToCorrect).describe('Of the month, to today.'),
  })
  .meta({ id: 'AttendanceOverview' });

export type AttendanceOverview = z.output<typeof AttendanceOverview>;

/** How a member stands, in a list. */
export const MemberOverview = z
  .strictObject({
    id: id('mem').describe('That of the member.'),
    object: z.literal('attendance.member_overview'),
    member: AttendanceMember,
    status: PunchStatus,
    record: AttendanceRecord.describe('That of the session which runs, else of today.'),
    totals: AttendanceTotals.describe('Of the period that runs.'),
  })
  .meta({ id: 'AttendanceMemberOverview' });

export type MemberOverview = z.output<typeof MemberOverview>;

const count = (example = 0) =>
  z
    .int()
    .min(0)
    .meta({ examples: [example] });

const counts = <Name extends string>(names: readonly Name[]) =>
  z.strictObject(
    Object.fromEntries(names.map((name) => [name, count(1)])) as Record<Name, ReturnType<typeof count>>,
  );

/** How the members whom one sees stand, in numbers. */
export const AttendanceDashboard = z
  .strictObject({
    as_of: timestamp(),
    today: day(),
    month: yearMonth().describe('The one whose period runs.'),
    members: count(42).describe('Active members who are employed today; the counts are of these.'),
    working: count(30),
    on_break: count(2),
    not_in: count(4).describe('A workday of theirs, no leave, and nobody has been there yet.'),
    on_leave: count(3).describe('Leave on a workday of theirs, and they have not been there.'),
    missing_punches: count(1).describe('Days whose session has no end and does not run.'),
    pending: counts(['leave_request', 'correction', 'overtime_request']).describe(
      'Requests that wait for a decision.',
    ),
    limits: counts(limitLevels).describe('Members by level, as of today; without exempt people.'),
    five_day_at_risk: count().describe('Members who must take five days of leave and have not yet.'),
    submissions: counts(submissionStatuses)
      .extend({ month: yearMonth().describe('The last one whose period is over.') })
      .describe('Months of members by status.'),
  })
  .meta({ id: 'AttendanceDashboard' });

export type AttendanceDashboard = z.output<typeof AttendanceDashboard>;
