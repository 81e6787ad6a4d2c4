import type { Reader } from '../../../kernel/reader.ts';
import { todayOf } from '../../settings/queries.ts';
import { leaveOf, type MemberLeave } from '../accounts.ts';
import { type BalanceType, hasBalance } from '../kinds.ts';
import {
  beyondSchedule,
  hourlyCapExceeded,
  insufficientBalance,
  noWorkingDay,
  overlappingRequest,
} from '../refusals.ts';
import { capLeft } from '../rules/balance.ts';
import { mostHoursFrom } from '../rules/hours-of-day.ts';
import { overlaps } from '../rules/overlap.ts';
import { allocate, displaced } from '../rules/uses.ts';
import type { LiveRequest } from './rows.ts';

/** The leave of the member of a request, with the working days that the request is about. */
export async function leaveOfRequest(
  reader: Reader,
  { member_id, start_date, end_date }: LiveRequest,
): Promise<MemberLeave> {
  const today = await todayOf(reader);
  return (await leaveOf(reader, [member_id], { today, from: start_date, to: end_date }))(member_id);
}

/**
 * Sees that a member can take a new request, on top of what they have asked for. `leave` was read under the lock of the
 * member. Errors: `no_working_day`, `validation_failed` for hours beyond the schedule, `overlapping_request`,
 * `hourly_leave_cap_exceeded`, `insufficient_balance`.
 */
export function requireRoom(leave: MemberLeave, request: LiveRequest): void {
  const { working } = leave;
  if (leave.daysOf(request).length === 0) throw noWorkingDay();
  requireHours(leave, request);
  const other = leave.requests.find((one) => overlaps(one, request, working.timesOn));
  if (other) throw overlappingRequest(other.id);
  if (!hasBalance(request.type)) return;
  requireCap(leave, request);
  requireBalance(leave, request, request.type);
}

function requireHours({ working }: MemberLeave, { unit, start_date, start_time, hours }: LiveRequest): void {
  if (unit !== 'hourly') return;
  const times = working.timesOn(start_date);
  const most = times === null ? 0 : mostHoursFrom(times, start_time!);
  if (hours! > most) throw beyondSchedule(most);
}

/** By the hour, annual leave alone has a bound. */
function requireCap(leave: MemberLeave, { type, unit, start_date, hours }: LiveRequest): void {
  if (unit !== 'hourly' || type !== 'paid_annual') return;
  const left = capLeft(leave.account(type), start_date);
  // Before the first grant there is nothing to take anyway.
  if (left !== null && hours! > left) throw hourlyCapExceeded(left);
}

/** Sees that the request fits, and that all fit that did before. */
function requireBalance(leave: MemberLeave, request: LiveRequest, type: BalanceType): void {
  const { grants, takings, hours_per_day } = leave.account(type);
  const before = allocate(grants, takings, hours_per_day);
  const after = allocate(grants, [...takings, leave.takingOf(request)], hours_per_day);
  const lost = displaced(before, after);
  if (lost.length > 0)
    throw insufficientBalance(
      type,
      lost.filter((id) => id !== request.id),
    );
}

/** Sees that a live request fits still: working days may have changed since it was filed. Errors: `insufficient_balance`. */
export function requireFit(leave: MemberLeave, { id, type }: Pick<LiveRequest, 'id' | 'type'>): void {
  if (!hasBalance(type)) return;
  const { grants, takings, hours_per_day } = leave.account(type);
  if (allocate(grants, takings, hours_per_day).unfit.includes(id)) throw insufficientBalance(type, []);
}
