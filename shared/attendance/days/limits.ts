import { agreementYearStart } from './agreements.ts';
import { overtimeLawOn } from './overtime-law.ts';
import { monthNumber, monthText } from './periods.ts';
import type { Agreement } from './types.ts';

/** Overtime and legal holidays of a period, recorded or taken over from the system before; exact. */
export type MonthOfOvertime = {
  month: string;
  statutory_overtime_minutes: number;
  legal_holiday_minutes: number;
};

export type LimitsAsked = {
  month: string;
  /** The member's months in any order, the asked one as of the date asked for. The earliest is where averages begin. */
  months: readonly MonthOfOvertime[];
  /** The agreement of each month: `agreementsOf`. */
  agreementOf: (month: string) => Agreement;
  /** Workdays of the period to the date asked for, and after it. */
  workdays_done: number;
  workdays_left: number;
};

export type LimitTest = { test: string; used_minutes: number; limit_minutes: number; left_minutes: number };

export type LimitLevel = 'ok' | 'warning' | 'violation';

/** How a month stands against article 36. */
export type Limits = {
  over_45h: boolean;
  year_overtime_minutes: number;
  over_360h: boolean;
  over_720h: boolean;
  months_over_45h: number;
  months_over_45h_violation: boolean;
  month_total_minutes: number;
  month_total_violation: boolean;
  /** By number of months (`"2"` to `"6"`); those that there are not yet are absent. */
  averages: Record<string, number>;
  average_violations: string[];
  projected_month_end_minutes: number;
  tests: LimitTest[];
  minutes_left: number;
  level: LimitLevel;
};

/**
 * The tests of Labour Standards Act art. 36 for a month: the agreed month and year (paras 4, 5), the months over the agreed
 * one (para 5), less than 100 hours with legal holidays, 80 on average over 2 to 6 months (para 6). Whole minutes throughout.
 */
export function limitsOf(asked: LimitsAsked): Limits {
  const months = numbered(asked.months);
  const now = measured(asked, months, 0);
  const own = months.get(monthNumber(asked.month))?.statutory_overtime_minutes ?? 0;
  const { workdays_done, workdays_left } = asked;
  const growth = workdays_done === 0 ? 0 : Math.floor((own * workdays_left) / workdays_done);
  const later = growth === 0 ? now : measured(asked, months, growth);
  const isNear = now.tests.some(
    ({ used_minutes, limit_minutes }) => used_minutes * 100 >= limit_minutes * 80,
  );
  const { violates, ...figures } = now;
  return {
    ...figures,
    projected_month_end_minutes: own + growth,
    minutes_left: Math.max(0, Math.min(...now.tests.map(({ left_minutes }) => left_minutes))),
    level: violates ? 'violation' : later.violates || isNear ? 'warning' : 'ok',
  };
}

type Measured = Omit<Limits, 'projected_month_end_minutes' | 'minutes_left' | 'level'> & {
  violates: boolean;
};

/** Months by their numbers. */
type Numbered = ReadonlyMap<number, MonthOfOvertime>;

function numbered(months: readonly MonthOfOvertime[]): Numbered {
  return new Map(months.map((one) => [monthNumber(one.month), one]));
}

/** The month with so many more minutes of overtime than it has. */
function measured(asked: LimitsAsked, months: Numbered, more: number): Measured {
  const number = monthNumber(asked.month);
  const agreement = asked.agreementOf(asked.month);
  const law = overtimeLawOn(`${asked.month}-01`);
  const overtime = (months.get(number)?.statutory_overtime_minutes ?? 0) + more;
  const year_start = monthNumber(agreementYearStart(agreement, asked.month));
  let year_overtime_minutes = overtime;
  let over_before = 0;
  for (let one = year_start; one < number; one += 1) {
    const own = months.get(one)?.statutory_overtime_minutes ?? 0;
    year_overtime_minutes += own;
    if (isOver(asked, one, own)) over_before += 1;
  }
  const over_45h = isOver(asked, number, overtime);
  const month_total_minutes = overtime + (months.get(number)?.legal_holiday_minutes ?? 0);
  const sums = sumsOf(months, number, more, law.average_months);
  const over_360h = year_overtime_minutes > agreement.year_limit_minutes;
  const over_720h = year_overtime_minutes > agreement.special_year_limit_minutes;
  const months_over_45h = over_before + (over_45h ? 1 : 0);
  const months_over_45h_violation = months_over_45h > agreement.special_month_count;
  const month_total_violation = month_total_minutes >= law.month_total_minutes;
  const average_violations = sums
    .filter(({ count, sum }) => sum > law.average_minutes * count)
    .map(({ count }) => String(count));
  const tests = [
    testOf('year', year_overtime_minutes, yearLimit(agreement)),
    testOf('total', month_total_minutes, law.month_total_minutes - 1),
    ...sums.map(({ count, sum }) => testOf(`average_${count}`, sum, law.average_minutes * count)),
  ];
  const hasSpecialMonth = agreement.special_clause && agreement.special_month_count > over_before;
  if (!hasSpecialMonth) tests.unshift(testOf('month', overtime, agreement.month_limit_minutes));
  return {
    over_45h,
    year_overtime_minutes,
    over_360h,
    over_720h,
    months_over_45h,
    months_over_45h_violation,
    month_total_minutes,
    month_total_violation,
    averages: Object.fromEntries(sums.map(({ count, sum }) => [String(count), Math.ceil(sum / count)])),
    average_violations,
    tests,
    violates:
      month_total_violation ||
      average_violations.length > 0 ||
      over_720h ||
      months_over_45h_violation ||
      (!agreement.special_clause && (over_45h || over_360h)),
  };
}

function testOf(test: string, used_minutes: number, limit_minutes: number): LimitTest {
  return { test, used_minutes, limit_minutes, left_minutes: limit_minutes - used_minutes };
}

function yearLimit(agreement: Agreement): number {
  return agreement.special_clause ? agreement.special_year_limit_minutes : agreement.year_limit_minutes;
}

/** Over the month's limit of the agreement that the month had. */
function isOver(asked: LimitsAsked, number: number, overtime: number): boolean {
  return overtime > asked.agreementOf(monthText(number)).month_limit_minutes;
}

/** Overtime and legal holidays of the last 2 to 6 months together, as far back as the member's first month. */
function sumsOf(
  months: Numbered,
  number: number,
  more: number,
  counts: readonly number[],
): { count: number; sum: number }[] {
  const first = Math.min(number, ...months.keys());
  const sums: { count: number; sum: number }[] = [];
  for (const count of counts) {
    if (number - count + 1 < first) continue;
    let sum = more;
    for (let one = number - count + 1; one <= number; one += 1) {
      const own = months.get(one);
      if (own) sum += own.statutory_overtime_minutes + own.legal_holiday_minutes;
    }
    sums.push({ count, sum });
  }
  return sums;
}
