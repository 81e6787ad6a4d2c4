import { Failure, invalid, unknownReference } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { lockMembers } from '../members/queries.ts';
import { openRecalculations } from '../recalculation/open.ts';
import { laidAround, memberDaysOf } from '../records/member-days.ts';
import { CollectedRows } from '../records/row-writes.ts';
import { newestSessions, recordRows } from '../records/rows.ts';
import { showingWith, shownAtHand } from '../records/shown.ts';
import { requireManagement } from '../sight/people.ts';
import { ownMemberId } from '../sight/sight.ts';
import { datesAround, later, type PunchGiven, requirePresent } from './given.ts';
import { announcePunch } from './operations.ts';
import { type PunchMade, punchWith } from './punching.ts';
import type { BatchedPunch, Punch } from './record.ts';
import { type LastPunch, lastOfTypes } from './rows.ts';

/** What came of one punch of a batch. */
export type PunchOutcome = { index: number } & ({ punch: Punch } | { refused: Failure });

/** Members whose days are read together. */
const MEMBERS_TOGETHER = 100;

/** A punch, its place in the batch and when it counts. */
type Sent = { index: number; input: BatchedPunch; at: string };

/**
 * Makes many punches, each as if it was sent alone and those of a member in order of time; a refused one stops no other. The
 * members are locked in the order of their IDs. Answers the outcomes in the order of the batch. Errors: `role_required`.
 */
export async function createPunches(work: Work, inputs: readonly BatchedPunch[]): Promise<PunchOutcome[]> {
  requireManagement(work);
  work.nothingChanged();
  const memberOf = await membersNamed(work, inputs);
  const now = work.now.toISOString();
  const outcomes: PunchOutcome[] = [];
  const sent = new Map<string, Sent[]>();
  for (const [index, input] of inputs.entries()) {
    const found = refusedOr(() => {
      const member_id = memberOf(input);
      requirePresent(work, input);
      return member_id;
    });
    if (typeof found !== 'string') outcomes.push({ index, refused: found });
    else sent.set(found, [...(sent.get(found) ?? []), { index, input, at: input.occurred_at ?? now }]);
  }
  const ids = [...sent.keys()].toSorted();
  const writes = new CollectedRows(work);
  for (let first = 0; first < ids.length; first += MEMBERS_TOGETHER) {
    const some = ids.slice(first, first + MEMBERS_TOGETHER);
    const given = await givenForMembers(work, new Map(some.map((id) => [id, sent.get(id)!])));
    for (const id of some) {
      outcomes.push(...punchesOfMember(work, writes, given(id), sent.get(id)!));
    }
    await work.flushFacts();
  }
  writes.write(work);
  return outcomes.toSorted((one, other) => one.index - other.index);
}

