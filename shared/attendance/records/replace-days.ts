import { daysLater } from '../../kernel/days.ts';
import type { Failure } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import { FACTS_TOGETHER, type Work } from '../../kernel/work.ts';
import { plansOf } from '../days/day-plan.ts';
import { type Dates, daysToRead, daysTouchedBy } from '../days/reach.ts';
import type { Rules } from '../days/rules.ts';
import { lockMembers } from '../members/queries.ts';
import type { Day } from './days.ts';
import { writeFigures } from './figures.ts';
import { type DayAsked, judgedDays, REACH } from './judged-days.ts';
import { type DaysOfMember, laidAround, memberDaysOf } from './member-days.ts';
import { DayRevisionModel, type DayTold, recordFacts, SessionModel, type SessionShown } from './record.ts';
import { inOrder, isSame, type Replacing, rowsAfter, shownSession } from './replace.ts';
import { columnsOfSession, newestSessions, type RecordRow, recordRows, type SessionRow } from './rows.ts';

/** Days of a member that are replaced together. */
export type DaysAsked = { member_id: string; days: readonly DayAsked[] };

/** A day as it was and is. `version` is that of its record then; null where nothing was written. */
export type ReplacedDay = {
  outcome: 'created' | 'updated' | 'unchanged';
  before: SessionShown[];
  after: SessionShown[];
  version: number | null;
};

/** What became of a day. */
export type DayReplaced = ReplacedDay | { refused: Failure };

/** By member and work date. */
export type DaysReplaced = Map<string, Map<string, DayReplaced>>;

/** A day whose sessions become others. */
type Change = { work_date: string; before: SessionRow[]; after: SessionRow[] };

type Changed = { member_id: string; rules: Rules; member: DaysOfMember; dates: Dates; changes: Change[] };

/**
 * Replaces days of many members, each as `replaceSessions` does, in a fixed number of statements. The members are locked in
 * the order of their IDs. Days of one member are judged together, and a refused one stops no other. A dry run only judges.
 */
export async function replaceDays(
  work: Work,
  asked: readonly DaysAsked[],
  { source, reason, dry_run = false }: Replacing & { dry_run?: boolean },
): Promise<DaysReplaced> {
  const ids = asked.map(({ member_id }) => member_id);
  const dates = asked.flatMap(({ days }) => days.map(({ work_date }) => work_date)).toSorted();
  if (dates.length === 0) return new Map(ids.map((id) => [id, new Map()]));
  const [from, to] = [daysLater(dates[0]!, -REACH), daysLater(dates.at(-1)!, REACH)];
  if (!dry_run) await lockMembers(work, ids);
  const { rules, plain } = await laidAround(work, { from, to });
  const [members, newest] = await Promise.all([
    memberDaysOf(work, ids, daysToRead(rules, { from, to })),
    newestSessions(work, ids),
  ]);
  const replaced: DaysReplaced = new Map();
  const changed: Changed[] = [];
  for (const { member_id, days } of asked) {
    const member = members.get(member_id)!;
    const judged = judgedDays(days, {
      rules,
      now: work.now,
      max_session_hours: plain.max_session_hours,
      member,
      newest: newest.get(member_id) ?? null,
    });
    const own = new Map<string, DayReplaced>();
    const changes: Change[] = [];
    const kept = Map.groupBy(member.sessions, ({ work_date }) => work_date);
    for (const [work_date, day] of judged) {
      const before = kept.get(work_date) ?? [];
      if ('refused' in day) {
        own.set(work_date, day);
        continue;
      }
      const after = rowsAfter(work, member_id, before, day.sessions);
      const isUnchanged = isSame(before, after);
      own.set(work_date, {
        outcome: isUnchanged ? 'unchanged' : before.length === 0 ? 'created' : 'updated',
        before: before.map(shownSession),
        after: after.map(shownSession),
        version: null,
      });
      if (!isUnchanged) changes.push({ work_date, before, after });
    }
    replaced.set(member_id, own);
    if (changes.length > 0) changed.push(changeOf(rules, member_id, member, changes));
  }
  if (!dry_run && changed.length > 0) await write(work, changed, replaced, { source, reason });
  return replaced;
}

/** What the days of a member follow from after the changes, and which of them may come out differently. */
function changeOf(rules: Rules, member_id: string, member: DaysOfMember, changes: Change[]): Changed {
  const plans = plansOf(rules, member);
  const touched = changes.map(({ work_date, before, after }) =>
    daysTouchedBy(plans, work_date, [...before, ...after]),
  );
  const removed = new Set(changes.flatMap(({ before }) => before));
  const stay = member.sessions.filter((session) => !removed.has(session));
  return {
    member_id,
    rules,
    member: { ...member, sessions: inOrder([...stay, ...changes.flatMap(({ after }) => after)]) },
    dates: around(touched),
    changes,
  };
}

/** The range that holds all of some ranges. */
function around(dates: readonly Dates[]): Dates {
  return {
    from: dates.map(({ from }) => from).reduce((one, other) => (one < other ? one : other)),
    to: dates.map(({ to }) => to).reduce((one, other) => (one > other ? one : other)),
  };
}

async function write(
  work: Work,
  changed: readonly Changed[],
  replaced: DaysReplaced,
  { source, reason }: Replacing,
): Promise<void> {
  const changes = changed.flatMap((one) => one.changes);
  work.run('DELETE FROM attendance_sessions WHERE organization_id = $1 AND id = ANY ($2)', [
    work.organization_id,
    changes.flatMap(({ before }) => before.map(({ id }) => id)),
  ]);
  const ids = changed.map(({ member_id }) => member_id);
  const [kept] = await Promise.all([
    recordRows(work, ids, around(changed.map(({ dates }) => dates))),
    work.flush(),
  ]);
  work.insertAll(SessionModel, changes.flatMap(({ after }) => after).map(columnsOfSession));
  const figures = writeFigures(
    work,
    changed.map(({ changes: own, ...one }) => ({
      ...one,
      kept: kept.get(one.member_id) ?? [],
      changed: new Set(own.map(({ work_date }) => work_date)),
    })),
  );
  work.insertAll(
    DayRevisionModel,
    changed.flatMap(({ member_id, changes: own }) =>
      own.map(({ work_date, before, after }) => ({
        id: newId('arev', work.now),
        member_id,
        work_date,
        version: figures.get(member_id)!.get(work_date)!.version,
        source,
        reason,
        correction_id: null,
        sessions_before: before.map(shownSession),
        sessions: after.map(shownSession),
        actor: { type: work.actor.type, id: work.actor.id },
        created_at: work.now.toISOString(),
      })),
    ),
  );
  for (const { member_id, changes: own } of changed) {
    const known = new Map(kept.get(member_id)?.map((row) => [row.work_date, row]));
    for (const change of own) {
      const day = figures.get(member_id)!.get(change.work_date)!;
      tell(work, day, change, known.get(change.work_date));
      const found = replaced.get(member_id)!.get(change.work_date)!;
      if ('version' in found) found.version = day.version;
      if (work.recorded % FACTS_TOGETHER === 0) await work.flushFacts();
    }
  }
}

/** The entry of the audit log. */
function tell(work: Work, day: Day, { work_date, before, after }: Change, row: RecordRow | undefined): void {
  const told = (version: number, rows: readonly SessionRow[]): DayTold => ({
    id: day.id!,
    object: 'attendance.record',
    member_id: day.member_id,
    work_date,
    sessions: rows.map(shownSession),
    version,
  });
  work.record(row ? recordFacts.updated : recordFacts.created, {
    before: row ? told(row.version, before) : null,
    after: told(day.version, after),
  });
}
