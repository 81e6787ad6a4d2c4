import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { searchTerm } from '../../platform/search/grams.ts';
import { membersByCode } from '../members/by-code.ts';
import { shownMembers } from '../members/queries.ts';
import type { AttendanceMember } from '../members/record.ts';
import { laidFor, presentMonth } from '../months/month.ts';
import { totalsOfMembers } from '../months/totals.ts';
import { openSessions } from '../punches/running.ts';
import type { PunchStatus } from '../punches/status.ts';
import { presentWithDays } from '../punches/status.ts';
import { plainSettings } from '../settings/queries.ts';
import { membersSeen } from '../sight/sight.ts';
import type { MemberOverview } from './record.ts';

export type OverviewFilters = {
  search?: string | undefined;
  department_id?: string | undefined;
  status?: readonly AttendanceMember['status'][] | undefined;
  state?: readonly PunchStatus['state'][] | undefined;
};

/** A window of the members whose days the caller reads, each with what they do now, the day and the month. */
export async function memberOverviewPage(
  reader: Reader,
  { search, department_id, status = ['active'], state }: OverviewFilters,
  window: Window,
): Promise<Page<MemberOverview>> {
  const member_ids = await membersSeen(reader, department_id === undefined ? {} : { department_id });
  const inState = state && (await whoIs(reader, member_ids, state));
  const page = await membersByCode(reader, member_ids, window, {
    search: search === undefined ? null : searchTerm(search, { phones: false }),
    narrow: (query) => {
      query.whereIn('attendance_members.status', [...status]);
      if (inState) query.whereRaw(`${inState.text}`, [inState.ids]);
    },
  });
  const ids = page.rows.map(({ id }) => id);
  const laid = await laidFor(reader, await presentMonth(reader));
  const { start: from, end: to } = laid.period;
  const [members, { present, days }] = await Promise.all([
    shownMembers(reader, page.rows),
    presentWithDays(reader, ids, { from, to }),
  ]);
  const totals = await totalsOfMembers(reader, days, laid);
  const rows = members.map((member): MemberOverview => {
    const { status: now, record } = present.get(member.id)!;
    return {
      id: member.id,
      object: 'attendance.member_overview',
      member,
      status: now,
      record,
      totals: totals.get(member.id)!,
    };
  });
  return { ...page, rows };
}

/** A condition for who is in one of some states: those whose session runs are known, all others are off duty. */
async function whoIs(
  reader: Reader,
  member_ids: readonly string[] | null,
  states: readonly PunchStatus['state'][],
): Promise<{ text: string; ids: string[] }> {
  const { max_session_hours } = await plainSettings(reader);
  const { running } = await openSessions(reader, member_ids, max_session_hours);
  const isAsked = (id: string) => states.includes(running.get(id)!.state);
  const ids = [...running.keys()];
  if (!states.includes('off_duty')) {
    return { text: 'attendance_members.id = ANY (?)', ids: ids.filter(isAsked) };
  }
  return { text: 'attendance_members.id <> ALL (?)', ids: ids.filter((id) => !isAsked(id)) };
}
