import fc from 'fast-check';
import type {
  DatedSettings,
  DatedTerms,
  FrozenDay,
  Holiday,
  LeaveOfDay,
  MemberDays,
  OrganizationRules,
  Schedule,
  WorkSystem,
} from '../../shared/attendance/days/types.ts';
import { dateOf, dayOf } from '../../shared/kernel/local-time.ts';
import { member, settings, terms } from './attended-days.ts';
import { sessionsOf, stay } from './attended-stays.ts';

/** A week of somebody's life with all that its figures follow from. */
export type AttendedWeek = {
  organization: OrganizationRules;
  member: MemberDays;
  from: string;
  to: string;
};

/** Weeks with a clock change are among them. */
const PLACES = [
  { time_zone: 'Asia/Tokyo', from: ['2026-02-03', '2026-06-28', '2026-09-30', '2026-12-27'] },
  { time_zone: 'America/New_York', from: ['2026-03-05', '2026-10-29', '2026-07-01'] },
  { time_zone: 'Europe/London', from: ['2026-03-26', '2026-10-22'] },
] as const;

const weekday = fc.constantFrom(
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
) as fc.Arbitrary<DatedSettings['week_starts_on']>;
const rounding = fc.constantFrom('none', 'floor', 'ceil') as fc.Arbitrary<
  DatedSettings['rounding']['clock_in']
>;
const dayType = fc.constantFrom('workday', 'workday', 'prescribed_holiday', 'legal_holiday') as fc.Arbitrary<
  Holiday['counts_as'] & string
>;

const settingsRow: fc.Arbitrary<Partial<DatedSettings>> = fc.record({
  week_starts_on: weekday,
  closing_day: fc.constantFrom('end' as const, 'end' as const, 1, 5, 20, 28),
  legal_holiday_weekday: weekday,
  prescribed_holiday_weekdays: fc.uniqueArray(weekday, { maxLength: 2 }),
  national_holidays_as: dayType,
  weekly_statutory_minutes: fc.constantFrom(2_400, 2_640),
  rounding: fc.record({
    unit_minutes: fc.constantFrom(1, 5, 10, 15, 30),
    clock_in: rounding,
    clock_out: rounding,
    break_start: rounding,
    break_end: rounding,
  }),
  break_mode: fc.constantFrom('punch', 'auto_schedule', 'auto_statutory') as fc.Arbitrary<
    DatedSettings['break_mode']
  >,
  scheduled_basis: fc.constantFrom('amount', 'window') as fc.Arbitrary<DatedSettings['scheduled_basis']>,
  early_clock_in: fc.constantFrom('count', 'ignore_unless_approved') as fc.Arbitrary<
    DatedSettings['early_clock_in']
  >,
});

const clock = (minutes: number) => {
  const of_day = ((minutes % 1_440) + 1_440) % 1_440;
  return `${String(Math.floor(of_day / 60)).padStart(2, '0')}:${String(of_day % 60).padStart(2, '0')}`;
};

/** A schedule with one or two breaks; its window may cross midnight. */
const times: fc.Arbitrary<Omit<Schedule, 'id' | 'is_default'>> = fc
  .record({
    start: fc.oneof(fc.constantFrom(540, 600, 1_320), fc.nat(1_439)),
    length: fc.integer({ min: 240, max: 840 }),
    breaks: fc.array(fc.integer({ min: 10, max: 60 }), { maxLength: 2 }),
    less: fc.constantFrom(0, 0, 60),
    hasCore: fc.boolean(),
  })
  .map(({ start, length, breaks, less, hasCore }) => {
    const first = start + Math.floor(length / 3);
    const spans = breaks.map((minutes, index) => {
      const begin = first + index * 75;
      return { start: begin, end: begin + minutes };
    });
    const pause = spans[0] ?? { start: start + Math.floor(length / 2), end: start + Math.floor(length / 2) };
    const sum = breaks.reduce((all, minutes) => all + minutes, 0);
    return {
      start: clock(start),
      end: clock(start + length),
      breaks: spans.map((one) => ({ start: clock(one.start), end: clock(one.end) })),
      minutes: length - sum - less,
      half_day: { am_end: clock(pause.start), pm_start: clock(pause.end) },
      core: hasCore ? { start: clock(start + 60), end: clock(start + length - 60) } : null,
    };
  });

const leaveOfDay = fc.record({
  offset: fc.integer({ min: -8, max: 8 }),
  unit: fc.constantFrom('full', 'half_am', 'half_pm', 'hourly', 'hourly') as fc.Arbitrary<LeaveOfDay['unit']>,
  start: fc.nat(1_439),
  hours: fc.integer({ min: 1, max: 4 }),
});

const approved = fc.record({
  offset: fc.integer({ min: -2_880, max: 10_080 }),
  minutes: fc.integer({ min: 30, max: 600 }),
  kind: fc.constantFrom('before', 'after', 'holiday') as fc.Arbitrary<'before' | 'after' | 'holiday'>,
});

