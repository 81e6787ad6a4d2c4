import { overtimeLawOn } from './overtime-law.ts';
import type { DatedSettings, DayMinutes, PeriodTotals } from './types.ts';

type Summed = Pick<DayMinutes, 'statutory_overtime_minutes' | 'legal_holiday_minutes' | 'night_minutes'>;

export type Premiums = Pick<
  PeriodTotals,
  | 'premium_25_minutes'
  | 'premium_50_minutes'
  | 'premium_35_minutes'
  | 'rounded_overtime_minutes'
  | 'rounded_legal_holiday_minutes'
  | 'rounded_night_minutes'
>;

/**
 * The minutes of a period that ask for each premium (Labour Standards Act art. 37): 25 percent for overtime to 60 hours, 50
 * beyond, 35 on legal holidays. `date`: that of the period's last day. Rounding touches the `rounded_` minutes alone.
 */
export function premiumsOf(
  sums: Summed,
  date: string,
  rounding: DatedSettings['monthly_rounding'],
): Premiums {
  const premium_25_minutes = Math.min(
    sums.statutory_overtime_minutes,
    overtimeLawOn(date).premium_50_above_minutes,
  );
  const rounded = rounding === 'half_hour' ? toHalfHour : (minutes: number) => minutes;
  return {
    premium_25_minutes,
    premium_50_minutes: sums.statutory_overtime_minutes - premium_25_minutes,
    premium_35_minutes: sums.legal_holiday_minutes,
    rounded_overtime_minutes: rounded(sums.statutory_overtime_minutes),
    rounded_legal_holiday_minutes: rounded(sums.legal_holiday_minutes),
    rounded_night_minutes: rounded(sums.night_minutes),
  };
}

/** Under 30 minutes of an hour cut, else up to the hour: Notice 1988-03-14 no. 150 allows it for a month's sums. */
export function toHalfHour(minutes: number): number {
  return Math.floor((minutes + 30) / 60) * 60;
}
