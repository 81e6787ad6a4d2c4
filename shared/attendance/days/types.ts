/**
 * What the rules of attendance take and give. Everything here is plain data: instants are ISO 8601 in UTC with
 * milliseconds (as they leave the database), dates are `YYYY-MM-DD`, clock times are `HH:MM`, both local to the
 * organization's time zone. Durations are whole minutes between instants.
 */

export type Weekday = 'sunday' | 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday';

export type DayType = 'workday' | 'prescribed_holiday' | 'legal_holiday';

export type WorkSystem = 'fixed' | 'shift' | 'flexible' | 'discretionary' | 'variable_monthly' | 'exempt';

/** The classes of worked minutes; a record has each with `_minutes`. */
export type WorkClass =
  | 'scheduled'
  | 'non_statutory_overtime'
  | 'prescribed_holiday'
  | 'statutory_overtime'
  | 'legal_holiday';

export type Rounding = 'none' | 'floor' | 'ceil';

/** What the organization agreed on with its people under article 36; holds from the first period that begins on its date. */
export type Agreement = {
  effective_from: string;
  /** 1 to 12: the month with which the agreement's year begins. */
  year_start_month: number;
  special_clause: boolean;
  month_limit_minutes: number;
  year_limit_minutes: number;
  special_year_limit_minutes: number;
  special_month_count: number;
};

/** The settings that change figures, from a date on. Before the first row's date the first row holds. */
export type DatedSettings = {
  effective_from: string;
  time_zone: string;
  day_boundary_time: string;
  week_starts_on: Weekday;
  /** 1 to 28, or the month's last day; holds from the first period that begins on or after `effective_from`. */
  closing_day: 'end' | number;
  legal_holiday_weekday: Weekday;
  prescribed_holiday_weekdays: readonly Weekday[];
  national_holidays_as: DayType;
  weekly_statutory_minutes: number;
  rounding: {
    unit_minutes: number;
    clock_in: Rounding;
    clock_out: Rounding;
    break_start: Rounding;
    break_end: Rounding;
  };
  monthly_rounding: 'none' | 'half_hour';
  break_mode: 'punch' | 'auto_schedule' | 'auto_statutory';
  scheduled_basis: 'amount' | 'window';
  early_clock_in: 'count' | 'ignore_unless_approved';
  agreements: readonly Agreement[];
};

/** Times of a working day; what is not after `start` belongs to the next day. */
export type Schedule = {
  id: string;
  start: string;
  end: string;
  breaks: readonly { start: string; end: string }[];
  /** What the day is paid for: at most the window less its breaks. */
  minutes: number;
  half_day: { am_end: string; pm_start: string };
  core: { start: string; end: string } | null;
  is_default: boolean;
};

/** `counts_as` null: as the settings say of national holidays. A company's row overrules the national one of its date. */
export type Holiday = { date: string; kind: 'national' | 'company'; counts_as: DayType | null };

/** A member's terms from a date on. Before the first row: fixed, the default schedule. */
export type DatedTerms = {
  effective_from: string;
  work_system: WorkSystem;
  /** Null: the default schedule. */
  schedule_id: string | null;
  /** What a day with presence counts as, for `discretionary`; null: the schedule's `minutes`. */
  deemed_minutes: number | null;
  flexible_limit: 'calendar' | 'workdays';
};

/** `schedule_id` null: that of the terms. */
export type RosterDay = { date: string; day_type: DayType; schedule_id: string | null };

export type LeaveUnit = 'full' | 'half_am' | 'half_pm' | 'hourly';

/** One date of an approved leave request, with the unit that it has on that date. */
export type LeaveOfDay = {
  date: string;
  request_id: string;
  type: string;
  unit: LeaveUnit;
  /** With `hourly`: from when on, and how many whole hours. */
  start_time: string | null;
  hours: number | null;
};

/** An approved overtime request, as the interval that it plans. */
export type ApprovedOvertime = {
  kind: 'before' | 'after' | 'holiday';
  planned_start_at: string;
  planned_end_at: string;
};

/** `is_closed_by_clock_out`: nobody ended it but the clock_out. */
export type Break = { start_at: string; end_at: string | null; is_closed_by_clock_out?: boolean };

/** From a clock_in to its clock_out, unrounded. One without end counts no minute. */
export type Session = {
  work_date: string;
  clock_in_at: string;
  clock_out_at: string | null;
  breaks: readonly Break[];
};

/** Minutes of a session that count for another day than its work date. */
export type LeftOver = { work_date: string; start_at: string; end_at: string };

