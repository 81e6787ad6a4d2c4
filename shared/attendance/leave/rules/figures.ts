import { daysOfHalves, leftOf, type Used } from './room.ts';
import { type DatedUse, type Grant, sumOf } from './uses.ts';

/** What the API tells of a grant beside its own fields. */
export type GrantFigures = {
  used_days: number;
  used_hours: number;
  reserved_days: number;
  reserved_hours: number;
  remaining_days: number;
  remaining_hours: number;
  lapsed_days: number;
};

/** Whether a use is past: of an approved request, on a day up to `as_of`. */
export type IsUsed = (use: DatedUse) => boolean;

/**
 * The figures of a grant as of a day. `uses` are those of all live requests; what is not used by that day is reserved.
 * After the last day of the grant its rest has lapsed.
 */
export function figuresOf(
  grant: Grant,
  uses: readonly DatedUse[],
  isUsed: IsUsed,
  { as_of, hours_per_day }: { as_of: string; hours_per_day: number },
): GrantFigures {
  const own = uses.filter(({ grant_id }) => grant_id === grant.id);
  const used = sumOf(own.filter(isUsed));
  const reserved = sumOf(own.filter((use) => !isUsed(use)));
  const left = leftOf(grant.days, own, hours_per_day) ?? { halves: 0, hours: 0 };
  const lapsed = grant.expires_on !== null && grant.expires_on < as_of;
  const remaining: Used = lapsed ? { halves: 0, hours: 0 } : left;
  return {
    used_days: daysOfHalves(used.halves),
    used_hours: used.hours,
    reserved_days: daysOfHalves(reserved.halves),
    reserved_hours: reserved.hours,
    remaining_days: daysOfHalves(remaining.halves),
    remaining_hours: remaining.hours,
    lapsed_days: lapsed ? daysOfHalves(left.halves) : 0,
  };
}
