import { asOf } from './absence.ts';
import { premiumsOf } from './premiums.ts';
import type { DatedSettings, DayMinutes, DayRecord, FlexibleBalance, PeriodTotals } from './types.ts';

/** What totals read of a record. */
export type DayOfTotals = DayMinutes &
  Pick<DayRecord, 'work_date' | 'day_type' | 'is_employed' | 'is_absence' | 'leave'>;

/** What a period says besides its days; `today` decides which absences have come. */
export type TotalsAsked = {
  period_end: string;
  today: string;
  monthly_rounding: DatedSettings['monthly_rounding'];
  flexible: FlexibleBalance | null;
};

/** The figures that are summed up, in the order in which they are shown. */
export const summedMinutes = [
  'presence_minutes',
  'ignored_minutes',
  'break_minutes',
  'worked_minutes',
  'scheduled_minutes',
  'non_statutory_overtime_minutes',
  'prescribed_holiday_minutes',
  'statutory_overtime_minutes',
  'daily_overtime_minutes',
  'weekly_overtime_minutes',
  'legal_holiday_minutes',
  'night_minutes',
  'night_statutory_overtime_minutes',
  'night_legal_holiday_minutes',
  'late_minutes',
  'early_leave_minutes',
  'absence_minutes',
  'unworked_gap_minutes',
] as const satisfies readonly (keyof DayMinutes)[];

/** The days of leave that a unit is; hours are counted apart. */
const DAYS = { full: 1, half_am: 0.5, half_pm: 0.5, hourly: 0 };

/** The totals of a period from its records, also those of days to come, which count as workdays. */
export function totalsOf(records: readonly DayOfTotals[], asked: TotalsAsked): PeriodTotals {
  const sums = Object.fromEntries(summedMinutes.map((name) => [name, 0])) as DayMinutes;
  const leave_days: Record<string, number> = {};
  let workdays = 0;
  let attended_days = 0;
  let absence_days = 0;
  for (const record of records) {
    const day = asOf(record, asked.today);
    for (const name of summedMinutes) sums[name] += day[name];
    if (day.worked_minutes > 0) attended_days += 1;
    if (day.is_absence) absence_days += 1;
    if (day.day_type !== 'workday' || !day.is_employed) continue;
    workdays += 1;
    for (const { type, unit } of day.leave) {
      if (DAYS[unit] > 0) leave_days[type] = (leave_days[type] ?? 0) + DAYS[unit];
    }
  }
  return {
    ...sums,
    workdays,
    attended_days,
    absence_days,
    leave_days,
    ...premiumsOf(sums, asked.period_end, asked.monthly_rounding),
    flexible: asked.flexible,
  };
}
