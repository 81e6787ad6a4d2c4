import { oneOf } from '../../../db/one-of.ts';
import type { Reader } from '../../../kernel/reader.ts';
import { todayOf } from '../../settings/queries.ts';
import { keptDaysOf, leaveOf, rangeOf, takingBy } from '../accounts.ts';
import { annualRequestsSince } from '../requests/rows.ts';
import { dutyOn } from '../rules/balance.ts';
import { metByBounds, metByRecent, type RecentGrant } from '../rules/duty-recent.ts';
import { type DutyWindow, dutyWindowOn } from '../rules/five-day.ts';
import { workingDaysOf } from '../working-days.ts';

/** Members of whom so many are computed together. */
const TOGETHER = 1_000;

/**
 * The members with an obligation of five days that is not met yet, as of a day. Only who got ten days or more within the
 * year before can have one.
 */
export async function fiveDayAtRisk(
  reader: Reader,
  member_ids: readonly string[] | null,
  asked: string | undefined,
): Promise<string[]> {
  const as_of = asked ?? (await todayOf(reader));
  const holders = await reader.connection.query<{ id: string }>(
    `SELECT id FROM attendance_members AS member
      WHERE organization_id = $1 AND ($2::text[] IS NULL OR id = ANY ($2)) AND EXISTS (
        SELECT FROM attendance_leave_grants AS leave
         WHERE leave.organization_id = $1 AND leave.member_id = member.id AND leave.type = 'paid_annual'
           AND leave.days >= 10 AND leave.granted_on BETWEEN $3::date - 366 AND $3::date)
      ORDER BY id`,
    [reader.organization_id, member_ids, as_of],
  );
  const ids = holders.map(({ id }) => id);
  const found: string[] = [];
  for (let first = 0; first < ids.length; first += TOGETHER) {
    const some = ids.slice(first, first + TOGETHER);
    const unmet = await unmetAmong(reader, some, as_of);
    found.push(...some.filter((id) => unmet.has(id)));
  }
  return found;
}

/** Those who have an obligation that is not met: by what is recent where that tells, else by all of their leave. */
async function unmetAmong(
  reader: Reader,
  ids: readonly string[],
  as_of: string,
): Promise<ReadonlySet<string>> {
  const { unmet, untold } = await byRecent(reader, ids, as_of);
  if (untold.length > 0) {
    const leave = await leaveOf(reader, untold, { today: as_of });
    for (const id of untold) {
      if (dutyOn(leave(id).account('paid_annual'), as_of)?.met === false) unmet.add(id);
    }
  }
  return unmet;
}

async function byRecent(
  reader: Reader,
  ids: readonly string[],
  as_of: string,
): Promise<{ unmet: Set<string>; untold: string[] }> {
  const grants = Map.groupBy(await annualGrantsOf(reader, ids), ({ member_id }) => member_id);
  const windows = new Map<string, DutyWindow>();
  for (const [id, own] of grants) {
    const window = dutyWindowOn(own, as_of);
    if (window) windows.set(id, window);
  }
  const starts = new Map([...windows].map(([id, { window_start }]) => [id, window_start]));
  const requests = await annualRequestsSince(reader, starts);
  const kept = await keptDaysOf(
    reader,
    requests.map(({ id }) => id),
  );
  const requestsOf = Map.groupBy(requests, ({ member_id }) => member_id);
  const takingsOf = (id: string, counts: (date: string) => boolean) =>
    (requestsOf.get(id) ?? []).map((request) => takingBy(request, counts, kept));
  const unmet = new Set<string>();
  const open: string[] = [];
  for (const [id, window] of windows) {
    const met = metByBounds(
      takingsOf(id, () => true),
      window,
      as_of,
    );
    if (met === false) unmet.add(id);
    if (met === null) open.push(id);
  }
  if (open.length === 0) return { unmet, untold: [] };
  // Which days count is looked up of those alone of whom that may decide.
  const workingOf = await workingDaysOf(
    reader,
    open,
    rangeOf(
      { today: as_of },
      open.flatMap((id) => requestsOf.get(id) ?? []),
    ),
  );
  const untold = open.filter((id) => {
    const takings = takingsOf(id, workingOf(id).counts);
    const met = metByRecent(grants.get(id)!, takings, windows.get(id)!, as_of);
    if (met === false) unmet.add(id);
    return met === null;
  });
  return { unmet, untold };
}

type OwnGrant = RecentGrant & { member_id: string };

async function annualGrantsOf(
  { connection, organization_id }: Reader,
  member_ids: readonly string[],
): Promise<OwnGrant[]> {
  const rows = await connection.query<OwnGrant>(
    `SELECT id, member_id, granted_on, expires_on, days::float8 AS days, updated_at = created_at AS is_unchanged
       FROM attendance_leave_grants
      WHERE organization_id = $1 AND member_id = ${oneOf('$2')} AND type = 'paid_annual'
      ORDER BY member_id, granted_on, id`,
    [organization_id, member_ids],
  );
  return rows;
}
