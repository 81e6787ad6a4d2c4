import { recordsOf } from '../../shared/attendance/days/records.ts';
import { rulesOf } from '../../shared/attendance/days/rules.ts';
import type {
  DatedSettings,
  DatedTerms,
  DayRecord,
  LeaveOfDay,
  LeaveUnit,
  MemberDays,
  OrganizationRules,
  Schedule,
  Session,
} from '../../shared/attendance/days/types.ts';

/** The settings of a new organization, with some changed. */
export function settings(changes: Partial<DatedSettings> = {}): DatedSettings {
  return {
    effective_from: '2000-01-01',
    time_zone: 'Asia/Tokyo',
    day_boundary_time: '05:00',
    week_starts_on: 'sunday',
    closing_day: 'end',
    legal_holiday_weekday: 'sunday',
    prescribed_holiday_weekdays: ['saturday'],
    national_holidays_as: 'prescribed_holiday',
    weekly_statutory_minutes: 2_400,
    rounding: {
      unit_minutes: 1,
      clock_in: 'none',
      clock_out: 'none',
      break_start: 'none',
      break_end: 'none',
    },
    monthly_rounding: 'none',
    break_mode: 'punch',
    scheduled_basis: 'amount',
    early_clock_in: 'count',
    agreements: [],
    ...changes,
  };
}

/** 10:00 to 19:00, a break from 13:00 to 14:00, 480 minutes; the default one. */
export function schedule(changes: Partial<Schedule> = {}): Schedule {
  return {
    id: 'wsch_default',
    start: '10:00',
    end: '19:00',
    breaks: [{ start: '13:00', end: '14:00' }],
    minutes: 480,
    half_day: { am_end: '13:00', pm_start: '14:00' },
    core: null,
    is_default: true,
    ...changes,
  };
}

/** Terms that hold from always. */
export function terms(changes: Partial<DatedTerms> = {}): DatedTerms {
  return {
    effective_from: '2000-01-01',
    work_system: 'fixed',
    schedule_id: null,
    deemed_minutes: null,
    flexible_limit: 'calendar',
    ...changes,
  };
}

/** What a member brings: nothing, but for what is given. */
export function member(given: Partial<MemberDays> = {}): MemberDays {
  return {
    hired_on: null,
    left_on: null,
    terms: [],
    roster: [],
    leave: [],
    overtime: [],
    sessions: [],
    frozen: [],
    ...given,
  };
}

/** An organization with one row of settings and one schedule, unless others are given. */
export function organization(given: Partial<OrganizationRules> = {}): OrganizationRules {
  return { settings: [settings()], schedules: [schedule()], holidays: [], ...given };
}

/** An instant of a local time in Tokyo; hours from 24 on are those of the next day. */
export function tokyo(date: string, time: string): string {
  const [hours, minutes] = time.split(':') as [string, string];
  const midnight = Date.parse(`${date}T00:00:00+09:00`);
  return new Date(midnight + (Number(hours) * 60 + Number(minutes)) * 60_000).toISOString();
}

/** `10:00-19:00 (13:00-14:00, 15:00-15:15)` of a date in Tokyo as a session; without end: `10:00-`. */
export function session(work_date: string, text: string): Session {
  const at = (time: string) => tokyo(work_date, time);
  const [, start, end, breaks] = /^([\d:]+)-([\d:]*)(?: \((.*)\))?$/.exec(text)!;
  return {
    work_date,
    clock_in_at: at(start!),
    clock_out_at: end ? at(end) : null,
    breaks: (breaks?.split(', ') ?? []).map((one) => {
      const [from, to] = one.split('-') as [string, string];
      return { start_at: at(from), end_at: to ? at(to) : null };
    }),
  };
}

/** Leave of a date; with `hourly` its start and its hours. */
export function leave(
  date: string,
  unit: LeaveUnit,
  start_time: string | null = null,
  hours: number | null = null,
): LeaveOfDay {
  return { date, request_id: 'lreq_1', type: 'paid_annual', unit, start_time, hours };
}

/** The record of one date. */
export function recordOn(
  date: string,
  given: Partial<MemberDays>,
  rules: Partial<OrganizationRules> = {},
): DayRecord {
  return recordsOf(rulesOf(organization(rules)), member(given), {
    from: date,
    to: date,
    with_segments: true,
  })[0]!;
}

/** The figures of a record that are not 0, without `_minutes`. */
export function figures(record: DayRecord): Record<string, number> {
  const kept = Object.entries(record).filter(
    ([name, value]) => name.endsWith('_minutes') && value !== 0 && !APART.includes(name),
  );
  return Object.fromEntries(kept.map(([name, value]) => [name.replace('_minutes', ''), value as number]));
}

/** What a record says besides the figures that totals sum up. */
const APART = [
  'schedule_minutes',
  'required_minutes',
  'week_minutes',
  'automatic_break_minutes',
  'unapproved_overtime_minutes',
  'presence_minutes',
];
