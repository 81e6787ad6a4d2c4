import { dayOf } from '../../kernel/local-time.ts';
import { plansOf } from '../days/day-plan.ts';
import { flexibleBalanceOf } from '../days/flexible-balance.ts';
import { settingsOn } from '../days/rules.ts';
import { totalsOf } from '../days/totals.ts';
import type { FlexibleBalance, PeriodTotals } from '../days/types.ts';
import type { Calendars } from '../records/calendars.ts';
import type { PlansOfMember } from '../records/member-days.ts';
import type { RecordRow } from '../records/rows.ts';
import type { MonthLaid } from './month.ts';

/** The totals of a member's month: kept days as they are kept, the others as they are without record. */
export function totalsOfMember(
  member: PlansOfMember,
  rows: readonly RecordRow[],
  laid: MonthLaid,
  calendars: Calendars,
): PeriodTotals {
  const { period, rules, today } = laid;
  const kept = new Map(rows.map((row) => [row.work_date, row]));
  const days = calendars.of(member).days.map((day) => kept.get(day.work_date) ?? day);
  return totalsOf(days, {
    period_end: period.end,
    today,
    monthly_rounding: settingsOn(rules, dayOf(period.end)).row.monthly_rounding,
    flexible: balanceOf(member, days, laid),
  });
}

/** Only terms of flexible hours have a balance: whoever never had any is not planned day by day. */
function balanceOf(
  member: PlansOfMember,
  days: Parameters<typeof flexibleBalanceOf>[2],
  { rules, period }: MonthLaid,
): FlexibleBalance | null {
  if (!member.terms.some(({ work_system }) => work_system === 'flexible')) return null;
  return flexibleBalanceOf(plansOf(rules, member), period, days);
}
