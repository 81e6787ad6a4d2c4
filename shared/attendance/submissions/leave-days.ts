import type { Work } from '../../kernel/work.ts';
import type { Period } from '../days/types.ts';
import { leaveOf } from '../leave/accounts.ts';
import { hasBalance } from '../leave/kinds.ts';
import { partsOf } from '../leave/rules/span.ts';
import { allocate } from '../leave/rules/uses.ts';
import { todayOf } from '../settings/queries.ts';

/**
 * Keeps what the live leave of a locked member takes on each day of a closed period, also that it takes nothing: so no later
 * change of roster, holidays, terms or grants takes it anew.
 */
export async function keepLeaveDays(work: Work, member_id: string, { start, end }: Period): Promise<void> {
  const today = await todayOf(work);
  const { requests, daysOf, account } = (await leaveOf(work, [member_id], { today, from: start, to: end }))(
    member_id,
  );
  for (const request of requests) {
    const dates = partsOf(request).flatMap(({ date }) => (start <= date && date <= end ? [date] : []));
    if (dates.length === 0) continue;
    const taken = new Map(daysOf(request).map((day) => [day.date, day]));
    const uses = hasBalance(request.type) ? usesOf(account(request.type), request.id) : [];
    work.run(
      `INSERT INTO attendance_leave_days (organization_id, request_id, date, days, hours, uses)
       SELECT $1, $2, kept.* FROM json_to_recordset($3::json)
         AS kept (date date, days numeric, hours integer, uses jsonb)
       ON CONFLICT (organization_id, request_id, date) DO NOTHING`,
      [
        work.organization_id,
        request.id,
        JSON.stringify(
          dates.map((date) => ({
            date,
            days: (taken.get(date)?.halves ?? 0) / 2,
            hours: taken.get(date)?.hours ?? 0,
            uses: uses
              .filter((use) => use.date === date)
              .map(({ grant_id, halves, hours }) => ({ grant_id, halves, hours })),
          })),
        ),
      ],
    );
  }
}

type Account = ReturnType<Awaited<ReturnType<Awaited<ReturnType<typeof leaveOf>>>>['account']>;

function usesOf({ grants, takings, hours_per_day }: Account, request_id: string) {
  return allocate(grants, takings, hours_per_day).uses.filter((use) => use.request_id === request_id);
}

/** Lets the leave of an opened period be computed again. */
export function releaseLeaveDays(work: Work, member_id: string, { start, end }: Period): void {
  work.run(
    `DELETE FROM attendance_leave_days AS kept USING attendance_leave_requests AS request
      WHERE kept.organization_id = $1 AND request.organization_id = $1 AND request.id = kept.request_id
        AND request.member_id = $2 AND kept.date BETWEEN $3 AND $4`,
    [work.organization_id, member_id, start, end],
  );
}
