import { dateOf, dayOf } from '../../kernel/local-time.ts';
import { pick } from '../../kernel/record-fields.ts';
import { asOf } from '../days/absence.ts';
import { alertsOf } from '../days/alerts.ts';
import { plansOf } from '../days/day-plan.ts';
import { flexibleBalanceOf } from '../days/flexible-balance.ts';
import { shown } from '../days/periods.ts';
import type { Dates } from '../days/reach.ts';
import { recordsOf } from '../days/records.ts';
import { periodOf, type Rules, settingsOn } from '../days/rules.ts';
import { summedMinutes, totalsOf } from '../days/totals.ts';
import type { DayRecord, MemberDays } from '../days/types.ts';
import type { AttendanceTotals } from '../months/record.ts';
import { shownSession } from '../records/replace.ts';
import { DAYS_BEFORE } from '../records/shown.ts';
import type { Preview, PreviewRecord } from './record.ts';

/** What a preview is computed with; `now` and `today` decide absence and alerts, as they do of kept days. */
export type PreviewGiven = {
  rules: Rules;
  member: MemberDays;
  dates: Dates;
  now: string;
  today: string;
  max_session_hours: number;
};

/** The records of some dates and what they add up to. Nothing of it is kept. */
export function previewOf(given: PreviewGiven): Preview {
  const { rules, member, dates, today } = given;
  const records = recordsOf(rules, member, { ...dates, with_segments: true });
  const totals = totalsOf(records, {
    period_end: dates.to,
    today,
    monthly_rounding: settingsOn(rules, dayOf(dates.to)).row.monthly_rounding,
    flexible: balanceOf(given, records),
  });
  return {
    records: records.map((_, index) =>
      shownRecord(records.slice(Math.max(0, index - DAYS_BEFORE), index + 1), given),
    ),
    totals: totals as AttendanceTotals,
  };
}

/** Flexible hours are settled by period: there is a balance where all dates are of one. */
function balanceOf({ rules, member, dates }: PreviewGiven, records: readonly DayRecord[]) {
  const period = periodOf(rules, dayOf(dates.from));
  return dates.to <= dateOf(period.end)
    ? flexibleBalanceOf(plansOf(rules, member), shown(period), records)
    : null;
}

function shownRecord(days: readonly DayRecord[], given: PreviewGiven): PreviewRecord {
  const { rules, member, now, today, max_session_hours } = given;
  const day = asOf(days.at(-1)!, today);
  const { schedule } = day;
  return {
    work_date: day.work_date,
    day_type: day.day_type,
    schedule: schedule && {
      id: schedule.id.startsWith('wsch_') ? schedule.id : null,
      start: schedule.start,
      end: schedule.end,
      breaks: schedule.breaks.map(({ start, end }) => ({ start, end })),
      minutes: schedule.minutes,
    },
    sessions: day.sessions.map(shownSession),
    ...pick(day, summedMinutes),
    leave: day.leave.map(({ type, unit, start_time, hours }) => ({
      type: type as PreviewRecord['leave'][number]['type'],
      unit,
      start_time,
      hours,
    })),
    alerts: alertsOf(days, {
      now,
      today,
      max_session_hours,
      week_start: settingsOn(rules, dayOf(day.work_date)).week_start,
      newest_clock_in_at: member.sessions.at(-1)?.clock_in_at ?? null,
      recalculating: () => false,
    }),
    segments: [...day.segments],
  };
}