function refusedOr<Value>(judge: () => Value): Value | Failure {
  try {
    return judge();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** All that the punches of a member are judged by; `last` are those of each type. */
type MemberGiven = Omit<PunchGiven, 'at' | 'last'> & { lasts: ReadonlyMap<Punch['type'], LastPunch> };

/** Locks members and reads once what their punches need. */
async function givenForMembers(
  work: Work,
  sent: ReadonlyMap<string, readonly Sent[]>,
): Promise<(member_id: string) => MemberGiven> {
  const ids = [...sent.keys()];
  const instants = [...sent.values()].flatMap((own) => own.map(({ at }) => at)).toSorted();
  // Statements of one connection run in their order: what follows the locks sees what their holders before committed.
  const [people, newest, lasts, recalculating] = await Promise.all([
    lockMembers(work, ids),
    newestSessions(work, ids),
    lastOfTypes(work, ids),
    openRecalculations(work),
  ]);
  // A punch without a time may count at the newest instant of its member, which another clock made.
  const latest = [...newest.values()].map((session) => later(instants.at(-1)!, session)).toSorted();
  const all = [instants[0]!, instants.at(-1)!, ...latest.slice(-1)];
  const [from, to] = [instants[0]!.slice(0, 10), all.toSorted().at(-1)!.slice(0, 10)];
  const { rules, plain: settings, dated } = await laidAround(work, { from, to });
  const dates = datesAround(rules, all);
  const [members, rows] = await Promise.all([memberDaysOf(work, ids, dates), recordRows(work, ids, dates)]);
  return (member_id) => ({
    person: people.get(member_id)!,
    settings,
    dated,
    newest: newest.get(member_id) ?? null,
    lasts: new Map(lasts.get(member_id)?.map((last) => [last.type, last])),
    at_hand: { member_id, rules, member: members.get(member_id)!, rows: rows.get(member_id) ?? [] },
    recalculating,
  });
}

/** The punches of one member in order of time, each from what the one before left. */
function punchesOfMember(
  work: Work,
  writes: CollectedRows,
  given: MemberGiven,
  sent: readonly Sent[],
): PunchOutcome[] {
  let present = given;
  const inTime = sent.toSorted((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
  return inTime.map(({ index, input }): PunchOutcome => {
    const { lasts, ...rest } = present;
    const at = input.occurred_at ?? later(work.now.toISOString(), present.newest);
    const last = lasts.get(input.type) ?? null;
    const made = refusedOr(() => punchWith(work, writes, { ...rest, at, last }, input));
    if (made instanceof Failure) return { index, refused: made };
    present = after(present, made);
    if (made.rows.length > 0) tell(work, present, made);
    return { index, punch: made.punch };
  });
}

function after(given: MemberGiven, { session, at_hand, rows }: PunchMade): MemberGiven {
  const lasts = new Map(given.lasts);
  for (const row of rows) {
    const known = lasts.get(row.type);
    if (!known || known.occurred_at <= row.occurred_at) lasts.set(row.type, { ...row, has_session: true });
  }
  return { ...given, lasts, newest: session, at_hand };
}

function tell(work: Work, { at_hand, recalculating, dated, settings }: MemberGiven, made: PunchMade): void {
  const { punch, session } = made;
  if (punch.type !== 'clock_in' && punch.type !== 'clock_out') return;
  const showing = showingWith(work, dated, settings, new Map(session ? [[session.member_id, session]] : []));
  const record = shownAtHand(at_hand, recalculating, punch.work_date, showing);
  announcePunch(work, { punch, record });
}

/** Finds whom punches are about: by the member, by the code, else who asks. */
async function membersNamed(
  work: Work,
  inputs: readonly BatchedPunch[],
): Promise<(input: BatchedPunch) => string> {
  const { connection, organization_id } = work;
  const [rows, own] = await Promise.all([
    connection.query<{ id: string; employee_code: string | null }>(
      `SELECT id, employee_code FROM attendance_members WHERE organization_id = $1 AND id = ANY ($2)
        UNION SELECT id, employee_code FROM attendance_members
        WHERE organization_id = $1 AND employee_code = ANY ($3)`,
      [
        organization_id,
        [...new Set(inputs.flatMap(({ member_id }) => member_id ?? []))],
        [...new Set(inputs.flatMap(({ employee_code }) => employee_code ?? []))],
      ],
    ),
    ownMemberId(work),
  ]);
  const ids = new Set(rows.map(({ id }) => id));
  const by_code = new Map(rows.map(({ id, employee_code }) => [employee_code, id]));
  return ({ member_id, employee_code }) => {
    if (member_id !== undefined && employee_code !== undefined) {
      throw invalid('/employee_code', 'not_allowed', {
        en: 'member_id and employee_code are not sent together',
        ja: 'member_id と employee_code は同時に指定できません',
      });
    }
    if (employee_code !== undefined) {
      const id = by_code.get(employee_code);
      if (id === undefined) throw unknownReference('/employee_code', employee_code);
      return id;
    }
    if (member_id !== undefined && !ids.has(member_id)) throw unknownReference('/member_id', member_id);
    const id = member_id ?? own;
    if (id !== null) return id;
    throw invalid('/member_id', 'required', {
      en: 'member_id is required: you are no member yourself',
      ja: 'member_id は必須です。呼び出し元がメンバーではありません',
    });
  };
}
