import { dayOf, daysLater } from '../../../kernel/days.ts';
import type { Reader } from '../../../kernel/reader.ts';
import { type DatedRow, settingsOn, todayBy } from '../../settings/dated.ts';
import { datedRows } from '../../settings/queries.ts';
import { datedTermsOf } from '../dated-terms.ts';
import type { Basis } from '../grants/record.ts';
import { attendanceRate } from '../rules/attendance-rate.ts';
import {
  daysOf,
  expiryOf,
  type GrantDate,
  grantDatesBetween,
  periodBefore,
  tableFor,
} from '../rules/statutory.ts';
import { attendanceDuring, type PeriodOfDuty } from './attendance.ts';

/** A grant that the law asks for and that is not there yet. */
export type DueGrant = {
  member_id: string;
  granted_on: string;
  /** Null where nothing is granted: service runs on, and the day is not looked at again. */
  expires_on: string | null;
  days: number;
  basis: Basis;
};

/** Which grants are asked about. */
export type DueAsked = {
  /** null: those of all members. */
  member_ids: readonly string[] | null;
  /** null: from the day on which each member was made. */
  from: string | null;
  as_of: string;
  /** In the place of what was recorded. */
  attendance_rate_percent: number | null;
};

type Candidate = { id: string; hired_on: string; left_on: string | null; created_at: string };

type Dated = { candidate: Candidate; date: GrantDate };

/** The grants of the law from a day to another one that members do not have yet, in the order of members and days. */
export async function dueGrants(reader: Reader, asked: DueAsked): Promise<DueGrant[]> {
  const [candidates, settings] = await Promise.all([
    candidatesFor(reader, asked.member_ids),
    datedRows(reader),
  ]);
  const dated = candidates.flatMap((candidate) =>
    datesOf(candidate, asked, settings).map((date): Dated => ({ candidate, date })),
  );
  const missing = await withoutGranted(reader, dated);
  if (missing.length === 0) return [];
  const isGiven = asked.attendance_rate_percent !== null;
  const [termsOf, attended] = await Promise.all([
    datedTermsOf(
      reader,
      missing.map(({ candidate }) => candidate.id),
    ),
    isGiven ? null : attendanceDuring(reader, missing.map(dutyOf(todayBy(settings, reader.now)))),
  ]);
  return missing.map(({ candidate, date }, index) => {
    const { granted_on, grant_index, service_months } = date;
    const table = tableFor(termsOf(candidate.id)(granted_on), granted_on);
    const { met, ...rate } = attendanceRate(
      attended?.[index] ?? { workdays: 0, attended_days: 0 },
      granted_on,
      asked.attendance_rate_percent,
    );
    const days = met ? daysOf(date, table) : 0;
    return {
      member_id: candidate.id,
      granted_on,
      expires_on: days > 0 ? expiryOf(granted_on) : null,
      days,
      basis: { grant_index, service_months, table, ...rate },
    };
  });
}

/** The days whose attendance decides on a grant: from the one before it, or the hire, as far as they are past. */
function dutyOf(today: string) {
  return ({ candidate, date }: Dated): PeriodOfDuty => {
    const end = date.granted_on < today ? date.granted_on : today;
    return {
      member_id: candidate.id,
      from: periodBefore(date, candidate.hired_on),
      to: daysLater(end, -1),
    };
  };
}

/** Those who were hired: without that day nothing is granted by law. */
function candidatesFor(
  { connection, organization_id }: Reader,
  member_ids: readonly string[] | null,
): Promise<Candidate[]> {
  return connection.query<Candidate>(
    `SELECT id, hired_on, left_on, created_at FROM attendance_members
      WHERE organization_id = $1 AND hired_on IS NOT NULL AND ($2::text[] IS NULL OR id = ANY ($2))
      ORDER BY id`,
    [organization_id, member_ids],
  );
}

function datesOf(
  { hired_on, left_on, created_at }: Candidate,
  { from, as_of }: DueAsked,
  settings: readonly DatedRow[],
): GrantDate[] {
  const last = left_on !== null && left_on < as_of ? left_on : as_of;
  return grantDatesBetween(hired_on, from ?? dayMade(created_at, settings), last);
}

/** The day on which a member was made, on the clock of the organization. */
function dayMade(created_at: string, settings: readonly DatedRow[]): string {
  const day = created_at.slice(0, 10);
  return dayOf(new Date(created_at), settingsOn(settings, day).time_zone);
}

/**
 * Leaves out the days that have a grant of the law, and the numbers of grants that were made since the hire: a hire that
 * is put right by some days grants nothing twice.
 */
async function withoutGranted(reader: Reader, dated: readonly Dated[]): Promise<Dated[]> {
  const { connection, organization_id } = reader;
  if (dated.length === 0) return [];
  const made = await connection.query<{ member_id: string; granted_on: string; grant_index: number }>(
    `SELECT member_id, granted_on, (basis->>'grant_index')::integer AS grant_index
       FROM attendance_leave_grants
      WHERE organization_id = $1 AND member_id = ANY ($2) AND reason = 'statutory'`,
    [organization_id, [...new Set(dated.map(({ candidate }) => candidate.id))]],
  );
  const madeFor = Map.groupBy(made, ({ member_id }) => member_id);
  return dated.filter(({ candidate, date }) => {
    const own = madeFor.get(candidate.id) ?? [];
    return !own.some(
      ({ granted_on, grant_index }) =>
        granted_on === date.granted_on ||
        (grant_index === date.grant_index && granted_on >= candidate.hired_on),
    );
  });
}
