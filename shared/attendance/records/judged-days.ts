import { daysLater } from '../../kernel/days.ts';
import { Failure, invalidAll } from '../../kernel/failure.ts';
import { plansOf } from '../days/day-plan.ts';
import { daysTouchedBy } from '../days/reach.ts';
import { lastInstantOf } from '../days/sessions-of-punches.ts';
import type { Session } from '../days/types.ts';
import { type Checked, checkedSessions, endMissing } from './checks.ts';
import { requireClosedUnchanged, requireOpenDay } from './closed-days.ts';
import type { DaysOfMember } from './member-days.ts';
import { overlappingSession, type SessionInput } from './record.ts';
import { requireEmployed, sessionMeeting } from './replace.ts';
import type { SessionRow } from './rows.ts';

/** So far from its work date a session may begin or end. */
export const REACH = 4;

/** What one of a member's days is to become. */
export type DayAsked = { work_date: string; sent: readonly SessionInput[] };

/** What days of one member are judged by. */
export type JudgedBy = Pick<Checked, 'rules' | 'now' | 'max_session_hours'> & {
  /** With the sessions around the days, those of the days included. */
  member: DaysOfMember;
  newest: SessionRow | null;
};

/** The sessions of a day in order of time, or why it stays as it is. */
export type JudgedDay = { sessions: readonly Session[] } | { refused: Failure };

/**
 * Judges days of one member that are replaced together, by their work dates: each as when it is replaced alone, with the
 * other days as they are to become. Of two that overlap the later is refused; a refused day stays as it is, and keeps others
 * away.
 */
export function judgedDays(asked: readonly DayAsked[], by: JudgedBy): Map<string, JudgedDay> {
  const days = asked.toSorted((one, other) => (one.work_date < other.work_date ? -1 : 1));
  const judged = new Map(days.map((day) => [day.work_date, alone(day, by)]));
  const kept = Map.groupBy(by.member.sessions, ({ work_date }) => work_date);
  const elsewhere = [...by.member.sessions, ...(by.newest ? [by.newest] : [])].filter(
    ({ work_date }) => !judged.has(work_date),
  );
  const latest = latestInstants([
    ...elsewhere,
    ...[...judged.values()].flatMap((day) => ('sessions' in day ? day.sessions : [])),
  ]);
  for (let index = 0; index < days.length; ) {
    const day = days[index]!;
    const found = judged.get(day.work_date)!;
    const near = 'sessions' in found ? sessionsNear(day.work_date, judged, kept) : [];
    const refused =
      'sessions' in found && (refusalOf(day, found.sessions, near, latest) ?? lockedBy(day, judged, by));
    if (!refused) {
      index += 1;
      continue;
    }
    judged.set(day.work_date, { refused });
    // The sessions that stay may keep days away that were judged without them.
    index = Math.max(0, index - 2 * REACH);
  }
  return judged;
}

/** A day by itself. */
function alone(
  { work_date, sent }: DayAsked,
  { member, rules, now, max_session_hours }: JudgedBy,
): JudgedDay {
  return refusedBy(() => {
    requireOpenDay({ rules, member }, work_date);
    requireEmployed(member, work_date);
    const checked = { rules, work_date, now, max_session_hours, newest_elsewhere: null };
    return { sessions: checkedSessions(sent, checked) };
  });
}

function refusedBy<Judged>(judge: () => Judged): Judged | { refused: Failure } {
  try {
    return judge();
  } catch (error) {
    if (error instanceof Failure) return { refused: error };
    throw error;
  }
}

/** `month_locked` where a day that comes after the earlier ones would change one of a closed period; else null. */
function lockedBy(
  { work_date }: DayAsked,
  judged: ReadonlyMap<string, JudgedDay>,
  { rules, member }: JudgedBy,
): Failure | null {
  if (member.frozen.length === 0) return null;
  const isReplaced = (date: string) => date <= work_date && 'sessions' in (judged.get(date) ?? {});
  const come = [...judged].flatMap(([date, day]) =>
    date <= work_date && 'sessions' in day ? day.sessions : [],
  );
  const sessions = [...member.sessions.filter((one) => !isReplaced(one.work_date)), ...come];
  const own = [...member.sessions, ...come].filter((one) => one.work_date === work_date);
  const after = {
    ...member,
    sessions: sessions.toSorted((one, other) => Date.parse(one.clock_in_at) - Date.parse(other.clock_in_at)),
  };
  const dates = daysTouchedBy(plansOf(rules, member), work_date, own);
  const found = refusedBy(() => requireClosedUnchanged({ rules, before: member, after, dates }));
  return found ? found.refused : null;
}

/** Sessions of other work dates that a day's may meet: those that stay, and those of earlier days that come. */
function sessionsNear(
  work_date: string,
  judged: ReadonlyMap<string, JudgedDay>,
  kept: ReadonlyMap<string, readonly SessionRow[]>,
): Session[] {
  const dates = Array.from({ length: 2 * REACH + 1 }, (_, place) => daysLater(work_date, place - REACH));
  return dates.flatMap((date) => {
    const day = judged.get(date);
    if (date === work_date) return [];
    if (day === undefined || 'refused' in day) return [...(kept.get(date) ?? [])];
    return date < work_date ? [...day.sessions] : [];
  });
}

type Latest = { work_date: string; at: string };

/** The newest instants of two work dates, the newest first: one of them is of another date than any that is asked for. */
function latestInstants(sessions: readonly Session[]): Latest[] {
  const latest: Latest[] = [];
  for (const session of sessions) {
    const { work_date } = session;
    const one = { work_date, at: lastInstantOf(session) };
    const known = latest.findIndex((each) => each.work_date === work_date);
    if (known < 0) latest.push(one);
    else if (latest[known]!.at < one.at) latest[known] = one;
    latest.sort((left, right) => (left.at < right.at ? 1 : -1));
    latest.length = Math.min(2, latest.length);
  }
  return latest;
}

/** Why a day cannot be what it was sent as beside the others; null where it can. */
function refusalOf(
  { work_date, sent }: DayAsked,
  sessions: readonly Session[],
  near: readonly Session[],
  latest: readonly Latest[],
): Failure | null {
  const met = sessionMeeting(sessions, near);
  if (met) return overlappingSession(met.work_date);
  const open = sessions.find(({ clock_out_at }) => clock_out_at === null);
  if (!open) return null;
  const others = [
    ...near.map((session) => lastInstantOf(session)),
    ...latest.filter((one) => one.work_date !== work_date).map(({ at }) => at),
  ];
  if (others.every((at) => Date.parse(at) <= Date.parse(open.clock_in_at))) return null;
  return invalidAll([endMissing(sent.findIndex(({ clock_out_at }) => clock_out_at === null))]);
}
