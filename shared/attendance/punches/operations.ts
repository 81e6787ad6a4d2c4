import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import { plansOf } from '../days/day-plan.ts';
import { dayOf, minuteOf } from '../days/local-time.ts';
import { standingAt, stepOf } from '../days/punch-states.ts';
import { daysToRead, daysTouchedBy } from '../days/reach.ts';
import { dayAt, type Rules } from '../days/rules.ts';
import { lastInstantOf, withPunch } from '../days/sessions-of-punches.ts';
import { workDateOf } from '../days/work-date.ts';
import { notEmployed } from '../leave/refusals.ts';
import { lockMember } from '../members/queries.ts';
import { writeFigures } from '../records/figures.ts';
import { type DaysOfMember, memberDaysOf, rulesAround } from '../records/member-days.ts';
import { shownRecord } from '../records/queries.ts';
import { type AttendanceRecord, SessionModel } from '../records/record.ts';
import { columnsOfSession, newestSessions, recordRows, type SessionRow } from '../records/rows.ts';
import { todayBy } from '../settings/dated.ts';
import type { PlainFields } from '../settings/fields.ts';
import { datedRows, plainSettings } from '../settings/queries.ts';
import { memberOfBody } from '../sight/people.ts';
import { type Punch, type PunchInput, PunchModel, punchFacts } from './record.ts';
import {
  futureTime,
  locationNotEnabled,
  locationRequired,
  occurredAtNotAllowed,
  outOfOrder,
  punchRefused,
  workDateFarOff,
  workDateOfOtherType,
} from './refusals.ts';
import { lastPunch, type PunchRow, shownPunch } from './rows.ts';
import { type PunchStatus, statusAt } from './status.ts';

/** What a punch is answered with. */
export type Punched = { punch: Punch; status: PunchStatus; record: AttendanceRecord };

/** By how much the clock of who sends may be ahead. */
const AHEAD = 60_000;

/**
 * Punches for a member, oneself unless another one is named. The row of the member is locked first, so punches of one member
 * come one after the other; sessions, figures, event and audit entry commit with the punch. One that repeats the last of its
 * type within `duplicate_window_seconds` answers that one and writes nothing. Errors: `role_required`, `unknown_reference`,
 * `occurred_at_not_allowed`, `validation_failed`, `future_time`, `not_employed`, `out_of_order`, those of the state table.
 */
export async function createPunch(work: Work, input: PunchInput): Promise<Punched> {
  const { id: member_id } = await memberOfBody(work, input.member_id);
  if (input.occurred_at !== undefined && work.actor.role === 'member') throw occurredAtNotAllowed();
  const person = await lockMember(work, member_id);
  const [settings, newest, last] = await Promise.all([
    plainSettings(work),
    newestSessions(work, [member_id]).then((found) => found.get(member_id) ?? null),
    lastPunch(work, member_id, input.type),
  ]);
  requireLocation(settings, input);
  const at = instantOf(work, input, newest);
  const standing = standingAt(newest, at, settings.max_session_hours);
  const given = await givenAt(work, member_id, at);
  const work_date = workDateAt(given, input, at, newest);
  requireEmployed(person, work_date);
  if (last && (await isRepeated(work, last, at, settings.duplicate_window_seconds))) {
    work.nothingChanged();
    return answerOf(work, shownPunch(last, true), { newest, at: asked(work, input), settings });
  }
  if (newest && Date.parse(at) < Date.parse(lastInstantOf(newest))) {
    throw outOfOrder(lastInstantOf(newest), standing);
  }
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
  await keepFigures(work, given, session, input.type === 'clock_in' ? null : newest);
  await work.flush();
  const punched = await answerOf(work, punch, { newest: session, at: asked(work, input), settings });
  announce(work, punched);
  return punched;
}

/** The instant that a punch counts at. Errors: `future_time`. */
function instantOf(work: Work, { occurred_at }: PunchInput, newest: SessionRow | null): string {
  if (occurred_at === undefined) {
    const last = newest ? Date.parse(lastInstantOf(newest)) : 0;
    return new Date(Math.max(work.now.getTime(), last)).toISOString();
  }
  if (Date.parse(occurred_at) > work.now.getTime() + AHEAD) throw futureTime();
  return occurred_at;
}

/** The instant that the status is told as of: that of a punch which gives its time, else now. */
function asked(work: Work, { occurred_at }: PunchInput): string {
  return occurred_at ?? work.now.toISOString();
}

type GivenAt = { rules: Rules; member: DaysOfMember };

/** What the days of a member around an instant follow from. */
async function givenAt(work: Work, member_id: string, at: string): Promise<GivenAt> {
  const date = at.slice(0, 10);
  const rules = await rulesAround(work, { from: date, to: date });
  const members = await memberDaysOf(work, [member_id], daysToRead(rules, { from: date, to: date }));
  return { rules, member: members.get(member_id)! };
}

/**
 * The work date of a punch: that of the session which runs; a clock_in's is given or found by the windows. Errors:
 * `validation_failed` at /work_date.
 */
function workDateAt(
  { rules, member }: GivenAt,
  { type, work_date }: PunchInput,
  at: string,
  newest: SessionRow | null,
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

/** Errors: `validation_failed` at /location. */
function requireLocation({ location }: PlainFields, sent: PunchInput): void {
  if (location === 'off' && sent.location !== null) throw locationNotEnabled();
  if (location === 'required' && sent.location === null) throw locationRequired();
}

/** Whether a punch repeats the last one of its type; one whose session a revision removed is repeated by none. */
async function isRepeated(work: Work, last: PunchRow, at: string, seconds: number): Promise<boolean> {
  if (Math.abs(Date.parse(at) - Date.parse(last.occurred_at)) > seconds * 1_000) return false;
  const [session] = await work.connection.query(
    'SELECT FROM attendance_sessions WHERE organization_id = $1 AND id = $2',
    [work.organization_id, last.session_id],
  );
  return session !== undefined;
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

/** Writes the figures that follow from a session that a punch made or changed. */
async function keepFigures(
  work: Work,
  { rules, member }: GivenAt,
  session: SessionRow,
  before: SessionRow | null,
): Promise<void> {
  const { member_id, work_date } = session;
  const touched = daysTouchedBy(plansOf(rules, member), work_date, before ? [before, session] : [session]);
  const kept = await recordRows(work, [member_id], touched);
  const others = member.sessions.filter(({ id }) => id !== session.id);
  writeFigures(work, [
    {
      member_id,
      rules,
      member: { ...member, sessions: [...others, session] },
      kept: kept.get(member_id) ?? [],
      dates: touched,
      changed: work_date,
    },
  ]);
}

type Answering = { newest: SessionRow | null; at: string; settings: PlainFields };

async function answerOf(work: Work, punch: Punch, { newest, at, settings }: Answering): Promise<Punched> {
  const status = statusAt(newest, at, settings.max_session_hours);
  const record = await shownRecord(work, punch.member_id, punch.work_date);
  const shown = status.work_date ?? todayBy(await datedRows(work), work.now);
  const { alerts } = shown === punch.work_date ? record : await shownRecord(work, punch.member_id, shown);
  return { punch, status: { ...status, last_punch: punch, alerts }, record };
}

/** Tells of a session's beginning or end: the record as it was then, with the punch less where it came from. */
function announce(work: Work, { punch, record }: Punched): void {
  if (punch.type !== 'clock_in' && punch.type !== 'clock_out') return;
  const { ip, location, ...told } = punch;
  const type = punch.type === 'clock_in' ? 'attendance.record.clocked_in' : 'attendance.record.clocked_out';
  work.announce(type, { ...record, punch: told });
}
