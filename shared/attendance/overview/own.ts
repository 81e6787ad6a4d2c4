import type { Reader } from '../../kernel/reader.ts';
import { balanceOf } from '../leave/balances/queries.ts';
import { laidFor, presentMonth } from '../months/month.ts';
import { monthsWithin } from '../months/queries.ts';
import type { AttendanceLimits } from '../months/record.ts';
import { presentOf } from '../punches/status.ts';
import { shownDays } from '../records/shown.ts';
import { seenMember } from '../sight/people.ts';
import { type AttendanceOverview, correctableAlerts } from './record.ts';
import { openRequestsOf } from './requests.ts';

/** How who asks stands: now, and in a month, that whose period runs unless said. Errors: `not_found` for who is no member. */
export async function ownOverview(reader: Reader, month: string | undefined): Promise<AttendanceOverview> {
  const { id: member_id } = await seenMember(reader, undefined);
  const laid = await laidFor(reader, month ?? (await presentMonth(reader)));
  const { start, end } = laid.period;
  const to = laid.today < end ? laid.today : end;
  const [present, months, days, leave_balance, open_requests] = await Promise.all([
    presentOf(reader, [member_id]),
    monthsWithin(reader, [member_id], laid),
    start <= to ? shownDays(reader, [member_id], { from: start, to }) : null,
    balanceOf(reader, member_id, {}),
    openRequestsOf(reader, member_id),
  ]);
  const { status, record } = present.get(member_id)!;
  const { totals, limits } = months.get(member_id)!;
  const days_to_correct = (days?.get(member_id) ?? []).flatMap(({ work_date, alerts }) => {
    const own = correctableAlerts.filter((alert) => alerts.includes(alert));
    return own.length === 0 ? [] : [{ work_date, alerts: own }];
  });
  return {
    member_id,
    month: laid.month,
    status,
    record,
    totals,
    limits: limits as AttendanceLimits | null,
    leave_balance,
    open_requests,
    days_to_correct,
  };
}
