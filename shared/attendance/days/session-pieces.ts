import { dayOf, minuteOf } from '../../kernel/local-time.ts';
import { breaksOfSchedule, statutoryBreaks } from './automatic-breaks.ts';
import { type DayPlan, type MemberPlans, planOf } from './day-plan.ts';
import { type Interval, intersect, lengthOf, subtract } from './intervals.ts';
import { rounded } from './rounding.ts';
import type { ApprovedOvertime, Rounding, Session } from './types.ts';

/** A part of a session that is of one kind; `day` is the session's work date. */
export type Piece = Interval & { day: number; kind: 'work' | 'break' | 'ignored' };

/** A session in rounded minutes. One without end has none after its beginning. */
export type RoundedSession = Interval & {
  day: number;
  is_open: boolean;
  breaks: Interval[];
  session: Session;
};

/** Sessions taken apart, in order of time. */
export type SessionPieces = {
  sessions: RoundedSession[];
  pieces: Piece[];
  /** By work date, the minutes of breaks that were not punched. */
  automatic: Map<number, number>;
};

/** Rounds sessions and takes them apart into work, breaks and what is ignored before the window. */
export function piecesOf(
  plans: MemberPlans,
  sessions: readonly Session[],
  overtime: readonly ApprovedOvertime[],
): SessionPieces {
  const all = roundedSessions(plans, sessions);
  const closed = all.filter(({ is_open }) => !is_open);
  const before = overtime.filter(({ kind }) => kind === 'before').map(plannedInterval);
  const pieces: Piece[] = [];
  const automatic = new Map<number, number>();
  for (const [day, ofDay] of Map.groupBy(all, (one) => one.day)) {
    const plan = planOf(plans, day);
    const wasPunched = ofDay.some(({ breaks }) => breaks.length > 0);
    const parts = ofDay.filter(({ is_open }) => !is_open).map((one) => withoutHead(plan, one, before));
    const made = wasPunched ? [] : automaticBreaks(plan, parts, closed);
    if (made.length > 0) automatic.set(day, lengthOf(made));
    for (const { session, counted, ignored } of parts) {
      const breaks = intersect(counted, wasPunched ? session.breaks : made);
      for (const one of subtract(counted, breaks)) pieces.push(piece(one, day, 'work'));
      for (const one of breaks) pieces.push(piece(one, day, 'break'));
      for (const one of ignored) pieces.push(piece(one, day, 'ignored'));
    }
  }
  return { sessions: all, pieces: pieces.sort((one, other) => one.start - other.start), automatic };
}

function piece({ start, end }: Interval, day: number, kind: Piece['kind']): Piece {
  return { start, end, day, kind };
}

/** The planned interval of an approved request, in minutes. */
export function plannedInterval({ planned_start_at, planned_end_at }: ApprovedOvertime): Interval {
  return { start: minuteOf(planned_start_at), end: minuteOf(planned_end_at) };
}

/** Each time is cut to the minute, rounded, and at least the one before it, over all sessions. */
function roundedSessions(plans: MemberPlans, sessions: readonly Session[]): RoundedSession[] {
  const order = sessions.toSorted((one, other) => (one.clock_in_at < other.clock_in_at ? -1 : 1));
  let last = Number.NEGATIVE_INFINITY;
  return order.map((session) => {
    const day = dayOf(session.work_date);
    const { zone, row } = planOf(plans, day).settings;
    const at = (instant: string, rounding: Rounding): number => {
      last = Math.max(last, rounded(zone, minuteOf(instant), row.rounding.unit_minutes, rounding));
      return last;
    };
    const start = at(session.clock_in_at, row.rounding.clock_in);
    const starts = session.breaks.map(({ start_at, end_at }) => ({
      start: at(start_at, row.rounding.break_start),
      end: end_at === null ? null : at(end_at, row.rounding.break_end),
    }));
    const is_open = session.clock_out_at === null;
    const end = session.clock_out_at === null ? start : at(session.clock_out_at, row.rounding.clock_out);
    const breaks = starts.map((one) => ({ start: one.start, end: one.end ?? end }));
    return { start, end, day, is_open, breaks, session };
  });
}

type Parts = { session: RoundedSession; counted: Interval[]; ignored: Interval[] };

/** `ignore_unless_approved`: the head before the work date's full window, where no approved request covers it. */
function withoutHead(plan: DayPlan, session: RoundedSession, approved: readonly Interval[]): Parts {
  const whole = [{ start: session.start, end: session.end }].filter(({ start, end }) => start < end);
  const isAsked =
    plan.settings.row.early_clock_in === 'ignore_unless_approved' &&
    plan.system !== 'flexible' &&
    plan.system !== 'discretionary';
  if (!isAsked || !plan.window || session.start >= plan.window.start) {
    return { session, counted: whole, ignored: [] };
  }
  const head = { start: session.start, end: Math.min(session.end, plan.window.start) };
  const ignored = subtract([head], approved);
  return { session, counted: subtract(whole, ignored), ignored };
}

function automaticBreaks(
  plan: DayPlan,
  parts: readonly Parts[],
  closed: readonly RoundedSession[],
): Interval[] {
  const mode = plan.settings.row.break_mode;
  if (mode === 'punch') return [];
  const counted = parts.flatMap((part) => part.counted);
  if (counted.length === 0) return [];
  if (mode === 'auto_schedule') return breaksOfSchedule(counted, plan.breaks);
  return statutoryBreaks(counted, plan.breaks, pauseWithin(counted, closed));
}

/** Minutes between the first and the last of some intervals in which no session runs. */
export function pauseWithin(intervals: readonly Interval[], closed: readonly Interval[]): number {
  const first = intervals[0];
  if (!first) return 0;
  return lengthOf(subtract([{ start: first.start, end: intervals.at(-1)!.end }], closed));
}
