import { daysLater } from '../../kernel/days.ts';
import { dayOf, instantOf } from '../../kernel/local-time.ts';
import type { Reader } from '../../kernel/reader.ts';
import { pick } from '../../kernel/record-fields.ts';
import type { Work } from '../../kernel/work.ts';
import { asOf } from '../days/absence.ts';
import type { Alert } from '../days/alerts.ts';
import { leftOverOf } from '../days/left-over.ts';
import { type Dates, daysToRead } from '../days/reach.ts';
import { type Rules, startOf } from '../days/rules.ts';
import type { DatedSettings, LeftOver, Period, Segment } from '../days/types.ts';
import { type MemberMonth, monthsOf } from '../months/queries.ts';
import { type Day, daysOf } from '../records/days.ts';
import { refreshDays } from '../records/figures.ts';
import { laidAround, memberDaysOf } from '../records/member-days.ts';
import { figureNames } from '../records/rows.ts';
import { alertsOfLast, DAYS_BEFORE, showingOf } from '../records/shown.ts';
import { ruleSettings } from '../settings/rules.ts';
import type { ClosedDay } from './frozen.ts';
import { FrozenDayModel, PeriodRevisionModel } from './record.ts';

/** A period as it would be closed now: all of it is past. */
export type Snapshot = {
  period: Period;
  days: { day: Day; alerts: Alert[] }[];
  left_over: ReadonlyMap<string, LeftOver[]>;
  totals: MemberMonth['totals'];
  limits: MemberMonth['limits'];
  settings: DatedSettings[];
};

/**
 * The days, figures and settings of a locked member's period, computed anew. A period that closes is over, also where it
 * ends today: who is not there on its last day is absent.
 */
export async function snapshotOf(work: Work, member_id: string, period: Period): Promise<Snapshot> {
  const dates = { from: period.start, to: period.end };
  await refreshDays(work, [member_id], dates);
  await work.flush();
  const { rules, dated, plain } = await laidAround(work, dates);
  const then = afterwards(work, rules, period);
  const [months, before, days, showing, left_over] = await Promise.all([
    monthsOf(then, [member_id], period.month, { as_of: period.end }),
    daysOf(then, [member_id], { from: daysLater(dates.from, -DAYS_BEFORE), to: daysLater(dates.from, -1) }),
    daysOf(then, [member_id], dates, { with_segments: true }),
    showingOf(then, [member_id]),
    leftOverBy(work, rules, member_id, dates),
  ]);
  const { totals, limits } = months.get(member_id)!;
  const all = [...before.get(member_id)!, ...days.get(member_id)!];
  return {
    period,
    days: days.get(member_id)!.map((day, index) => {
      const last = before.get(member_id)!.length + index;
      // What a recalculation has yet to come to was computed anew just now.
      const alerts = alertsOfLast(all.slice(Math.max(0, last - DAYS_BEFORE), last + 1), {
        ...showing,
        // Whether a session runs still is asked as of now.
        now: work.now.toISOString(),
      });
      return { day: asOf(day, showing.today), alerts: alerts.filter((code) => code !== 'recalculating') };
    }),
    left_over,
    totals,
    limits,
    settings: settingsWithin(ruleSettings(dated, plain), dates),
  };
}

/** The same reader at the end of a period that has not ended. */
function afterwards(work: Work, rules: Rules, { end }: Period): Reader {
  const { connection, organization_id, actor, request_id, ip_address } = work;
  const over = new Date(instantOf(startOf(rules, dayOf(end) + 1)));
  const now = over > work.now ? over : work.now;
  return { connection, organization_id, actor, now, request_id, ip_address };
}

async function leftOverBy(
  reader: Reader,
  rules: Rules,
  member_id: string,
  dates: Dates,
): Promise<Map<string, LeftOver[]>> {
  const members = await memberDaysOf(reader, [member_id], daysToRead(rules, dates));
  return leftOverOf(rules, members.get(member_id)!, dates);
}

/** The rows that hold on days of a range. */
function settingsWithin(rows: readonly DatedSettings[], { from, to }: Dates): DatedSettings[] {
  const first = rows.findLastIndex(({ effective_from }) => effective_from <= from);
  return rows.slice(Math.max(0, first)).filter(({ effective_from }) => effective_from <= to);
}

/** Keeps a snapshot as a revision of a submission. Figures and settings are rows, and each day one of its own. */
export function keepSnapshot(
  work: Work,
  { id: submission_id, revision }: { id: string; revision: number },
  { period, days, left_over, totals, limits, settings }: Snapshot,
): void {
  work.insert(PeriodRevisionModel, {
    submission_id,
    revision,
    period_start: period.start,
    period_end: period.end,
    totals,
    limits,
    settings,
    frozen_at: work.now.toISOString(),
    confirmed_by: null,
    confirmed_at: null,
  });
  work.insertAll(
    FrozenDayModel,
    days.map(({ day, alerts }) => ({
      submission_id,
      revision,
      work_date: day.work_date,
      day: closedDayOf(day, left_over.get(day.work_date) ?? []),
      alerts,
      segments: day.segments satisfies readonly Segment[],
    })),
  );
}

function closedDayOf(day: Day, left_over: LeftOver[]): ClosedDay {
  const { id, member_id, work_date, sessions, version, calc_version, created_at, updated_at } = day;
  const figures = pick(day, figureNames);
  return {
    id,
    member_id,
    work_date,
    ...figures,
    sessions,
    left_over,
    version,
    calc_version,
    created_at,
    updated_at,
  };
}

/** Takes back what a submission was closed with but never confirmed. */
export function dropSnapshot(work: Work, submission_id: string, revision: number): void {
  const values = [work.organization_id, submission_id, revision];
  for (const table of [FrozenDayModel.tableName, PeriodRevisionModel.tableName]) {
    work.run(
      `DELETE FROM ${table} WHERE organization_id = $1 AND submission_id = $2 AND revision = $3`,
      values,
    );
  }
}
