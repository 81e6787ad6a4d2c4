import { z } from 'zod';
import { day, id } from '../../kernel/schema.ts';
import { summedMinutes } from '../days/totals.ts';
import { leaveTypes } from '../leave/kinds.ts';
import { AttendanceMember } from '../members/record.ts';
import { yearMonth } from './month.ts';

const minutes = (example = 0) =>
  z
    .int()
    .min(0)
    .meta({ examples: [example] });

const days = (example: number) =>
  z
    .number()
    .min(0)
    .meta({ examples: [example] });

const sums = Object.fromEntries(summedMinutes.map((name) => [name, minutes()])) as Record<
  (typeof summedMinutes)[number],
  ReturnType<typeof minutes>
>;

const FlexibleShown = z.strictObject({
  required_minutes: minutes(9600),
  worked_minutes: minutes(9720),
  balance_minutes: z
    .int()
    .describe('Worked less required; below 0 where hours are missing.')
    .meta({ examples: [120] }),
  limit_minutes: minutes(10_628).describe('The statutory minutes of the period.'),
});

/** The sums of a period, as the API shows them. */
export const AttendanceTotals = z
  .strictObject({
    ...sums,
    workdays: z.int().meta({ examples: [20] }),
    attended_days: z
      .int()
      .describe('Days with worked minutes.')
      .meta({ examples: [19] }),
    absence_days: z
      .int()
      .describe('Past workdays without presence or leave.')
      .meta({ examples: [0] }),
    leave_days: z
      .partialRecord(z.enum(leaveTypes), days(1))
      .describe('By type; hours are no days.')
      .meta({ examples: [{ paid_annual: 1.5 }] }),
    premium_25_minutes: minutes(1_200).describe('Statutory overtime to 60 hours.'),
    premium_50_minutes: minutes().describe('Statutory overtime beyond 60 hours.'),
    premium_35_minutes: minutes().describe('Legal holidays.'),
    rounded_overtime_minutes: minutes(1_200).describe('By `monthly_rounding`, as the two below.'),
    rounded_legal_holiday_minutes: minutes(),
    rounded_night_minutes: minutes(),
    flexible: FlexibleShown.nullable().describe('Null without flexible hours.'),
  })
  .meta({ id: 'AttendanceTotals' });

export type AttendanceTotals = z.output<typeof AttendanceTotals>;

export const limitLevels = ['ok', 'warning', 'violation'] as const;

const averages = ['2', '3', '4', '5', '6'] as const;

const LimitTest = z.strictObject({
  test: z
    .enum(['month', 'year', 'total', ...averages.map((count) => `average_${count}` as const)])
    .meta({ examples: ['year'] }),
  used_minutes: minutes(1_200),
  limit_minutes: minutes(21_600),
  left_minutes: z
    .int()
    .describe('Below 0 where it is exceeded.')
    .meta({ examples: [20_400] }),
});

/** How a month stands against article 36, as the API shows it. */
export const AttendanceLimits = z
  .strictObject({
    over_45h: z.boolean().describe('Over `month_limit_minutes` of the agreement.'),
    year_overtime_minutes: minutes(1_200).describe('Since the year of the agreement began.'),
    over_360h: z.boolean(),
    over_720h: z.boolean(),
    months_over_45h: z.int().meta({ examples: [0] }),
    months_over_45h_violation: z.boolean(),
    month_total_minutes: minutes(1_200).describe('With legal holidays.'),
    month_total_violation: z.boolean(),
    averages: z
      .partialRecord(z.enum(averages), minutes(1_100))
      .describe(
        'Of overtime and legal holidays over 2 to 6 months to this one, rounded up; those that there are.',
      )
      .meta({ examples: [{ '2': 1_100 }] }),
    average_violations: z.array(z.enum(averages)).meta({ examples: [[]] }),
    projected_month_end_minutes: minutes(1_500).describe('Overtime at the pace of the workdays so far.'),
    tests: z.array(LimitTest).describe('`month` is left out while the special clause has months left.'),
    minutes_left: minutes(1_500).describe('The least that a test leaves.'),
    level: z.enum(limitLevels).meta({ examples: ['ok'] }),
  })
  .meta({ id: 'AttendanceLimits' });

export type AttendanceLimits = z.output<typeof AttendanceLimits>;

/** Overtime of a month that the system before recorded. */
export const OpeningMonth = z
  .strictObject({
    month: yearMonth(),
    statutory_overtime_minutes: minutes(1_200).max(44_640),
    legal_holiday_minutes: minutes().max(44_640),
  })
  .meta({ id: 'AttendanceOpeningMonth' });

export type OpeningMonth = z.output<typeof OpeningMonth>;

export const submissionStatuses = ['none', 'submitted', 'returned', 'confirmed', 'reopened'] as const;

const status = z
  .enum(submissionStatuses)
  .describe('`none`: not submitted yet.')
  .meta({ examples: ['none'] });

const ofMember = {
  id: id('mem').describe('That of the member.'),
  month: yearMonth(),
  period_start: day(),
  period_end: day(),
  member: AttendanceMember,
};

/** A month of a member in a list. */
export const MonthlyReport = z
  .strictObject({
    ...ofMember,
    object: z.literal('attendance.monthly_report'),
    totals: AttendanceTotals,
    limits: AttendanceLimits.nullable().describe('Null for exempt people.'),
    submission_status: status,
  })
  .meta({ id: 'AttendanceMonthlyReport' });

export type MonthlyReport = z.output<typeof MonthlyReport>;

/** The limits of a member in a list. */
export const LimitsOfMember = z
  .strictObject({
    ...ofMember,
    object: z.literal('attendance.limits'),
    as_of: day(),
    limits: AttendanceLimits.nullable().describe('Null for exempt people.'),
  })
  .meta({ id: 'AttendanceLimitsOfMember' });

export type LimitsOfMember = z.output<typeof LimitsOfMember>;

export type SubmissionStatus = (typeof submissionStatuses)[number];
