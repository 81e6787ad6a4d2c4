import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import { plansOf } from '../days/day-plan.ts';
import { dateOf, dayOf, minuteOf } from '../days/local-time.ts';
import { standingAt, stepOf } from '../days/punch-states.ts';
import { daysTouchedBy } from '../days/reach.ts';
import { dayAt } from '../days/rules.ts';
import { lastInstantOf, withPunch } from '../days/sessions-of-punches.ts';
import { workDateOf } from '../days/work-date.ts';
import { notEmployed } from '../leave/refusals.ts';
import { requireClosedUnchanged, requireOpenDay } from '../records/closed-days.ts';
import type { Day, DaysAtHand } from '../records/days.ts';
import { writeFigures } from '../records/figures.ts';
import { type AttendanceRecord, SessionModel } from '../records/record.ts';
import { columnsOfSession, type RecordRow, type SessionRow } from '../records/rows.ts';
import { showingWith, shownAtHand } from '../records/shown.ts';
import type { PlainFields } from '../settings/fields.ts';
import { memberOfBody } from '../sight/people.ts';
import { givenForPunch, type PunchGiven } from './given.ts';
import { type Punch, type PunchInput, PunchModel, punchFacts } from './record.ts';
import {
  locationNotEnabled,
  locationRequired,
  occurredAtNotAllowed,
  outOfOrder,
  punchRefused,
  workDateFarOff,
  workDateOfOtherType,
} from './refusals.ts';
import { type LastPunch, type PunchRow, shownPunch } from './rows.ts';
import { type PunchStatus, statusAt } from './status.ts';

/** What a punch is answered with. */
export type Punched = { punch: Punch; status: PunchStatus; record: AttendanceRecord };

/**
 * Punches for a member, oneself unless another one is named. The row of the member is locked first, so punches of one member
 * come one after the other; sessions, figures, event and audit entry commit with the punch. One that repeats the last of its
 * type within `duplicate_window_seconds` answers that one and writes nothing. Errors: `role_required`, `unknown_reference`,
 * `occurred_at_not_allowed`, `validation_failed`, `future_time`, `month_locked`, `not_employed`, `out_of_order`, those of the state table.
 */
export async function createPunch(work: Work, input: PunchInput): Promise<Punched> {
  const { id: member_id } = await memberOfBody(work, input.member_id);
  if (input.occurred_at !== undefined && work.actor.role === 'member') throw occurredAtNotAllowed();
  const given = await givenForPunch(work, member_id, input);
  const { at, newest, last, settings } = given;
  requireLocation(settings, input);
  const standing = standingAt(newest, at, settings.max_session_hours);
  const work_date = workDateAt(given, input);
  requireOpenDay(given.at_hand, work_date);
  requireEmployed(given.person, work_date);
  if (last && isRepeated(last, at, settings.duplicate_window_seconds)) {
    work.nothingChanged();
    return punched(work, given, input, { punch: shownPunch(last, true), session: newest });
  }
  if (newest && at < lastInstantOf(newest)) throw outOfOrder(lastInstantOf(newest), standing);
  const step = stepOf(standing, input.type);
  if ('refused' in step) throw punchRefused(step.refused, standing);
  const session: SessionRow = {
    ...withPunch(newest, input.type, at, work_date),
    id: input.type === 'clock_in' ? newId('asess', work.now) : newest!.id,
    member_id,
  };
  const closesBreak = input.type === 'clock_out' && standing.state === 'on_break';
  if (closesBreak) addPunch(work, { ...input, type: 'break_end' }, session, at, 'system');
  const punch = addPunch(work, input, session, at, work.actor.type === 'api_key' ? 'api' : 'web');
  keepSession(work, session, input.type === 'clock_in');
  const after = { ...given, at_hand: withSession(work, given.at_hand, session, newest) };
  const made = punched(work, after, input, { punch, session });
  announce(work, made);
  return made;
}

/**
 * The work date of a punch: that of the session which runs; a clock_in's is given or found by the windows. Errors:
 * `validation_failed` at /work_date.
 */
function workDateAt(
  { at, newest, at_hand: { rules, member } }: PunchGiven,
  { type, work_date }: PunchInput,
): string {
  if (work_date !== undefined) {
    if (type !== 'clock_in') throw workDateOfOtherType();
    if (Math.abs(dayOf(work_date) - dayAt(rules, minuteOf(at))) > 1) throw workDateFarOff();
    return work_date;
  }
  const runs = newest !== null && newest.clock_out_at === null;
  if (type !== 'clock_in' && runs) return newest.work_date;
  return workDateOf(plansOf(rules, member), at);
}

