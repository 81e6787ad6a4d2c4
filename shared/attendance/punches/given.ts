import { daysLater } from '../../kernel/days.ts';
import type { Work } from '../../kernel/work.ts';
import type { Dates } from '../days/reach.ts';
import { daysToRead } from '../days/reach.ts';
import type { Rules } from '../days/rules.ts';
import { lastInstantOf } from '../days/sessions-of-punches.ts';
import { lockNamedMember } from '../members/queries.ts';
import type { MemberRow } from '../members/row.ts';
import { openRecalculations, type Recalculating } from '../recalculation/open.ts';
import type { DaysAtHand } from '../records/days.ts';
import { laidAround, memberDaysOf } from '../records/member-days.ts';
import { newestSessions, recordRows, type SessionRow } from '../records/rows.ts';
import type { DatedRow } from '../settings/dated.ts';
import type { PlainFields } from '../settings/fields.ts';
import type { PunchInput } from './record.ts';
import { futureTime } from './refusals.ts';
import { type LastPunch, lastOfType } from './rows.ts';

/** All that a punch is judged by and that follows from it, read once under the lock of the member. */
export type PunchGiven = {
  /** The instant that the punch counts at. */
  at: string;
  person: MemberRow;
  settings: PlainFields;
  dated: readonly DatedRow[];
  newest: SessionRow | null;
  /** The last punch of the same type. */
  last: LastPunch | null;
  at_hand: DaysAtHand;
  recalculating: Recalculating;
};

/** By how much the clock of who sends may be ahead. */
const AHEAD = 60_000;

/** A session of the day may have begun so long ago, and its work date may be as far ahead. */
const SESSION_DAYS = 3;

/** Alerts look at the four weeks to a day. */
const SHOWN_BEFORE = 27 + SESSION_DAYS;

/**
 * Locks the row of a member and reads what a punch needs: what does not depend on its instant first, then the days around
 * it. Errors: `future_time`.
 */
export async function givenForPunch(work: Work, member_id: string, input: PunchInput): Promise<PunchGiven> {
  const now = work.now.toISOString();
  requirePresent(work, input);
  const date = (input.occurred_at ?? now).slice(0, 10);
  // Statements of one connection run in their order: what follows the lock sees what the holder before committed.
  const [person, laid, newest, last, recalculating] = await Promise.all([
    lockNamedMember(work, member_id),
    laidAround(work, { from: date, to: date }),
    newestSessions(work, [member_id]).then((found) => found.get(member_id) ?? null),
    lastOfType(work, member_id, input.type),
    openRecalculations(work),
  ]);
  const { rules, plain: settings, dated } = laid;
  const at = input.occurred_at ?? later(now, newest);
  const dates = datesAround(rules, [at]);
  const [members, rows] = await Promise.all([
    memberDaysOf(work, [member_id], dates),
    recordRows(work, [member_id], dates),
  ]);
  const at_hand = { member_id, rules, member: members.get(member_id)!, rows: rows.get(member_id) ?? [] };
  return { at, person, settings, dated, newest, last, at_hand, recalculating };
}

/** Errors: `future_time`. */
export function requirePresent({ now }: Pick<Work, 'now'>, { occurred_at }: PunchInput): void {
  if (occurred_at && Date.parse(occurred_at) > now.getTime() + AHEAD) throw futureTime();
}

/** The arrival, or the newest instant of the member where a clock runs ahead of another one. */
export function later(now: string, newest: SessionRow | null): string {
  const last = newest ? lastInstantOf(newest) : now;
  return last > now ? last : now;
}

/** The days that punches at some instants are judged and shown by. */
export function datesAround(rules: Rules, instants: readonly string[]): Dates {
  const days = instants.map((at) => at.slice(0, 10)).toSorted();
  const [first, last] = [days[0]!, days.at(-1)!];
  const read = daysToRead(rules, {
    from: daysLater(first, -SESSION_DAYS),
    to: daysLater(last, SESSION_DAYS),
  });
  const shown = daysLater(first, -SHOWN_BEFORE);
  return { from: shown < read.from ? shown : read.from, to: read.to };
}
