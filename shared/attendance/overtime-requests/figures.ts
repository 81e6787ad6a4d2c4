import { daysLater } from '../../kernel/days.ts';
import { dateOf } from '../../kernel/local-time.ts';
import type { Reader } from '../../kernel/reader.ts';
import { type LimitsAsked, limitsOf } from '../days/limits.ts';
import { periodOfDate } from '../days/periods.ts';
import { limitsAskedFor } from '../months/limits.ts';
import { laidFor } from '../months/month.ts';
import { daysOf } from '../records/days.ts';
import { datedRows } from '../settings/queries.ts';
import { ruleSettings } from '../settings/rules.ts';
import { actualMinutes, additionOf, withAddition } from './plan.ts';
import type { OvertimeRequest, OvertimeRequestRow } from './record.ts';

/** What is computed of a request from the days of its member. */
export type OvertimeFigures = Pick<OvertimeRequest, 'actual_minutes' | 'limit_preview'>;

/** Of a request that nothing was worked for, and that plans nothing any more. */
export const NO_FIGURES: OvertimeFigures = { actual_minutes: 0, limit_preview: null };

/**
 * The figures of some requests, by their IDs; those that have none are left out. The requests of a page are of few months,
 * and each month takes a fixed number of statements, however many members and requests it has.
 */
export async function figuresOf(
  reader: Reader,
  rows: readonly OvertimeRequestRow[],
): Promise<Map<string, OvertimeFigures>> {
  const now = reader.now.toISOString();
  const asked = rows.filter((row) => row.planned_start_at < now || isPlanned(row, now));
  if (asked.length === 0) return new Map();
  const settings = ruleSettings(await datedRows(reader), { agreements: [] });
  const months = Map.groupBy(asked, ({ work_date }) => periodOfDate(settings, work_date).month);
  const figures = await Promise.all([...months].map(([month, own]) => figuresOfMonth(reader, month, own)));
  return new Map(figures.flat());
}

/** Whether its minutes are to come, or may be: then it is told what they would add to the month. */
function isPlanned({ status, planned_end_at }: OvertimeRequestRow, now: string): boolean {
  return status === 'pending' || (status === 'approved' && planned_end_at > now);
}

async function figuresOfMonth(
  reader: Reader,
  month: string,
  rows: readonly OvertimeRequestRow[],
): Promise<[string, OvertimeFigures][]> {
  const now = reader.now.toISOString();
  const dates = rows.map(({ work_date }) => work_date).toSorted();
  // A plan begins on its work date or a day before or after it, and has a day at most.
  const around = { from: daysLater(dates[0]!, -1), to: daysLater(dates.at(-1)!, 2) };
  const planning = rows.filter((row) => isPlanned(row, now));
  const laid = await laidFor(reader, month);
  const [days, limits] = await Promise.all([
    daysOf(reader, membersOf(rows), around, { with_segments: true }),
    planning.length === 0
      ? new Map<string, LimitsAsked | null>()
      : limitsAskedFor(reader, membersOf(planning), laid),
  ]);
  return rows.map((row) => {
    const own = days.get(row.member_id) ?? [];
    const segments = own.flatMap((day) => day.segments);
    const asked = isPlanned(row, now) ? limits.get(row.member_id) : null;
    const types = new Map(own.map(({ work_date, day_type }) => [work_date, day_type]));
    const plan = { rules: laid.rules, dayTypeOn: (day: number) => types.get(dateOf(day)) };
    return [
      row.id,
      {
        actual_minutes: actualMinutes(row, segments),
        limit_preview: asked
          ? (limitsOf(
              withAddition(asked, additionOf(row, segments, plan)),
            ) as OvertimeFigures['limit_preview'])
          : null,
      },
    ];
  });
}

function membersOf(rows: readonly OvertimeRequestRow[]): string[] {
  return [...new Set(rows.map(({ member_id }) => member_id))];
}