/**
 * A day of a period that is submitted or confirmed. It is not computed again: it enters the sums of its week, and what its
 * sessions leave to later days is as it was then.
 */
export type FrozenDay = {
  work_date: string;
  day_type: DayType;
  schedule: Schedule | null;
  settings: DatedSettings;
  leave: readonly LeaveOfDay[];
  /** As the record has it. */
  week_minutes: number;
  /** What its sessions leave to days after the period; null where that follows from what the day was. */
  left_over: readonly LeftOver[] | null;
};

/** What holds for everybody of an organization. Rows with dates are in the order of these. */
export type OrganizationRules = {
  settings: readonly DatedSettings[];
  schedules: readonly Schedule[];
  holidays: readonly Holiday[];
};

/** What one member brings. `hired_on` null: always employed. */
export type MemberDays = {
  hired_on: string | null;
  left_on: string | null;
  terms: readonly DatedTerms[];
  roster: readonly RosterDay[];
  leave: readonly LeaveOfDay[];
  overtime: readonly ApprovedOvertime[];
  sessions: readonly Session[];
  frozen: readonly FrozenDay[];
};

/** A piece of a day, to the minute; neighbours differ in `class` or `night`. */
export type Segment = {
  start_at: string;
  end_at: string;
  class: WorkClass | 'break' | 'gap' | 'ignored';
  /** Between 22:00 and 05:00 local. */
  night: boolean;
};

/** The figures of a day that totals sum up; each is zero or more. */
export type DayMinutes = {
  /** From clock_in to clock_out: worked, breaks and ignored; for discretionary work as punched, though `worked` is deemed. */
  presence_minutes: number;
  ignored_minutes: number;
  break_minutes: number;
  /** The sum of the five classes. */
  worked_minutes: number;
  scheduled_minutes: number;
  non_statutory_overtime_minutes: number;
  prescribed_holiday_minutes: number;
  statutory_overtime_minutes: number;
  daily_overtime_minutes: number;
  weekly_overtime_minutes: number;
  legal_holiday_minutes: number;
  night_minutes: number;
  night_statutory_overtime_minutes: number;
  night_legal_holiday_minutes: number;
  late_minutes: number;
  early_leave_minutes: number;
  absence_minutes: number;
  unworked_gap_minutes: number;
};

/**
 * A member's work date as the rules make it, without clock: `absence_minutes` and `is_absence` are what holds once the date
 * is past (`asOf` in `absence.ts`), alerts are computed when read (`alerts.ts`).
 */
export type DayRecord = DayMinutes & {
  work_date: string;
  day_type: DayType;
  work_system: WorkSystem;
  is_employed: boolean;
  /** Whose times the day has: of a holiday too, for automatic breaks. */
  schedule: Schedule | null;
  /** Those of this work date, unrounded, in order of time. */
  sessions: readonly Session[];
  leave: readonly LeaveOfDay[];
  /** The `minutes` of a workday's schedule (S), and what leave left of them (Q); 0 on other days. */
  schedule_minutes: number;
  required_minutes: number;
  /** What the day adds to its week: worked minutes up to the day's limit, none on a legal holiday. */
  week_minutes: number;
  /** Breaks that `break_mode` put into sessions of this work date. */
  automatic_break_minutes: number;
  /** Minutes beyond `scheduled` and outside approved requests. */
  unapproved_overtime_minutes: number;
  /** Pauses and minutes fall short of article 34. */
  has_break_shortage: boolean;
  /** A workday without presence and without leave, where absence is asked for. */
  is_absence: boolean;
  /** Whether anything of a session touches the day. */
  has_presence: boolean;
  /** Empty where it was not asked for. */
  segments: readonly Segment[];
};

/** What a settlement of flexible hours came to; all in minutes. */
export type FlexibleBalance = {
  required_minutes: number;
  worked_minutes: number;
  balance_minutes: number;
  limit_minutes: number;
};

/** Sums of the days of a period. */
export type PeriodTotals = DayMinutes & {
  workdays: number;
  attended_days: number;
  absence_days: number;
  /** By type; halves are exact. Hours are no days. */
  leave_days: Readonly<Record<string, number>>;
  premium_25_minutes: number;
  premium_50_minutes: number;
  premium_35_minutes: number;
  rounded_overtime_minutes: number;
  rounded_legal_holiday_minutes: number;
  rounded_night_minutes: number;
  flexible: FlexibleBalance | null;
};

/** A closing period: `month` is `YYYY-MM`, both dates are its own. */
export type Period = { month: string; start: string; end: string };
