import { daysLater } from '../../kernel/days.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Limits } from '../days/limits.ts';
import type { Period, PeriodTotals, Segment } from '../days/types.ts';
import { Calendars } from '../records/calendars.ts';
import { daysOf } from '../records/days.ts';
import { memberPlansOf } from '../records/member-days.ts';
import type { AttendanceRecord } from '../records/record.ts';
import { recordRows } from '../records/rows.ts';
import { DAYS_BEFORE, showingOf, shownDays, shownWithin } from '../records/shown.ts';
import { closingsOf } from './closings.ts';
import { limitsOfMembers } from './limits.ts';
import { laidFor, type MonthLaid } from './month.ts';
import type { SubmissionStatus } from './record.ts';
import { totalsOfMember } from './totals.ts';

/** A member's month: what it adds up to, how it stands against article 36, and how far its closing has come. */
export type MemberMonth = {
  member_id: string;
  month: string;
  period: Period;
  totals: PeriodTotals;
  /** Null for who is exempt. */
  limits: Limits | null;
  submission_status: SubmissionStatus;
};

/**
 * The months of members, by member; who is none of the organization is left out. A closed month is as it was closed. `as_of`:
 * the date of the limits, today unless said. A fixed number of statements, however many members.
 */
export async function monthsOf(
  reader: Reader,
  member_ids: readonly string[],
  month: string,
  { as_of }: { as_of?: string | undefined } = {},
): Promise<Map<string, MemberMonth>> {
  return monthsWithin(reader, member_ids, await laidFor(reader, month), as_of);
}

/** The same of a month that is laid out already. */
export async function monthsWithin(
  reader: Reader,
  member_ids: readonly string[],
  laid: MonthLaid,
  as_of?: string,
): Promise<Map<string, MemberMonth>> {
  const { period, month } = laid;
  const dates = { from: period.start, to: period.end };
  const [members, rows, closings] = await Promise.all([
    memberPlansOf(reader, member_ids, dates),
    recordRows(reader, member_ids, dates),
    closingsOf(reader, member_ids, month),
  ]);
  const calendars = new Calendars(laid.rules, dates);
  const limits = await limitsOfMembers(reader, members, laid, calendars, as_of ?? laid.today);
  return new Map(
    [...members].map(([id, member]): [string, MemberMonth] => {
      const { status = 'none', frozen = null } = closings.get(id) ?? {};
      const totals = frozen?.totals ?? totalsOfMember(member, rows.get(id) ?? [], laid, calendars);
      const own = frozen && as_of === undefined ? frozen.limits : (limits.get(id) ?? null);
      return [id, { member_id: id, month, period, totals, limits: own, submission_status: status }];
    }),
  );
}

/** A day of a month as the API shows it; with its minutes where they were asked for. */
export type MonthDay = AttendanceRecord & { segments?: Segment[] };

/** Every day of a month's period for each of some members, in order. A fixed number of statements, however many members. */
export async function monthDaysOf(
  reader: Reader,
  member_ids: readonly string[],
  month: string,
  { with_segments = false }: { with_segments?: boolean } = {},
): Promise<Map<string, MonthDay[]>> {
  return monthDaysWithin(reader, member_ids, await laidFor(reader, month), { with_segments });
}

/** The same of a month that is laid out already. */
export async function monthDaysWithin(
  reader: Reader,
  member_ids: readonly string[],
  { period }: Pick<MonthLaid, 'period'>,
  { with_segments }: { with_segments: boolean },
): Promise<Map<string, MonthDay[]>> {
  const dates = { from: period.start, to: period.end };
  if (!with_segments) return shownDays(reader, member_ids, dates);
  const [before, days, showing] = await Promise.all([
    daysOf(reader, member_ids, {
      from: daysLater(dates.from, -DAYS_BEFORE),
      to: daysLater(dates.from, -1),
    }),
    daysOf(reader, member_ids, dates, { with_segments }),
    showingOf(reader, member_ids),
  ]);
  return new Map(
    member_ids.map((id) => {
      const own = days.get(id) ?? [];
      const shown = shownWithin([...(before.get(id) ?? []), ...own], dates.from, showing);
      return [id, shown.map((day, index) => ({ ...day, segments: [...own[index]!.segments] }))];
    }),
  );
}
