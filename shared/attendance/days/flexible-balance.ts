import { dayOf } from '../../kernel/local-time.ts';
import { type MemberPlans, planOf } from './day-plan.ts';
import { settlementOf } from './statutory-limits.ts';
import type { DayRecord, FlexibleBalance, Period } from './types.ts';

/**
 * How a period of flexible hours stands (Labour Standards Act art. 32-3): the minutes that its workdays ask for, those worked
 * outside legal holidays, the difference, and the limit. Null where no day of the period has flexible hours.
 */
export function flexibleBalanceOf(
  plans: MemberPlans,
  period: Period,
  records: readonly Pick<DayRecord, 'work_system' | 'day_type' | 'worked_minutes'>[],
): FlexibleBalance | null {
  const [start, end] = [dayOf(period.start), dayOf(period.end)];
  if (!hasFlexible(plans, start, end)) return null;
  const { required, limit } = settlementOf(plans, { month: 0, start, end }, 'flexible');
  const worked_minutes = records
    .filter(({ work_system, day_type }) => work_system === 'flexible' && day_type !== 'legal_holiday')
    .reduce((sum, record) => sum + record.worked_minutes, 0);
  return {
    required_minutes: required,
    worked_minutes,
    balance_minutes: worked_minutes - required,
    limit_minutes: limit,
  };
}

function hasFlexible(plans: MemberPlans, start: number, end: number): boolean {
  for (let day = start; day <= end; day += 1) {
    const plan = planOf(plans, day);
    if (plan.system === 'flexible' && plan.is_employed) return true;
  }
  return false;
}
