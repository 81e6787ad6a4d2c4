import type { MemberPlans } from './day-plan.ts';
import { type PunchRefusal, type PunchType, standingAt, stepOf } from './punch-states.ts';
import type { Session } from './types.ts';
import { workDateOf } from './work-date.ts';

/** `work_date` is a clock_in's alone; null: found by the windows. */
export type PunchGiven = { type: PunchType; occurred_at: string; work_date: string | null };

export type PunchedSessions =
  | { sessions: Session[] }
  | { refused: PunchRefusal | 'out_of_order'; index: number; session: Session | null };

/** What a punch that the table allows makes of the newest session. `work_date` is that of a clock_in. */
export function withPunch(
  newest: Session | null,
  type: PunchType,
  occurred_at: string,
  work_date: string,
): Session {
  if (type === 'clock_in') return { work_date, clock_in_at: occurred_at, clock_out_at: null, breaks: [] };
  const { breaks } = newest!;
  const last = breaks.at(-1);
  if (type === 'break_start') {
    return { ...newest!, breaks: [...breaks, { start_at: occurred_at, end_at: null }] };
  }
  if (type === 'break_end') {
    return { ...newest!, breaks: [...breaks.slice(0, -1), { ...last!, end_at: occurred_at }] };
  }
  if (last?.end_at !== null) return { ...newest!, clock_out_at: occurred_at };
  const ended = { ...last, end_at: occurred_at, is_closed_by_clock_out: true };
  return { ...newest!, breaks: [...breaks.slice(0, -1), ended], clock_out_at: occurred_at };
}

/** The newest instant that a session holds. */
export function lastInstantOf(session: Session): string {
  const last = session.breaks.at(-1);
  return session.clock_out_at ?? last?.end_at ?? last?.start_at ?? session.clock_in_at;
}

/**
 * The sessions that punches make, one after the other; the first one that is out of order or that the table refuses ends
 * it, with the session that it met.
 */
export function sessionsOfPunches(
  plans: MemberPlans,
  punches: readonly PunchGiven[],
  max_session_hours: number,
): PunchedSessions {
  const sessions: Session[] = [];
  for (const [index, { type, occurred_at, work_date }] of punches.entries()) {
    const newest = sessions.at(-1) ?? null;
    if (newest && Date.parse(occurred_at) < Date.parse(lastInstantOf(newest))) {
      return { refused: 'out_of_order', index, session: newest };
    }
    const step = stepOf(standingAt(newest, occurred_at, max_session_hours), type);
    if ('refused' in step) return { refused: step.refused, index, session: newest };
    const date = type === 'clock_in' ? (work_date ?? workDateOf(plans, occurred_at)) : newest!.work_date;
    const made = withPunch(newest, type, occurred_at, date);
    if (type === 'clock_in') sessions.push(made);
    else sessions[sessions.length - 1] = made;
  }
  return { sessions };
}