function requireEmployed(
  { hired_on, left_on }: { hired_on: string | null; left_on: string | null },
  work_date: string,
): void {
  const isEmployed =
    (hired_on === null || work_date >= hired_on) && (left_on === null || work_date <= left_on);
  if (!isEmployed) throw notEmployed(work_date);
}

/** Whether a punch repeats the last one of its type; one whose session a revision removed is repeated by none. */
function isRepeated({ occurred_at, has_session }: LastPunch, at: string, seconds: number): boolean {
  return has_session && Math.abs(Date.parse(at) - Date.parse(occurred_at)) <= seconds * 1_000;
}

/** Errors: `validation_failed` at /location. */
function requireLocation({ location }: PlainFields, sent: PunchInput): void {
  if (location === 'off' && sent.location !== null) throw locationNotEnabled();
  if (location === 'required' && sent.location === null) throw locationRequired();
}

/** Writes a punch with its audit entry. */
function addPunch(
  work: Work,
  { type, note, location }: PunchInput,
  session: SessionRow,
  occurred_at: string,
  source: Punch['source'],
): Punch {
  const isSystem = source === 'system';
  const row: PunchRow = {
    id: newId('punch', work.now),
    member_id: session.member_id,
    session_id: session.id,
    type,
    occurred_at,
    original_occurred_at: work.now.toISOString(),
    work_date: session.work_date,
    source,
    note: isSystem ? null : note,
    location: isSystem ? null : location,
    ip: isSystem ? null : work.ip_address,
    created_by: isSystem ? null : work.actor.user_id,
    created_at: work.now.toISOString(),
  };
  const punch = shownPunch(row);
  work.insert(PunchModel, row);
  work.record(punchFacts.created, { before: null, after: punch });
  return punch;
}

function keepSession(work: Work, session: SessionRow, isNew: boolean): void {
  const { id, ...columns } = columnsOfSession(session);
  if (isNew) work.insert(SessionModel, { id, ...columns });
  else work.update(SessionModel, id, columns);
}

/** Writes the figures that follow from a session that a punch made or changed, and answers what is at hand afterwards. */
function withSession(
  work: Work,
  { member_id, rules, member, rows }: DaysAtHand,
  session: SessionRow,
  before: SessionRow | null,
): DaysAtHand {
  const isKnown = before?.id === session.id;
  const dates = daysTouchedBy(
    plansOf(rules, member),
    session.work_date,
    isKnown ? [before, session] : [session],
  );
  const others = member.sessions.filter(({ id }) => id !== session.id);
  const after = { ...member, sessions: [...others, session] };
  requireClosedUnchanged({ rules, before: member, after, dates });
  const written = writeFigures(work, [
    { member_id, rules, member: after, kept: rows, dates, changed: new Set([session.work_date]) },
  ]).get(member_id)!;
  const kept = new Map(rows.map((row) => [row.work_date, row]));
  for (const [date, day] of written) kept.set(date, day as Day & RecordRow);
  return { member_id, rules, member: after, rows: [...kept.values()] };
}

/** What a punch is answered with: the status as of its time where it gives one, else as of now. */
function punched(
  work: Work,
  { at_hand, dated, settings, recalculating }: PunchGiven,
  { occurred_at }: PunchInput,
  { punch, session }: { punch: Punch; session: SessionRow | null },
): Punched {
  const at = occurred_at ?? work.now.toISOString();
  const newest = new Map(session ? [[session.member_id, session]] : []);
  const showing = showingWith(work, dated, settings, newest);
  const shown = (date: string) => shownAtHand(at_hand, recalculating, date, showing);
  const status = statusAt(session, at, settings.max_session_hours);
  const record = shown(punch.work_date);
  const date = status.work_date ?? dateOf(dayAt(at_hand.rules, minuteOf(at)));
  const { alerts } = date === punch.work_date ? record : shown(date);
  return { punch, status: { ...status, last_punch: punch, alerts }, record };
}

/** Tells of a session's beginning or end: the record as it was then, with the punch less where it came from. */
function announce(work: Work, { punch, record }: Punched): void {
  if (punch.type !== 'clock_in' && punch.type !== 'clock_out') return;
  const { ip, location, ...told } = punch;
  const type = punch.type === 'clock_in' ? 'attendance.record.clocked_in' : 'attendance.record.clocked_out';
  work.announce(type, { ...record, punch: told });
}
