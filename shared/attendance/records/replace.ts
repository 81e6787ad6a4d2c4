import { daysLater } from '../../kernel/days.ts';
import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import { plansOf } from '../days/day-plan.ts';
import { daysToRead, daysTouchedBy } from '../days/reach.ts';
import type { Rules } from '../days/rules.ts';
import { lastInstantOf } from '../days/sessions-of-punches.ts';
import type { Session } from '../days/types.ts';
import { notEmployed } from '../leave/refusals.ts';
import { lockMember } from '../members/queries.ts';
import { plainSettings } from '../settings/queries.ts';
import { checkedSessions } from './checks.ts';
import { requireClosedUnchanged, requireOpenDay } from './closed-days.ts';
import type { Day } from './days.ts';
import { writeFigures } from './figures.ts';
import { type DaysOfMember, memberDaysOf, rulesAround } from './member-days.ts';
import {
  DayRevisionModel,
  type DayTold,
  overlappingSession,
  recordFacts,
  type SessionInput,
  SessionModel,
  type SessionShown,
  staleDay,
} from './record.ts';
import { columnsOfSession, occupiedUntil, type RecordRow, recordRows, type SessionRow } from './rows.ts';

/** So far from its work date a session may begin or end. */
const REACH = 4;

/** What replaces the sessions of a day, and why. */
export type Replacing = {
  source: 'put' | 'correction' | 'import' | 'revert';
  reason: string | null;
  correction_id?: string | null;
  /** The version that the day must have still; where absent If-Match says which. */
  base_version?: number;
};

/** What a day would become: nothing is written yet. */
export type JudgedDay = {
  rules: Rules;
  member: DaysOfMember;
  row: RecordRow | undefined;
  /** That of the record; 0 while there is none. */
  version: number;
  before: readonly SessionRow[];
  /** Those that were sent, in order of time. */
  sessions: readonly Session[];
};

/**
 * Judges sessions that a member's work date should have, behind the lock of the member. `requireVersion` is asked first.
 * Errors: its own, `month_locked`, `not_employed`, `validation_failed` at /sessions/n/..., `overlapping_session`.
 */
export async function judgeSessions(
  work: Work,
  member_id: string,
  work_date: string,
  sent: readonly SessionInput[],
  requireVersion: (version: number) => void = () => {},
): Promise<JudgedDay> {
  const locked = await lockMember(work, member_id);
  const dates = { from: work_date, to: work_date };
  const [rules, settings] = await Promise.all([rulesAround(work, dates), plainSettings(work)]);
  const [members, elsewhere, [row]] = await Promise.all([
    memberDaysOf(
      work,
      [member_id],
      daysToRead(rules, { from: daysLater(work_date, -REACH), to: daysLater(work_date, REACH) }),
    ),
    sessionsElsewhere(work, member_id, work_date, sent),
    recordRows(work, [member_id], dates).then((rows) => rows.get(member_id) ?? []),
  ]);
  const version = row?.version ?? 0;
  requireVersion(version);
  const member = members.get(member_id)!;
  requireOpenDay({ rules, member }, work_date);
  requireEmployed(locked, work_date);
  const sessions = checkedSessions(sent, {
    rules,
    work_date,
    now: work.now,
    max_session_hours: settings.max_session_hours,
    newest_elsewhere: elsewhere.newest,
  });
  requireRoom(sessions, elsewhere.near);
  const before = member.sessions.filter((session) => session.work_date === work_date);
  return { rules, member, row, version, before, sessions };
}

/**
 * Replaces the sessions of a member's work date: writes a revision, the sessions, the figures that follow and an audit entry.
 * No punches are written; state and later punches go on from the new sessions. The same sessions write nothing. Answers the
 * day. Errors: `precondition_failed`, `stale_day`, those of `judgeSessions`, `month_locked` for a closed day that changes too.
 */
export async function replaceSessions(
  work: Work,
  member_id: string,
  work_date: string,
  sent: readonly SessionInput[],
  { source, reason, correction_id = null, base_version }: Replacing,
): Promise<Day | null> {
  const requireVersion = (version: number) => {
    if (base_version === undefined) work.precondition({ object: 'attendance.record', version });
    else if (base_version !== version) throw staleDay(version);
  };
  const judged = await judgeSessions(work, member_id, work_date, sent, requireVersion);
  const { rules, member, row, before, sessions } = judged;
  if (isSame(before, sessions)) {
    work.nothingChanged();
    return null;
  }
  const after = rowsAfter(work, member_id, before, sessions);
  work.run(
    'DELETE FROM attendance_sessions WHERE organization_id = $1 AND member_id = $2 AND work_date = $3',
    [work.organization_id, member_id, work_date],
  );
  await work.flush();
  work.insertAll(SessionModel, after.map(columnsOfSession));
  const touched = daysTouchedBy(plansOf(rules, member), work_date, [...before, ...after]);
  const changed = {
    ...member,
    sessions: inOrder([...member.sessions.filter((one) => !before.includes(one)), ...after]),
  };
  requireClosedUnchanged({ rules, before: member, after: changed, dates: touched });
  const kept = await recordRows(work, [member_id], touched);
  const days = writeFigures(work, [
    {
      member_id,
      rules,
      member: changed,
      kept: kept.get(member_id) ?? [],
      dates: touched,
      changed: new Set([work_date]),
    },
  ]);
  const day = days.get(member_id)!.get(work_date)!;
  work.insert(DayRevisionModel, {
    id: newId('arev', work.now),
    member_id,
    work_date,
    version: day.version,
    source,
    reason,
    correction_id,
    sessions_before: before.map(shownSession),
    sessions: after.map(shownSession),
    actor: { type: work.actor.type, id: work.actor.id },
    created_at: work.now.toISOString(),
  });
  const told = (version: number, rows: readonly SessionRow[]): DayTold => ({
    id: day.id!,
    object: 'attendance.record',
    member_id,
    work_date,
    sessions: rows.map(shownSession),
    version,
  });
  work.record(row ? recordFacts.updated : recordFacts.created, {
    before: row ? told(row.version, before) : null,
    after: told(day.version, after),
  });
  return day;
}

