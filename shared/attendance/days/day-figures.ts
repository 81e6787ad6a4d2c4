import { breakOwed } from './automatic-breaks.ts';
import { type ClassRun, classesOf, type DayLimits } from './classes.ts';
import type { DayPlan } from './day-plan.ts';
import { type Interval, lengthOf, lengthWithin, subtract } from './intervals.ts';
import { DAILY_STATUTORY_MINUTES } from './overtime-law.ts';
import type { Piece } from './session-pieces.ts';
import type { DayRecord, Segment } from './types.ts';

/** The figures of a day's bucket: without what was missed, which needs the presence of other days too. */
export type Figures = Omit<
  DayRecord,
  | 'work_date'
  | 'day_type'
  | 'work_system'
  | 'is_employed'
  | 'schedule'
  | 'sessions'
  | 'leave'
  | 'schedule_minutes'
  | 'required_minutes'
  | 'automatic_break_minutes'
  | 'late_minutes'
  | 'early_leave_minutes'
  | 'absence_minutes'
  | 'is_absence'
  | 'has_presence'
  | 'segments'
>;

/** A stretch of a day that has one class; minutes since 1970. */
export type Stretch = Interval & { class: Segment['class'] };

export type DayResult = { figures: Figures; stretches: Stretch[] };

/**
 * Classifies the minutes of one bucket. `closed` are the sessions around the day, `approved` the intervals of approved
 * requests.
 */
export function figuresOf(
  plan: DayPlan,
  pieces: readonly Piece[],
  limits: DayLimits,
  closed: readonly Interval[],
  approved: readonly Interval[],
  nightOf: (stretch: Interval) => number,
): DayResult {
  const work = pieces.filter(({ kind }) => kind === 'work');
  const punched = lengthOf(work);
  const deemed = deemedMinutes(plan, pieces);
  const runs = deemed === null ? classesOf(plan, limits, work) : deemedClasses(plan, limits, work, deemed);
  const figures = emptyFigures();
  const stretches: Stretch[] = [];
  for (const run of runs) addRun(figures, run, nightOf(run), approved);
  for (const { start, end, class: name } of runs) stretches.push({ start, end, class: name });
  for (const { start, end, kind } of pieces) {
    if (kind === 'work') continue;
    stretches.push({ start, end, class: kind });
    if (kind === 'break') figures.break_minutes += end - start;
    else figures.ignored_minutes += end - start;
  }
  const gaps = gapsOf(pieces, closed);
  for (const { start, end } of gaps) stretches.push({ start, end, class: 'gap' });
  figures.unworked_gap_minutes = lengthOf(gaps);
  figures.presence_minutes = punched + figures.break_minutes + figures.ignored_minutes;
  figures.has_break_shortage =
    plan.system !== 'exempt' && figures.break_minutes + figures.unworked_gap_minutes < breakOwed(punched);
  if (deemed !== null) setDeemed(figures, plan, limits, deemed);
  if (plan.day_type !== 'legal_holiday')
    figures.week_minutes = Math.min(figures.worked_minutes, limits.daily);
  return { figures, stretches: stretches.sort((one, other) => one.start - other.start) };
}

function emptyFigures(): Figures {
  return {
    presence_minutes: 0,
    ignored_minutes: 0,
    break_minutes: 0,
    worked_minutes: 0,
    scheduled_minutes: 0,
    non_statutory_overtime_minutes: 0,
    prescribed_holiday_minutes: 0,
    statutory_overtime_minutes: 0,
    daily_overtime_minutes: 0,
    weekly_overtime_minutes: 0,
    legal_holiday_minutes: 0,
    night_minutes: 0,
    night_statutory_overtime_minutes: 0,
    night_legal_holiday_minutes: 0,
    unworked_gap_minutes: 0,
    week_minutes: 0,
    unapproved_overtime_minutes: 0,
    has_break_shortage: false,
  };
}

function addRun(figures: Figures, run: ClassRun, night: number, approved: readonly Interval[]): void {
  const length = run.end - run.start;
  figures.worked_minutes += length;
  figures[`${run.class}_minutes`] += length;
  if (run.part) figures[`${run.part}_overtime_minutes`] += length;
  figures.night_minutes += night;
  if (run.class === 'statutory_overtime') figures.night_statutory_overtime_minutes += night;
  if (run.class === 'legal_holiday') figures.night_legal_holiday_minutes += night;
  if (run.class !== 'scheduled') {
    figures.unapproved_overtime_minutes +=
      approved.length === 0 ? length : lengthOf(subtract([run], approved));
  }
}

/** Pauses between the minutes that count, in which no session runs. */
function gapsOf(pieces: readonly Piece[], closed: readonly Interval[]): Interval[] {
  const first = pieces.find(({ kind }) => kind !== 'ignored');
  if (!first) return [];
  const last = pieces.findLast(({ kind }) => kind !== 'ignored')!;
  const around = [{ start: first.start, end: last.end }];
  return lengthWithin(closed, first.start, last.end) === last.end - first.start
    ? []
    : subtract(around, closed);
}

/** Discretionary work (arts. 38-3, 38-4): how long a workday with presence counts; null: as punched. */
function deemedMinutes(plan: DayPlan, pieces: readonly Piece[]): number | null {
  if (plan.system !== 'discretionary' || plan.day_type !== 'workday' || pieces.length === 0) return null;
  return Math.max(0, (plan.terms?.deemed_minutes ?? plan.schedule_minutes) - plan.leave_minutes);
}

/** The punched minutes up to the deemed ones have their classes, what is beyond adds nothing. */
function deemedClasses(
  plan: DayPlan,
  limits: DayLimits,
  work: readonly Interval[],
  deemed: number,
): ClassRun[] {
  const runs: ClassRun[] = [];
  let left = deemed;
  for (const run of classesOf(plan, limits, work)) {
    const counted = Math.min(left, run.end - run.start);
    left -= counted;
    if (counted > 0) runs.push({ ...run, end: run.start + counted });
    if (run.start + counted < run.end) {
      runs.push({ start: run.start + counted, end: run.end, class: 'scheduled', part: null });
    }
  }
  return runs;
}

/** The classes of deemed minutes, whenever they were worked; night stays as punched. */
function setDeemed(figures: Figures, plan: DayPlan, limits: DayLimits, deemed: number): void {
  const within = Math.min(deemed, DAILY_STATUTORY_MINUTES);
  const inWeek = Math.max(0, Math.min(within, limits.weekly_left));
  const scheduled = Math.min(inWeek, plan.required_minutes);
  figures.worked_minutes = deemed;
  figures.scheduled_minutes = scheduled;
  figures.non_statutory_overtime_minutes = inWeek - scheduled;
  figures.daily_overtime_minutes = deemed - within;
  figures.weekly_overtime_minutes = within - inWeek;
  figures.statutory_overtime_minutes = deemed - inWeek;
}
