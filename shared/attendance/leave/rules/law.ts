/**
 * Annual leave by law: Labour Standards Act art. 39(2) and (3), Enforcement Regulations art. 24-3. A row holds for what
 * is granted from its date on; a change of the law is a further row.
 */

/** By which table days are granted: that of full working weeks, or of so many days a week; `none`: too few days. */
export const leaveTables = ['full', 'four_days', 'three_days', 'two_days', 'one_day', 'none'] as const;

export type LeaveTable = (typeof leaveTables)[number];

/** What entitles to one of the tables: a week's days, or a year's where no week is like another. */
type Entitled = { table: Exclude<LeaveTable, 'none'>; weekly_days: number; annual_days: number };

export type LeaveLaw = {
  effective_from: string;
  /** Months of service at the first grant, and from one to the next. */
  first_months: number;
  every_months: number;
  /** Months after which the claim is barred (art. 115). */
  expiry_months: number;
  /** Hours a week from which the full table holds whatever the days are. */
  full_weekly_hours: number;
  /** From the most days to the least; the first row whose days are reached holds. */
  tables: readonly Entitled[];
  /** Days by the number of the grant; the last one holds on. */
  days: Readonly<Record<Exclude<LeaveTable, 'none'>, readonly number[]>>;
  /** The share of workdays that must have been attended, in percent. */
  attendance_percent: number;
  /** Whole days a year that may be taken in hours (art. 39(4)). */
  hourly_days: number;
  /** Grants of so many days bring the duty to take some of them within a time (art. 39(7)). */
  duty_from_days: number;
  duty_days: number;
  duty_months: number;
};

const LAWS: readonly LeaveLaw[] = [
  {
    effective_from: '2001-04-01',
    first_months: 6,
    every_months: 12,
    expiry_months: 24,
    full_weekly_hours: 30,
    tables: [
      { table: 'full', weekly_days: 5, annual_days: 217 },
      { table: 'four_days', weekly_days: 4, annual_days: 169 },
      { table: 'three_days', weekly_days: 3, annual_days: 121 },
      { table: 'two_days', weekly_days: 2, annual_days: 73 },
      { table: 'one_day', weekly_days: 1, annual_days: 48 },
    ],
    days: {
      full: [10, 11, 12, 14, 16, 18, 20],
      four_days: [7, 8, 9, 10, 12, 13, 15],
      three_days: [5, 6, 6, 8, 9, 10, 11],
      two_days: [3, 4, 4, 5, 6, 6, 7],
      one_day: [1, 2, 2, 2, 3, 3, 3],
    },
    attendance_percent: 80,
    hourly_days: 5,
    duty_from_days: 10,
    duty_days: 5,
    duty_months: 12,
  },
];

/** The law of a day; days before the first row have that row's, since what they granted has expired long ago. */
export function leaveLawOn(day: string): LeaveLaw {
  return LAWS.findLast(({ effective_from }) => effective_from <= day) ?? LAWS[0]!;
}
