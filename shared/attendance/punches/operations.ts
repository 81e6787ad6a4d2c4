import { dateOf, minuteOf } from '../../kernel/local-time.ts';
import type { Work } from '../../kernel/work.ts';
import { dayAt } from '../days/rules.ts';
import type { AttendanceRecord } from '../records/record.ts';
import type { SessionRow } from '../records/rows.ts';
import { showingWith, shownAtHand } from '../records/shown.ts';
import { memberOfBody } from '../sight/people.ts';
import { givenForPunch, type PunchGiven } from './given.ts';
import { punchWith } from './punching.ts';
import type { Punch, PunchInput } from './record.ts';
import { occurredAtNotAllowed } from './refusals.ts';
import { type PunchStatus, statusAt } from './status.ts';

/** What a punch is answered with. */
export type Punched = { punch: Punch; status: PunchStatus; record: AttendanceRecord };

/**
 * Punches for a member, oneself unless another one is named. The row of the member is locked first, so punches of one member
 * come one after the other; sessions, figures, event and audit entry commit with the punch. One that repeats the last of its
 * type within `duplicate_window_seconds` answers that one and writes nothing. Errors: `role_required`, `unknown_reference`,
 * `occurred_at_not_allowed`, `future_time`, those of `punchWith`.
 */
export async function createPunch(work: Work, input: PunchInput): Promise<Punched> {
  const { id: member_id } = await memberOfBody(work, input.member_id);
  if (input.occurred_at !== undefined && work.actor.role === 'member') throw occurredAtNotAllowed();
  const given = await givenForPunch(work, member_id, input);
  const made = punchWith(work, work, given, input);
  const answer = punched(work, { ...given, at_hand: made.at_hand }, input, made);
  if (made.rows.length === 0) work.nothingChanged();
  else announcePunch(work, answer);
  return answer;
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
export function announcePunch(work: Work, { punch, record }: Pick<Punched, 'punch' | 'record'>): void {
  if (punch.type !== 'clock_in' && punch.type !== 'clock_out') return;
  const { ip, location, ...told } = punch;
  const type = punch.type === 'clock_in' ? 'attendance.record.clocked_in' : 'attendance.record.clocked_out';
  work.announce(type, { ...record, punch: told });
}
