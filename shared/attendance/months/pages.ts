import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import type { Limits } from '../days/limits.ts';
import type { Period } from '../days/types.ts';
import { membersByCode } from '../members/by-code.ts';
import { employedWithin } from '../members/employed.ts';
import { shownMembers } from '../members/queries.ts';
import type { AttendanceMember } from '../members/record.ts';
import { Calendars } from '../records/calendars.ts';
import { memberPlansOf } from '../records/member-days.ts';
import { membersSeen, type Whose } from '../sight/sight.ts';
import { closingsOf } from './closings.ts';
import { limitsOfMembers } from './limits.ts';
import { laidFor, type MonthLaid, presentMonth } from './month.ts';
import { monthsWithin } from './queries.ts';
import type { AttendanceLimits, LimitsOfMember, MonthlyReport } from './record.ts';

export type MonthFilters = Whose & { month?: string | undefined };

/** A window of the months of members whose days the caller reads: of those who are employed in the period. */
export async function monthlyPage(
  reader: Reader,
  { month, ...whose }: MonthFilters,
  window: Window,
): Promise<Page<MonthlyReport>> {
  const laid = await laidFor(reader, month ?? (await presentMonth(reader)));
  const page = await employedPage(reader, await membersSeen(reader, whose), laid.period, window);
  const [months, members] = await Promise.all([
    monthsWithin(
      reader,
      page.rows.map(({ id }) => id),
      laid,
    ),
    shownMembers(reader, page.rows),
  ]);
  const rows = members.map((member): MonthlyReport => {
    const { totals, limits, submission_status } = months.get(member.id)!;
    return {
      ...headOf(member, laid.period),
      object: 'attendance.monthly_report',
      totals,
      limits: limits as AttendanceLimits | null,
      submission_status,
    };
  });
  return { ...page, rows };
}

export type LimitFilters = MonthFilters & {
  as_of?: string | undefined;
  level?: readonly Limits['level'][] | undefined;
};

/**
 * A window of limits of members whose days the caller reads. Those of some levels are found among all before a page is
 * read.
 */
export async function limitsPage(
  reader: Reader,
  { month, as_of, level, ...whose }: LimitFilters,
  window: Window,
): Promise<Page<LimitsOfMember>> {
  const laid = await laidFor(reader, month ?? (await presentMonth(reader)));
  const seen = await membersSeen(reader, whose);
  const ids = level === undefined ? seen : await membersOnLevels(reader, seen, laid, as_of, level);
  const page = await employedPage(reader, ids, laid.period, window);
  const [limits, members] = await Promise.all([
    limitsIn(
      reader,
      page.rows.map(({ id }) => id),
      laid,
      as_of,
    ),
    shownMembers(reader, page.rows),
  ]);
  const rows = members.map(
    (member): LimitsOfMember => ({
      ...headOf(member, laid.period),
      object: 'attendance.limits',
      as_of: as_of ?? laid.today,
      limits: (limits.get(member.id) ?? null) as AttendanceLimits | null,
    }),
  );
  return { ...page, rows };
}

/** The limits of members in a month that is laid out, as of a date; without one as of today, those of closed months as closed. */
async function limitsIn(
  reader: Reader,
  member_ids: readonly string[],
  laid: MonthLaid,
  as_of: string | undefined,
): Promise<Map<string, Limits | null>> {
  const dates = { from: laid.period.start, to: laid.period.end };
  const [members, closings] = await Promise.all([
    memberPlansOf(reader, member_ids, dates),
    as_of === undefined ? closingsOf(reader, member_ids, laid.month) : null,
  ]);
  const calendars = new Calendars(laid.rules, dates);
  const limits = await limitsOfMembers(reader, members, laid, calendars, as_of ?? laid.today);
  for (const [id, { frozen }] of closings ?? []) {
    if (frozen) limits.set(id, frozen.limits);
  }
  return limits;
}

async function membersOnLevels(
  reader: Reader,
  seen: readonly string[] | null,
  laid: MonthLaid,
  as_of: string | undefined,
  levels: readonly Limits['level'][],
): Promise<string[]> {
  const ids = await employedIds(reader, seen, laid.period);
  const limits = await limitsIn(reader, ids, laid, as_of);
  return ids.filter((id) => {
    const own = limits.get(id);
    return own && levels.includes(own.level);
  });
}

/** The members who are employed on any day of a period; of some, or of all. */
export async function employedIds(
  { connection, organization_id }: Reader,
  member_ids: readonly string[] | null,
  { start, end }: Period,
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `SELECT id FROM attendance_members
      WHERE organization_id = $1 AND ($2::text[] IS NULL OR id = ANY ($2))
        AND ${employedWithin('attendance_members', '$3', '$4')}
      ORDER BY id`,
    [organization_id, member_ids, start, end],
  );
  return rows.map(({ id }) => id);
}

function employedPage(
  reader: Reader,
  member_ids: readonly string[] | null,
  { start, end }: Period,
  window: Window,
) {
  return membersByCode(reader, member_ids, window, {
    narrow: (query) => {
      query.whereRaw(employedWithin('attendance_members', ':start', ':end'), { start, end });
    },
  });
}

function headOf(member: AttendanceMember, { month, start, end }: Period) {
  return { id: member.id, month, period_start: start, period_end: end, member };
}
