import type { MemberLeave } from '../accounts.ts';
import { grantOf } from '../grants/rows.ts';
import type { BalanceType } from '../kinds.ts';
import { balanceOn } from '../rules/balance.ts';
import { daysOf, nextGrantDate, tableFor, type WorkingShare } from '../rules/statutory.ts';
import type { LeaveBalance } from './record.ts';

/** Who the balance is of. */
export type Holder = { id: string; hired_on: string | null; left_on: string | null };

/** What terms say on a day. */
export type TermsAt = (date: string) => WorkingShare;

/** A balance as of a day, from all that is known of a member's leave. */
export function balanceOfMember(
  holder: Holder,
  leave: MemberLeave,
  termsAt: TermsAt,
  { type, as_of }: { type: BalanceType; as_of: string },
): LeaveBalance {
  const balance = balanceOn(leave.account(type), as_of);
  const isAnnual = type === 'paid_annual';
  return {
    object: 'attendance.leave_balance',
    member_id: holder.id,
    type,
    as_of,
    total_remaining_days: balance.total_remaining_days,
    remaining_hours: balance.remaining_hours,
    hours_per_day: leave.hours_per_day,
    hourly_cap_left_hours: isAnnual ? balance.hourly_cap_left_hours : null,
    next_grant: isAnnual ? nextGrant(holder, termsAt, as_of) : null,
    five_day: isAnnual ? balance.five_day : null,
    expiring: balance.expiring.map(({ grant, figures: { remaining_days, remaining_hours } }) => ({
      grant_id: grant.id,
      expires_on: grant.expires_on!,
      remaining_days,
      remaining_hours,
    })),
    grants: balance.grants.map(({ grant, figures }) => grantOf(grant, figures)),
  };
}

function nextGrant(
  { hired_on, left_on }: Holder,
  termsAt: TermsAt,
  as_of: string,
): LeaveBalance['next_grant'] {
  if (hired_on === null) return null;
  const next = nextGrantDate(hired_on, as_of);
  if (left_on !== null && next.granted_on > left_on) return null;
  const { granted_on } = next;
  return { granted_on, days: daysOf(next, tableFor(termsAt(granted_on), granted_on)) };
}
