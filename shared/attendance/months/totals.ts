import { dayOf } from '../../kernel/local-time.ts';
import type { Reader } from '../../kernel/reader.ts';
import { plansOf } from '../days/day-plan.ts';
import { flexibleBalanceOf } from '../days/flexible-balance.ts';
import { settingsOn } from '../days/rules.ts';
import { type DayOfTotals, totalsOf } from '../days/totals.ts';
import type { DayRecord, PeriodTotals } from '../days/types.ts';
import type { Calendars } from '../records/calendars.ts';
import { memberPlansOf, type PlansOfMember } from '../records/member-days.ts';
import type { RecordRow } from '../records/rows.ts';
import { allTerms } from '../terms/queries.ts';
import { closingsOf } from './closings.ts';
import type { MonthLaid } from './month.ts';

type DayOfMonth = DayOfTotals & Pick<DayRecord, 'work_system'>;

/** The totals of a member's month: kept days as they are kept, the others as they are without record. */
export function totalsOfMember(
  member: PlansOfMember,
  rows: readonly RecordRow[],
  laid: MonthLaid,
  calendars: Calendars,
): PeriodTotals {
  const kept = new Map(rows.map((row) => [row.work_date, row]));
  const days = calendars.of(member).days.map((day) => kept.get(day.work_date) ?? day);
  return totalsOfDays(days, hasFlexible(member.terms) ? member : null, laid);
}

/** The totals of members' months from every day of the period, by member; those of closed months as they were closed. */
export async function totalsOfMembers(
  reader: Reader,
  days: ReadonlyMap<string, readonly DayOfMonth[]>,
  laid: MonthLaid,
): Promise<Map<string, PeriodTotals>> {
  const ids = [...days.keys()];
  const [closings, terms] = await Promise.all([closingsOf(reader, ids, laid.month), allTerms(reader, ids)]);
  const flexible = ids.filter((id) => hasFlexible(terms.get(id) ?? []));
  const { start: from, end: to } = laid.period;
  const plans = flexible.length > 0 ? await memberPlansOf(reader, flexible, { from, to }) : NO_PLANS;
  return new Map(
    [...days].map(([id, own]) => [
      id,
      closings.get(id)?.frozen?.totals ?? totalsOfDays(own, plans.get(id) ?? null, laid),
    ]),
  );
}

const NO_PLANS: ReadonlyMap<string, PlansOfMember> = new Map();

/** Only terms of flexible hours have a balance: whoever never had any (null) is not planned day by day. */
function totalsOfDays(
  days: readonly DayOfMonth[],
  flexible: PlansOfMember | null,
  { period, rules, today }: MonthLaid,
): PeriodTotals {
  return totalsOf(days, {
    period_end: period.end,
    today,
    monthly_rounding: settingsOn(rules, dayOf(period.end)).row.monthly_rounding,
    flexible: flexible && flexibleBalanceOf(plansOf(rules, flexible), period, days),
  });
}

function hasFlexible(terms: PlansOfMember['terms']): boolean {
  return terms.some(({ work_system }) => work_system === 'flexible');
}