/** Errors: `not_employed`. */
export function requireEmployed(
  { hired_on, left_on }: { hired_on: string | null; left_on: string | null },
  work_date: string,
): void {
  if ((hired_on !== null && work_date < hired_on) || (left_on !== null && work_date > left_on)) {
    throw notEmployed(work_date);
  }
}

/** A session as the API shows it. */
export function shownSession({
  clock_in_at,
  clock_out_at,
  breaks,
}: Omit<Session, 'work_date'>): SessionShown {
  return {
    clock_in_at,
    clock_out_at,
    breaks: breaks.map(({ start_at, end_at }) => ({ start_at, end_at })),
  };
}

/** Whether two days show the same sessions. */
export function isSame(before: readonly Session[], after: readonly Session[]): boolean {
  return JSON.stringify(before.map(shownSession)) === JSON.stringify(after.map(shownSession));
}

/** Sessions in order of time. */
export function inOrder(sessions: readonly SessionRow[]): SessionRow[] {
  return sessions.toSorted((one, other) => Date.parse(one.clock_in_at) - Date.parse(other.clock_in_at));
}

/** The new sessions; one that has a part of the time of an earlier one stays that one, so that its punches are still its. */
export function rowsAfter(
  work: Work,
  member_id: string,
  before: readonly SessionRow[],
  sessions: readonly Session[],
): SessionRow[] {
  const free = [...before];
  return sessions.map((session) => {
    const place = free.findIndex((old) => meets(old, session));
    const [old] = place < 0 ? [] : free.splice(place, 1);
    return { ...session, id: old?.id ?? newId('asess', work.now), member_id };
  });
}

/** Whether two sessions have a part of the time, or begin at the same instant. */
function meets(one: Session, other: Session): boolean {
  const [start, end] = [Date.parse(one.clock_in_at), Date.parse(occupiedUntil(one))];
  const [from, until] = [Date.parse(other.clock_in_at), Date.parse(occupiedUntil(other))];
  return start === from || (start < until && from < end);
}

/** Sessions of other work dates that new ones may meet, and the newest instant of all of these. */
async function sessionsElsewhere(
  { connection, organization_id }: Work,
  member_id: string,
  work_date: string,
  sent: readonly SessionInput[],
): Promise<{ near: SessionRow[]; newest: string | null }> {
  const instants = sent
    .flatMap(({ clock_in_at, clock_out_at }) => [clock_in_at, clock_out_at ?? clock_in_at])
    .sort();
  const columns = 'id, member_id, work_date, clock_in_at, clock_out_at, breaks';
  const [near, [newest]] = await Promise.all([
    connection.query<SessionRow>(
      `SELECT ${columns} FROM attendance_sessions
        WHERE organization_id = $1 AND member_id = $2 AND work_date <> $3
          AND tstzrange(clock_in_at, occupied_until) && tstzrange($4::timestamptz, $5::timestamptz, '[]')`,
      [organization_id, member_id, work_date, instants[0] ?? null, instants.at(-1) ?? null],
    ),
    connection.query<SessionRow>(
      `SELECT ${columns} FROM attendance_sessions
        WHERE organization_id = $1 AND member_id = $2 AND work_date <> $3
        ORDER BY clock_in_at DESC, clock_out_at DESC NULLS FIRST LIMIT 1`,
      [organization_id, member_id, work_date],
    ),
  ]);
  return { near: instants.length === 0 ? [] : near, newest: newest ? lastInstantOf(newest) : null };
}

/** Errors: `overlapping_session`, with the work date of the other one. */
function requireRoom(sessions: readonly Session[], others: readonly SessionRow[]): void {
  const met = sessionMeeting(sessions, others);
  if (met) throw overlappingSession(met.work_date);
}

/** The first of some sessions that has a part of the time of one of the others. */
export function sessionMeeting<Other extends Session>(
  sessions: readonly Session[],
  others: readonly Other[],
): Other | undefined {
  for (const session of sessions) {
    const [start, end] = [Date.parse(session.clock_in_at), Date.parse(occupiedUntil(session))];
    const other = others.find(
      (one) => start < Date.parse(occupiedUntil(one)) && Date.parse(one.clock_in_at) < end,
    );
    if (other) return other;
  }
  return undefined;
}
