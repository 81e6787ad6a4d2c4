import type { Reader } from '../../../kernel/reader.ts';
import { type AskingAbout, askingOf } from '../../requests/deciding.ts';
import { type Owner, ownersOf } from '../../requests/owners.ts';
import { decisionShown } from '../../requests/shown.ts';
import { leaveOf, type MemberLeave } from '../accounts.ts';
import { hasBalance, isLive } from '../kinds.ts';
import { daysOfHalves } from '../rules/room.ts';
import { daysTaken } from '../rules/span.ts';
import { type Allocation, allocate, sumOf } from '../rules/uses.ts';
import type { LeaveRequest } from './record.ts';
import type { LeaveRequestRow } from './rows.ts';

/** Requests with what follows from the grants and working days of their members, and from who asks. */
export async function shownRequests(
  reader: Reader,
  rows: readonly LeaveRequestRow[],
): Promise<LeaveRequest[]> {
  if (rows.length === 0) return [];
  const member_ids = [...new Set(rows.map(({ member_id }) => member_id))];
  const asking = await askingOf(reader);
  const [owners, leave] = await Promise.all([
    ownersOf(reader, rows),
    leaveOf(reader, member_ids, {
      today: asking.today,
      from: rows.map(({ start_date }) => start_date).toSorted()[0],
      to: rows
        .map(({ end_date }) => end_date)
        .toSorted()
        .at(-1),
    }),
  ]);
  const allocations = new Map<string, Allocation>();
  return rows.map((row) =>
    shownRequest(row, owners(row.member_id), leave(row.member_id), asking, allocations),
  );
}

function shownRequest(
  row: LeaveRequestRow,
  owner: Owner,
  leave: MemberLeave,
  asking: AskingAbout,
  allocations: Map<string, Allocation>,
): LeaveRequest {
  const { id, member_id, status } = row;
  const live = leave.requests.find((one) => one.id === id);
  const taken = live ? leave.daysOf(live) : daysTaken(row, leave.working.counts);
  return {
    id,
    object: 'attendance.leave_request',
    member_id,
    type: row.type,
    unit: row.unit,
    start_date: row.start_date,
    end_date: row.end_date,
    start_unit: row.start_unit,
    end_unit: row.end_unit,
    start_time: row.start_time,
    hours: row.hours,
    reason: row.reason,
    days: daysOfHalves(sumOf(taken).halves),
    consumed: isLive(status) ? consumedBy(row, leave, allocations) : [],
    ...decisionShown(row, { kind: 'leave_request', first_day: row.start_date }, owner, asking),
  };
}

/** What a request takes of each grant, the oldest first. Each account is computed once. */
function consumedBy(
  { id, member_id, type }: LeaveRequestRow,
  leave: MemberLeave,
  allocations: Map<string, Allocation>,
): LeaveRequest['consumed'] {
  if (!hasBalance(type)) return [];
  const key = `${member_id} ${type}`;
  const { grants, takings, hours_per_day } = leave.account(type);
  const found = allocations.get(key) ?? allocate(grants, takings, hours_per_day);
  allocations.set(key, found);
  const own = found.uses.filter(({ request_id }) => request_id === id);
  return [...Map.groupBy(own, ({ grant_id }) => grant_id)].map(([grant_id, uses]) => {
    const { halves, hours } = sumOf(uses);
    return { grant_id, days: daysOfHalves(halves), hours };
  });
}
