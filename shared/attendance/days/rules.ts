import { clockMinutes, dayOf, startOfDay, type Zone, zoneOf } from '../../kernel/local-time.ts';
import { rowOn } from './dated-rows.ts';
import { type PeriodDays, Periods } from './periods.ts';
import { type ScheduleTimes, timesOf } from './schedule-times.ts';
import type { DatedSettings, DayType, OrganizationRules, Weekday } from './types.ts';

const WEEKDAYS: readonly Weekday[] = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
];

/** A row of settings with what is looked up again and again. */
export type SettingsOfDays = {
  from: number;
  row: DatedSettings;
  zone: Zone;
  day_boundary: number;
  /** 0 (Sunday) to 6, as the two below. */
  week_start: number;
  legal_weekday: number;
  prescribed_weekdays: readonly number[];
};

/** What an organization laid down, made ready: once for all of its members. */
export type Rules = {
  settings: readonly SettingsOfDays[];
  schedules: ReadonlyMap<string, ScheduleTimes>;
  default_schedule: ScheduleTimes | null;
  /** What holidays make of a date, by its number of days. A company's comes before a national one. */
  holidays: ReadonlyMap<number, { kind: 'national' | 'company'; counts_as: DayType | null }>;
  periods: Periods;
};

/** Makes the rules of an organization ready. There is at least one row of settings. */
export function rulesOf(organization: OrganizationRules): Rules {
  const schedules = new Map(organization.schedules.map((schedule) => [schedule.id, timesOf(schedule)]));
  const holidays = new Map<number, { kind: 'national' | 'company'; counts_as: DayType | null }>();
  for (const { date, kind, counts_as } of organization.holidays) {
    const day = dayOf(date);
    if (kind === 'company' || !holidays.has(day)) holidays.set(day, { kind, counts_as });
  }
  const standard = organization.schedules.find(({ is_default }) => is_default);
  return {
    settings: organization.settings.map(settingsOfDays),
    schedules,
    default_schedule: standard ? schedules.get(standard.id)! : null,
    holidays,
    periods: new Periods(organization.settings),
  };
}

/** A row of settings made ready. */
export function settingsOfDays(row: DatedSettings): SettingsOfDays {
  return {
    from: dayOf(row.effective_from),
    row,
    zone: zoneOf(row.time_zone),
    day_boundary: clockMinutes(row.day_boundary_time),
    week_start: WEEKDAYS.indexOf(row.week_starts_on),
    legal_weekday: WEEKDAYS.indexOf(row.legal_holiday_weekday),
    prescribed_weekdays: row.prescribed_holiday_weekdays.map((weekday) => WEEKDAYS.indexOf(weekday)),
  };
}

/** The settings of a day. */
export function settingsOn(rules: Rules, day: number): SettingsOfDays {
  return rowOn(rules.settings, day) ?? rules.settings[0]!;
}

/** The minute at which a day begins, in the time zone that its settings have. */
export function startOf(rules: Rules, day: number): number {
  return startOfDay(settingsOn(rules, day).zone, day);
}

/** The day that a minute since 1970 lies on: the last one that has begun. */
export function dayAt(rules: Rules, minute: number): number {
  let day = Math.floor(minute / 1440) + 1;
  while (startOf(rules, day) > minute) day -= 1;
  return day;
}

/** The first day of a day's week. */
export function weekStartOf(settings: SettingsOfDays, day: number): number {
  return day - ((((day + 4 - settings.week_start) % 7) + 7) % 7);
}

/** The period of a day. */
export function periodOf(rules: Rules, day: number): PeriodDays {
  return rules.periods.ofDay(day);
}
