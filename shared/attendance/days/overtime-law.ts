import { dayOf } from '../../kernel/local-time.ts';
import { rowOn } from './dated-rows.ts';

/** Labour Standards Act art. 32: eight hours a day. */
export const DAILY_STATUTORY_MINUTES = 480;

/** What the law sets for agreements under article 36, from a date on. */
export type OvertimeLaw = {
  effective_from: string;
  source: string;
  /** Art. 36(4): a month and a year, where no special clause says more. */
  month_limit_minutes: number;
  year_limit_minutes: number;
  /** Art. 36(5): the year and the months over the month's limit, with a special clause. */
  special_year_limit_minutes: number;
  special_month_count: number;
  /** Art. 36(6) no. 2: overtime and legal holidays of a month stay below it. */
  month_total_minutes: number;
  /** Art. 36(6) no. 3: the most that 2 to 6 months may have on average. */
  average_minutes: number;
  average_months: readonly number[];
  /** Art. 37(1): overtime of a month beyond it has the premium of 50 percent. */
  premium_50_above_minutes: number;
};

/** In order of date. Before the first row the first row is the yardstick. */
const rows: readonly OvertimeLaw[] = [
  {
    effective_from: '2019-04-01',
    source: 'Labour Standards Act arts. 36, 37, as amended by Act no. 71 of 2018',
    month_limit_minutes: 2_700,
    year_limit_minutes: 21_600,
    special_year_limit_minutes: 43_200,
    special_month_count: 6,
    month_total_minutes: 6_000,
    average_minutes: 4_800,
    average_months: [2, 3, 4, 5, 6],
    premium_50_above_minutes: 3_600,
  },
];

const lawRows = rows.map((law) => ({ from: dayOf(law.effective_from), law }));

/** The law of a date. */
export function overtimeLawOn(date: string): OvertimeLaw {
  return (rowOn(lawRows, dayOf(date)) ?? lawRows[0]!).law;
}
