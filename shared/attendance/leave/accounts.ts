import { oneOf } from '../../db/one-of.ts';
import type { Reader } from '../../kernel/reader.ts';
import { grantRowsOf, type LeaveGrantRow } from './grants/rows.ts';
import type { BalanceType } from './kinds.ts';
import { type LiveRequest, liveRequestsOf } from './requests/rows.ts';
import type { LeaveAccount, LiveTaking } from './rules/balance.ts';
import { halvesOf, hoursPerDay } from './rules/room.ts';
import { daysTaken, startMinuteOf } from './rules/span.ts';
import type { TakenDay, Use } from './rules/uses.ts';
import { type WorkingDays, workingDaysOf } from './working-days.ts';

/** The minutes of a day where an organization has no schedule. */
const STANDARD_MINUTES = 480;

/** All that is known of one member's leave. */
export type MemberLeave = {
  working: WorkingDays;
  /** Pending and approved, in order of date. */
  requests: readonly LiveRequest[];
  hours_per_day: number;
  /** What a live request takes of each day. */
  daysOf: (request: LiveRequest) => TakenDay[];
  takingOf: (request: LiveRequest) => LiveTaking;
  account: (type: BalanceType) => LeaveAccount<LeaveGrantRow>;
};

/** The day that it is, and days that a caller will ask about beside those of live requests. */
export type Horizon = { today: string; from?: string | undefined; to?: string | undefined };

/** The leave of members as of now: a fixed number of statements, however many they are. */
export async function leaveOf(
  reader: Reader,
  member_ids: readonly string[],
  horizon: Horizon,
): Promise<(member_id: string) => MemberLeave> {
  const [grants, requests] = await Promise.all([
    grantRowsOf(reader, member_ids),
    liveRequestsOf(reader, member_ids),
  ]);
  const [kept, workingOf] = await Promise.all([
    keptDaysOf(
      reader,
      requests.map(({ id }) => id),
    ),
    workingDaysOf(reader, member_ids, rangeOf(horizon, requests)),
  ]);
  const grantsOf = Map.groupBy(grants, ({ member_id }) => member_id);
  const requestsOf = Map.groupBy(requests, ({ member_id }) => member_id);
  return (member_id) => {
    const working = workingOf(member_id);
    return memberLeave({
      working,
      grants: grantsOf.get(member_id) ?? [],
      requests: requestsOf.get(member_id) ?? [],
      hours_per_day: hoursPerDay(working.timesOn(horizon.today)?.schedule.minutes ?? STANDARD_MINUTES),
      kept,
    });
  };
}

function memberLeave({
  working,
  grants,
  requests,
  hours_per_day,
  kept,
}: Pick<MemberLeave, 'working' | 'requests' | 'hours_per_day'> & {
  grants: readonly LeaveGrantRow[];
  kept: Kept;
}): MemberLeave {
  const takingOf = (request: LiveRequest) => takingBy(request, working.counts, kept);
  return {
    working,
    requests,
    hours_per_day,
    daysOf: (request) => daysBy(request, working.counts, kept),
    takingOf,
    account: (type) => ({
      grants: grants.filter((grant) => grant.type === type),
      takings: requests.filter((request) => request.type === type).map(takingOf),
      hours_per_day,
    }),
  };
}

function daysBy(request: LiveRequest, counts: WorkingDays['counts'], kept: Kept): TakenDay[] {
  const own = kept.get(request.id);
  if (own === undefined) return daysTaken(request, counts);
  const counted = daysTaken(request, (date) => !own.has(date) && counts(date));
  const days: TakenDay[] = [...own.values(), ...counted];
  return days.sort((a, b) => (a.date < b.date ? -1 : 1));
}

/** A live request with what it takes of each day: of some as was kept, of others where they count. */
export function takingBy(request: LiveRequest, counts: WorkingDays['counts'], kept: Kept): LiveTaking {
  return {
    id: request.id,
    status: request.status as LiveTaking['status'],
    start_minute: startMinuteOf(request),
    days: daysBy(request, counts, kept),
  };
}

/** By request and date, what days of confirmed periods took. */
export type Kept = Map<string, Map<string, TakenDay>>;

type KeptRow = { request_id: string; date: string; days: string; hours: number; uses: Use[] };

/** What was kept of requests. */
export async function keptDaysOf(
  { connection, organization_id }: Reader,
  request_ids: readonly string[],
): Promise<Kept> {
  if (request_ids.length === 0) return new Map();
  const rows = await connection.query<KeptRow>(
    `SELECT request_id, date, days, hours, uses FROM attendance_leave_days
      WHERE organization_id = $1 AND request_id = ${oneOf('$2')}`,
    [organization_id, request_ids],
  );
  return new Map(
    [...Map.groupBy(rows, ({ request_id }) => request_id)].map(([id, days]) => [
      id,
      new Map(
        days.map(({ date, days: taken, hours, uses }) => [
          date,
          { date, halves: halvesOf(Number(taken)), hours, kept: uses },
        ]),
      ),
    ]),
  );
}

/** From the first to the last day of requests and of those that are asked about. */
export function rangeOf({ today, from = today, to = today }: Horizon, requests: readonly LiveRequest[]) {
  let first = from < today ? from : today;
  let last = to > today ? to : today;
  for (const { start_date, end_date } of requests) {
    if (start_date < first) first = start_date;
    if (end_date > last) last = end_date;
  }
  return { from: first, to: last };
}
