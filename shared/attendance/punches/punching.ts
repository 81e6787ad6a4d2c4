import { newId } from '../../kernel/id.ts';
import { dayOf, minuteOf } from '../../kernel/local-time.ts';
import { pick } from '../../kernel/record-fields.ts';
import type { Work } from '../../kernel/work.ts';
import { plansOf } from '../days/day-plan.ts';
import { standingAt, stepOf } from '../days/punch-states.ts';
import { type Dates, daysTouchedBy } from '../days/reach.ts';
import { dayAt } from '../days/rules.ts';
import { lastInstantOf, withPunch } from '../days/sessions-of-punches.ts';
import { workDateOf } from '../days/work-date.ts';
import { notEmployed } from '../leave/refusals.ts';
import { requireClosedUnchanged, requireOpenDay } from '../records/closed-days.ts';
import type { DaysAtHand } from '../records/days.ts';
import { writeFigures } from '../records/figures.ts';
import type { DaysOfMember } from '../records/member-days.ts';
import { SessionModel } from '../records/record.ts';
import type { RowWrites } from '../records/row-writes.ts';
import { columnsOfSession, type RecordRow, recordColumns, type SessionRow } from '../records/rows.ts';
import type { PlainFields } from '../settings/fields.ts';
import type { PunchGiven } from './given.ts';
import { type Punch, type PunchInput, PunchModel, punchFacts } from './record.ts';
import {
  locationNotEnabled,
  locationRequired,
  outOfOrder,
  punchRefused,
  workDateFarOff,
  workDateOfOtherType,
} from './refusals.ts';
import { type LastPunch, type PunchRow, shownPunch } from './rows.ts';

/** A punch that was made or repeated, and what is at hand afterwards. */
export type PunchMade = {
  punch: Punch;
  /** The newest session then. */
  session: SessionRow | null;
  at_hand: DaysAtHand;
  /** The punches that were written, in order: none for a repeated one. */
  rows: readonly PunchRow[];
};

/**
 * Judges a punch by what was read under the lock of its member, and writes it with its audit entry, session and figures to
 * `writes`. Nothing is written of one that is refused. Errors: `validation_failed`, `month_locked`, `not_employed`,
 * `out_of_order`, those of the state table.
 */
export function punchWith(work: Work, writes: RowWrites, given: PunchGiven, input: PunchInput): PunchMade {
  const { at, newest, last, settings, at_hand } = given;
  requireLocation(settings, input);
  const standing = standingAt(newest, at, settings.max_session_hours);
  const work_date = workDateAt(given, input);
  requireOpenDay(at_hand, work_date);
  requireEmployed(given.person, work_date);
  if (last && isRepeated(last, at, settings.duplicate_window_seconds)) {
    return { punch: shownPunch(last, true), session: newest, at_hand, rows: [] };
  }
  if (newest && at < lastInstantOf(newest)) throw outOfOrder(lastInstantOf(newest), standing);
  const step = stepOf(standing, input.type);
  if ('refused' in step) throw punchRefused(step.refused, standing);
  const session: SessionRow = {
    ...withPunch(newest, input.type, at, work_date),
    id: input.type === 'clock_in' ? newId('asess', work.now) : newest!.id,
    member_id: at_hand.member_id,
  };
  const changed = changedBy(at_hand, session, newest);
  const closesBreak = input.type === 'clock_out' && standing.state === 'on_break';
  const rows = [
    ...(closesBreak ? [addPunch(work, writes, { ...input, type: 'break_end' }, session, at, 'system')] : []),
    addPunch(work, writes, input, session, at, work.actor.type === 'api_key' ? 'api' : 'web'),
  ];
  keepSession(writes, session, input.type === 'clock_in');
  return {
    punch: shownPunch(rows.at(-1)!),
    session,
    at_hand: withFigures(writes, at_hand, changed, session.work_date),
    rows,
  };
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
  rows: RowWrites,
  { type, note, location }: PunchInput,
  session: SessionRow,
  occurred_at: string,
  source: Punch['source'],
): PunchRow {
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
  rows.insert(PunchModel, row);
  work.record(punchFacts.created, { before: null, after: shownPunch(row) });
  return row;
}

function keepSession(rows: RowWrites, session: SessionRow, isNew: boolean): void {
  const { id, ...columns } = columnsOfSession(session);
  if (isNew) rows.insert(SessionModel, { id, ...columns });
  else rows.update(SessionModel, id, columns);
}

/** What a session that a punch makes or changes leads to. Errors: `month_locked`. */
function changedBy(
  { rules, member }: DaysAtHand,
  session: SessionRow,
  before: SessionRow | null,
): { after: DaysOfMember; dates: Dates } {
  const isKnown = before?.id === session.id;
  const dates = daysTouchedBy(
    plansOf(rules, member),
    session.work_date,
    isKnown ? [before, session] : [session],
  );
  const others = member.sessions.filter(({ id }) => id !== session.id);
  const after = { ...member, sessions: [...others, session] };
  requireClosedUnchanged({ rules, before: member, after, dates });
  return { after, dates };
}

/** Writes the figures that follow, and answers what is at hand afterwards. */
function withFigures(
  writes: RowWrites,
  { member_id, rules, rows }: DaysAtHand,
  { after, dates }: { after: DaysOfMember; dates: Dates },
  work_date: string,
): DaysAtHand {
  const written = writeFigures(writes, [
    { member_id, rules, member: after, kept: rows, dates, changed: new Set([work_date]) },
  ]).get(member_id)!;
  const kept = new Map(rows.map((row) => [row.work_date, row]));
  for (const [date, day] of written) kept.set(date, pick(day as RecordRow, recordColumns));
  return { member_id, rules, member: after, rows: [...kept.values()] };
}