/** Weeks under a work system; in some another one begins amid them, or other settings do, or days before are confirmed. */
export function attendedWeek(system: WorkSystem): fc.Arbitrary<AttendedWeek> {
  return fc
    .record({
      place: fc
        .constantFrom(...PLACES)
        .chain(({ time_zone, from }) =>
          fc.record({ time_zone: fc.constant<string>(time_zone), from: fc.constantFrom<string>(...from) }),
        ),
      rows: fc.array(settingsRow, { minLength: 1, maxLength: 2 }),
      change: fc.integer({ min: -10, max: 6 }),
      schedules: fc.tuple(times, times),
      isShared: fc.boolean(),
      roster: fc.array(
        fc.record({ offset: fc.integer({ min: -8, max: 9 }), day_type: dayType, isOther: fc.boolean() }),
        {
          maxLength: system === 'shift' ? 14 : 3,
        },
      ),
      holidays: fc.uniqueArray(
        fc.record({
          offset: fc.integer({ min: -8, max: 8 }),
          kind: fc.constantFrom('national', 'company') as fc.Arbitrary<Holiday['kind']>,
          counts_as: fc.option(dayType),
        }),
        { maxLength: 3, selector: ({ offset, kind }) => `${offset} ${kind}` },
      ),
      leave: fc.array(leaveOfDay, { maxLength: 3 }),
      overtime: fc.array(approved, { maxLength: 3 }),
      stays: fc.array(stay, { minLength: 12, maxLength: 40 }),
      other: fc.option(
        fc.record({
          offset: fc.integer({ min: -3, max: 6 }),
          work_system: fc.constantFrom<WorkSystem>(
            'fixed',
            'shift',
            'flexible',
            'discretionary',
            'variable_monthly',
            'exempt',
          ),
        }),
        { freq: 4 },
      ),
      deemed: fc.option(fc.integer({ min: 300, max: 600 })),
      flexible_limit: fc.constantFrom('calendar', 'workdays') as fc.Arbitrary<DatedTerms['flexible_limit']>,
      frozen: fc.option(
        fc.array(fc.record({ day_type: dayType, week_minutes: fc.nat(480) }), { minLength: 8, maxLength: 8 }),
        {
          freq: 2,
        },
      ),
      employed: fc.constantFrom<[number | null, number | null]>(
        [null, null],
        [null, null],
        [2, null],
        [null, 4],
      ),
    })
    .map((drawn) => {
      const first = dayOf(drawn.place.from);
      const at = (offset: number) => dateOf(first + offset);
      const rows = drawn.rows.map((row, index) =>
        settings({
          ...row,
          effective_from: index === 0 ? '2020-01-01' : at(drawn.change),
          time_zone: drawn.place.time_zone,
        }),
      );
      const schedules = drawn.schedules.map((one, index) => ({
        ...one,
        id: `wsch_${index}`,
        is_default: index === 0,
      }));
      const isSettled = [system, drawn.other?.work_system].some(
        (name) => name === 'flexible' || name === 'variable_monthly',
      );
      const base = terms({
        work_system: system,
        deemed_minutes: drawn.deemed,
        flexible_limit: drawn.flexible_limit,
        schedule_id: drawn.isShared ? null : 'wsch_1',
      });
      const other = drawn.other && {
        ...base,
        effective_from: at(drawn.other.offset),
        work_system: drawn.other.work_system,
      };
      const frozenDays = drawn.frozen && !isSettled ? drawn.frozen : [];
      return {
        organization: {
          settings: rows,
          schedules,
          holidays: drawn.holidays.map(({ offset, kind, counts_as }) => ({
            date: at(offset),
            kind,
            counts_as,
          })),
        },
        member: member({
          hired_on: drawn.employed[0] === null ? null : at(drawn.employed[0]),
          left_on: drawn.employed[1] === null ? null : at(drawn.employed[1]),
          terms: other ? [base, other] : [base],
          roster: [...new Map(drawn.roster.map((one) => [one.offset, one])).values()].map((one) => ({
            date: at(one.offset),
            day_type: one.day_type,
            schedule_id: one.isOther ? 'wsch_1' : null,
          })),
          leave: drawn.leave.map(({ offset, unit, start, hours }, index) => ({
            date: at(offset),
            request_id: `lreq_${index}`,
            type: 'paid_annual',
            unit,
            start_time: unit === 'hourly' ? clock(start) : null,
            hours: unit === 'hourly' ? hours : null,
          })),
          overtime: drawn.overtime.map(({ offset, minutes, kind }) => {
            const start = (first * 1_440 + offset) * 60_000;
            return {
              kind,
              planned_start_at: new Date(start).toISOString(),
              planned_end_at: new Date(start + minutes * 60_000).toISOString(),
            };
          }),
          sessions: sessionsOf(drawn.stays, drawn.place.time_zone, isSettled ? first - 33 : first - 9).filter(
            ({ work_date }) => work_date <= at(9),
          ),
          frozen: frozenDays.map(
            (one, index): FrozenDay => ({
              work_date: at(index - 6),
              day_type: one.day_type,
              schedule: schedules[index % 2]!,
              settings: rows[0]!,
              leave: [],
              week_minutes: one.day_type === 'legal_holiday' ? 0 : one.week_minutes,
              left_over: null,
            }),
          ),
        }),
        from: at(0),
        to: at(6),
      };
    });
}
