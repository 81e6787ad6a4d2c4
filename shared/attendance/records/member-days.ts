import { oneOf } from '../../db/one-of.ts';
import { daysLater } from '../../kernel/days.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Dates } from '../days/reach.ts';
import { daysToRead } from '../days/reach.ts';
import { type Rules, rulesOf } from '../days/rules.ts';
import type { LeaveOfDay, MemberDays } from '../days/types.ts';
import { approvedRequestsOf } from '../leave/requests/rows.ts';
import { partsOf } from '../leave/rules/span.ts';
import { organizationLaid } from '../organization-rules.ts';
import { approvedOvertimeOf } from '../overtime-requests/approved.ts';
import { rosterBetween } from '../roster/queries.ts';
import type { DatedRow } from '../settings/dated.ts';
import type { PlainFields } from '../settings/fields.ts';
import { frozenDaysOf } from '../submissions/frozen.ts';
import { allTerms } from '../terms/queries.ts';
import { type SessionRow, sessionRows } from './rows.ts';

/** What the days of a member follow from while nothing is worked. */
export type PlansOfMember = Omit<MemberDays, 'sessions' | 'overtime'>;

/** The same with the sessions as they are kept, and the overtime that was approved. */
export type DaysOfMember = Omit<MemberDays, 'sessions'> & { sessions: readonly SessionRow[] };

/** What days of members are computed with. */
export type Given = { rules: Rules; members: ReadonlyMap<string, DaysOfMember> };

/** A period has up to 59 days, and a session reaches four days on: so far holidays are read. */
const FARTHEST = 70;

/** The rules of an organization for the days around some dates. */
export async function rulesAround(reader: Reader, dates: Dates): Promise<Rules> {
  return (await laidAround(reader, dates)).rules;
}

/** The same with the settings that they follow from. */
export async function laidAround(
  reader: Reader,
  { from, to }: Dates,
): Promise<{ rules: Rules; dated: DatedRow[]; plain: PlainFields }> {
  const laid = await organizationLaid(reader, daysLater(from, -FARTHEST), daysLater(to, FARTHEST));
  return { ...laid, rules: rulesOf(laid.rules) };
}

/** All that the records of members on some dates follow from. A fixed number of statements, however many members. */
export async function givenFor(reader: Reader, member_ids: readonly string[], asked: Dates): Promise<Given> {
  const rules = await rulesAround(reader, asked);
  return { rules, members: await memberDaysOf(reader, member_ids, daysToRead(rules, asked)) };
}

/** What members bring on some dates. Whoever left the organization's list is left out. */
export async function memberDaysOf(
  reader: Reader,
  member_ids: readonly string[],
  dates: Dates,
): Promise<Map<string, DaysOfMember>> {
  const [members, sessions, overtime] = await Promise.all([
    memberPlansOf(reader, member_ids, dates),
    sessionRows(reader, member_ids, dates),
    approvedOvertimeOf(reader, member_ids, dates),
  ]);
  return new Map(
    [...members].map(([id, member]) => [
      id,
      { ...member, sessions: sessions.get(id) ?? [], overtime: overtime.get(id) ?? [] },
    ]),
  );
}

/** What members bring on some dates before they work: what makes days of theirs workdays, and what leave takes. */
export async function memberPlansOf(
  reader: Reader,
  member_ids: readonly string[],
  dates: Dates,
): Promise<Map<string, PlansOfMember>> {
  const { from, to } = dates;
  const [members, terms, roster, leave, frozen] = await Promise.all([
    reader.connection.query<{ id: string; hired_on: string | null; left_on: string | null }>(
      `SELECT id, hired_on, left_on FROM attendance_members WHERE organization_id = $1 AND id = ${oneOf('$2')} ORDER BY id`,
      [reader.organization_id, member_ids],
    ),
    allTerms(reader, member_ids),
    rosterBetween(reader, member_ids, from, to),
    leaveDaysOf(reader, member_ids, dates),
    frozenDaysOf(reader, member_ids, dates),
  ]);
  return new Map(
    members.map(({ id, hired_on, left_on }) => [
      id,
      {
        hired_on,
        left_on,
        terms: terms.get(id) ?? [],
        roster: roster.get(id) ?? [],
        leave: leave.get(id) ?? [],
        frozen: frozen.get(id) ?? [],
      },
    ]),
  );
}

/** The days of approved leave of members between two dates, by member. */
async function leaveDaysOf(
  reader: Reader,
  member_ids: readonly string[],
  dates: Dates,
): Promise<Map<string, LeaveOfDay[]>> {
  const requests = await approvedRequestsOf(reader, member_ids, dates);
  const days = new Map<string, LeaveOfDay[]>();
  for (const request of requests) {
    const own = days.get(request.member_id) ?? [];
    days.set(request.member_id, own);
    for (const { date, part } of partsOf(request)) {
      if (date < dates.from || date > dates.to) continue;
      const { id: request_id, type, start_time, hours } = request;
      own.push({ date, request_id, type, unit: part, start_time, hours });
    }
  }
  return days;
}
